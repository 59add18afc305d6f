/** The fastest run of each size counts, since other work on the machine only adds to the time. */
const MAX_ROUNDS = 40
/** Shorter times are rounded up to this, since they vary by more. */
const MIN_MICROSECONDS = 3_000
const FACTOR = 4

/** Between what is linear (4) and what is quadratic (16). */
export const MAX_GROWTH = 9

/** How many times the CPU time of this thread grows when the input is four times as long. Measures again while it exceeds `maxGrowth`. */
export async function growthOf(work: (size: number) => unknown, size: number, maxGrowth = MAX_GROWTH): Promise<number> {
  await work(size)
  let [small, large] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const growth = () => large / Math.max(small, MIN_MICROSECONDS)
  for (let round = 0; round < MAX_ROUNDS && !(growth() < maxGrowth); round += 1) {
    small = Math.min(small, await timeOf(() => work(size)))
    large = Math.min(large, await timeOf(() => work(size * FACTOR)))
  }
  return growth()
}

async function timeOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
