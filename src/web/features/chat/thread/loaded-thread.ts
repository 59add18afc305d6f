import { create } from 'zustand'
import type { Thread } from './thread.tsx'

/** What draws messages, as soon as it is loaded; `hasFailed` when it could not be. */
export const useLoadedThread = create<{ Thread: typeof Thread | null; hasFailed: boolean }>(() => ({ Thread: null, hasFailed: false }))

/** Loads what draws messages, ahead of the first one: a first visit has none. A failure is known by `hasFailed`, and may be tried again. */
export async function loadThread(): Promise<void> {
  if (useLoadedThread.getState().Thread) return
  const loaded = await import('./thread.tsx').catch((error: unknown) => {
    console.error(error)
    return null
  })
  useLoadedThread.setState({ Thread: loaded?.Thread ?? null, hasFailed: !loaded })
}
