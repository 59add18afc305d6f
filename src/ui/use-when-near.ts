import { type RefObject, useEffect, useRef } from 'react'

/** Distance from the viewport that counts as near. */
const NEAR = '600px 0px'

/** Calls `act` when the element comes near the viewport, and again for each new non-null `occasion` while it is near. */
export function useWhenNear(act: () => Promise<void>, occasion: string | null | undefined): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!element.current || !occasion) return
    const near = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current().catch(console.error)
      },
      { rootMargin: NEAR },
    )
    near.observe(element.current)
    return () => near.disconnect()
  }, [occasion])
  return element
}
