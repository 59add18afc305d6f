import { useCallback, useEffect, useState } from 'react'
import { call, messageOf, Rejected } from './api.ts'
import { useStaff } from './staff-context.ts'

/** The state of a read. */
export type Loaded<Reply> = { status: 'loading' } | { status: 'loaded'; reply: Reply } | { status: 'failed'; message: string }

const POLL_INTERVAL_MS = 2_000

/** Reads from the staff API, and again on `reload`, which keeps what is shown meanwhile, or by itself while the reply `isChanging`. */
export function useLoaded<Reply>(
  path: string,
  isChanging?: (reply: Reply) => boolean,
): { loaded: Loaded<Reply>; reload: () => Promise<void> } {
  const { onSessionEnd, asked } = useStaff()
  const [loaded, setLoaded] = useState<Loaded<Reply>>({ status: 'loading' })
  const read = useCallback(async (): Promise<Loaded<Reply>> => {
    try {
      return { status: 'loaded', reply: await call<Reply>('GET', path) }
    } catch (error) {
      if (!isSignedOut(error)) return { status: 'failed', message: messageOf(error) }
      onSessionEnd()
      return { status: 'loading' }
    }
  }, [path, onSessionEnd])
  const reload = useCallback(async () => setLoaded(await read()), [read])
  useEffect(() => {
    read().then(setLoaded, console.error)
  }, [read, asked])
  useEffect(() => {
    if (loaded.status !== 'loaded' || !isChanging?.(loaded.reply)) return
    const polling = setTimeout(() => reload().catch(console.error), POLL_INTERVAL_MS)
    return () => clearTimeout(polling)
  }, [loaded, isChanging, reload])
  return { loaded, reload }
}

/** Runs actions one at a time. `error` is why the last one failed, `isBusy` whether one is running. */
export function useAction(): { run: (action: () => Promise<void>) => void; isBusy: boolean; error: string } {
  const { onSessionEnd } = useStaff()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const run = useCallback(
    (action: () => Promise<void>) => {
      setBusy(true)
      setError('')
      action()
        .catch((cause: unknown) => (isSignedOut(cause) ? onSessionEnd() : setError(messageOf(cause))))
        .finally(() => setBusy(false))
    },
    [onSessionEnd],
  )
  return { run, isBusy, error }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Rejected && error.code === 'sign_in_required'
}
