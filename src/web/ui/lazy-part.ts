import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** Before each further try: a server that starts anew is back by then. */
const PAUSES_MS = [1_000, 4_000]

/**
 * A part of the page that is loaded when it is first drawn, tried again when it cannot be, unless there is no network. `instead` is
 * drawn in the place of one that there is no getting, so that it takes nothing else with it.
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
