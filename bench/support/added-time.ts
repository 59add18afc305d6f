import type { Setup } from './setup.ts'
import { quantile } from './statistics.ts'

/** A quantile of the time to the first piece through Parley, less that of direct requests. Samples in the order of `Setup.targets`. */
export function addedMs(samples: Awaited<ReturnType<Setup['client']['times']>>, share: number): number {
  const [straight = [], throughParley = []] = samples
  return quantile(throughParley, share) - quantile(straight, share)
}
