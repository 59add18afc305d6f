import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** Pauses before retries, long enough for a server to restart. */
const PAUSES_MS = [1_000, 4_000]

/**
 * A lazily loaded component. Retries failed loading, except offline. Renders `instead` if loading fails for good, so the rest of the page
 * survives.
 */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  instead: ComponentType<Props> = () => null,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    for (const pauseMs of [...PAUSES_MS, null]) {
      try {
        return await load()
      } catch (error) {
        console.error(error)
      }
      if (pauseMs === null || !navigator.onLine) break
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    return { default: instead }
  })
}
