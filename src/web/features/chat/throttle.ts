export interface Throttled<T> {
  (value: T): void
  /** Drops the value that still waits. */
  cancel(): void
}

/** Calls `act` at once, and then at most every `ms` with the newest value. */
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
    if (timer === undefined) run(value)
    else waiting = { value }
  }
  return Object.assign(call, {
    cancel() {
      clearTimeout(timer)
      timer = waiting = undefined
    },
  })
}
