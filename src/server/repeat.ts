export interface Repetition {
  intervalMs: number
  onFailure: (error: unknown) => void
}

/** Runs `act` now and at every interval, never twice at the same time. Returns a function that ends this, after the last run. */
export function repeat(act: (signal: AbortSignal) => Promise<unknown>, { intervalMs, onFailure }: Repetition): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<unknown> | null = null
  const run = () => {
    running ??= act(stopping.signal)
      .catch(onFailure)
      .finally(() => (running = null))
  }
  run()
  const timer = setInterval(run, intervalMs)
  timer.unref()
  return async () => {
    stopping.abort()
    clearInterval(timer)
    await running
  }
}
