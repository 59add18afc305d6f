import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'

/** Pauses before retries, long enough for a server to restart. */
const PAUSES_MS = [1_000, 4_000]

/**
 * A lazily loaded component, in place of which `meanwhile` is shown until it is there. Retries failed loading, except offline. Renders `instead`
 * if loading fails for good, so the rest of the page survives.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  instead: ComponentType<Props> = () => null,
  meanwhile: ComponentType<Props> = () => null,
): (props: Props) => ReactNode {
  const Part: ComponentType<Props> = lazy(async () => {
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
  return (props) => createElement(Suspense, { fallback: createElement(meanwhile, props) }, createElement(Part, props))
}
