export interface Throttled<T> {
  (value: T): void
  /** Drops the value that still waits. */
  cancel(): void
}

/** Calls `act` with the newest value when what runs now has ended, so that what comes together is one call, and at most every `ms`. */
export function throttle<T>(act: (value: T) => void, ms: number): Throttled<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: { value: T } | undefined
  const tick = () => {
    timer = undefined
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
    cancel() {
      clearTimeout(timer)
      timer = waiting = undefined
    },
  })
}
