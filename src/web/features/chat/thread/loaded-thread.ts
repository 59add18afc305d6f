import { create } from 'zustand'
import type { Thread } from './thread.tsx'

export const useLoadedThread = create<{ Thread: typeof Thread | null; hasFailed: boolean }>(() => ({ Thread: null, hasFailed: false }))

/** Loads the component that renders messages. A failure sets `hasFailed`, and can be retried. */
export async function loadThread(): Promise<void> {
  if (useLoadedThread.getState().Thread) return
  const loaded = await import('./thread.tsx').catch((error: unknown) => {
    console.error(error)
    return null
  })
  useLoadedThread.setState({ Thread: loaded?.Thread ?? null, hasFailed: !loaded })
}
