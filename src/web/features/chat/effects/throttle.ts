export interface Throttled<T> {
  (value: T): void
  /** Acts on a value after the current task, regardless of the interval. */
  hurry(value: T): void
  /** Drops the pending value. */
  cancel(): void
}

/** Calls `act` with the newest value after the current task, at most every `ms`. */
export function throttle<T>(act: (value: T) => void, ms: number): Throttled<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: { value: T } | undefined
  let isHurried = false
  const tick = () => {
    timer = undefined
    isHurried = false
    if (waiting) run(waiting.value)
  }
  const run = (value: T) => {
    waiting = undefined
    timer = setTimeout(tick, ms)
    act(value)
  }
  const call = (value: T) => {
    waiting = { value }
    timer ??= setTimeout(tick)
  }
  return Object.assign(call, {
    hurry(value: T) {
      waiting = { value }
      if (isHurried) return
      isHurried = true
      clearTimeout(timer)
      timer = setTimeout(tick)
    },
    cancel() {
      clearTimeout(timer)
      timer = waiting = undefined
      isHurried = false
    },
  })
}
