/** Resolves when `ready` does; rejects with the signal's reason when that aborts first. */
export async function readyUnless(signal: AbortSignal | undefined, ready: Promise<unknown>): Promise<void> {
  if (!signal) return void (await ready)
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    await Promise.race([ready, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
