import { againstRival, type Measurement, milliseconds } from './measurement.ts'
import { median } from './statistics.ts'

/** Median time that Parley adds to the model's time to first token, relative to the bare proxy's. Samples in the order of `Rivals`. */
export function addedTime(figure: string, samples: number[][], allowed: number): Measurement {
  const [straight = [], throughProxy = [], throughParley = []] = samples
  const base = median(straight)
  const rival = { name: 'bare proxy', value: median(throughProxy) - base }
  return againstRival(figure, median(throughParley) - base, rival, milliseconds, allowed)
}
