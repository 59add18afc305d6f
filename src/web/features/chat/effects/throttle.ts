export interface Throttled<T> {
  (value: T): void
  /** Drops the pending value. */
  cancel(): void
}

/** Calls `act` with the newest value after the current task, at most every `ms`. */
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
  const cancel = () => {
    clearTimeout(timer)
    timer = waiting = undefined
  }
  return Object.assign(call, { cancel })
}
