/** The `AbortSignal` of browsers and of Node. */
export interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Calls `listener` with the signal's reason when it aborts, at once if it already has. Returns a function that removes the listener. */
export function onAbort(signal: Signal | undefined, listener: (reason: Error) => void): () => void {
  const abort = () => listener(signal?.reason as Error)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort, { once: true })
  return () => signal?.removeEventListener('abort', abort)
}

/** Settles as `promise` does. Rejects with the signal's reason if that aborts first. */
export async function abortable<T>(promise: Promise<T>, signal: Signal | undefined): Promise<T> {
  if (!signal) return promise
  const aborted = Promise.withResolvers<never>()
  const removeListener = onAbort(signal, aborted.reject)
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    removeListener()
  }
}

/** Resolves when `promise` does or when the signal aborts. Rejects as `promise` does. */
export async function settledOrAborted(promise: Promise<unknown>, signal: Signal): Promise<void> {
  const aborted = Promise.withResolvers<void>()
  const removeListener = onAbort(signal, () => aborted.resolve())
  try {
    await Promise.race([promise, aborted.promise])
  } finally {
    removeListener()
  }
}
