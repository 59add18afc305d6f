import { againstRival, type Measurement, milliseconds } from './measurement.ts'
import { median } from './statistics.ts'

/** p50 of what Parley adds to the model's own time to first token, against what the bare proxy adds. Samples as the targets of `Rivals`. */
export function addedTime(figure: string, samples: number[][], allowed: number): Measurement {
  const [straight = [], throughProxy = [], throughParley = []] = samples
  const base = median(straight)
  const rival = { name: 'bare proxy', value: median(throughProxy) - base }
  return againstRival(figure, median(throughParley) - base, rival, milliseconds, allowed)
}
