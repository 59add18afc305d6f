export interface Throttled<T> {
  (value: T): void
  /** Acts on a value when what runs now has ended, however short the last time is ago. */
  hurry(value: T): void
  /** Drops the value that still waits. */
  cancel(): void
}

/** Calls `act` with the newest value when what runs now has ended, so that what comes together is one call, and at most every `ms`. */
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
