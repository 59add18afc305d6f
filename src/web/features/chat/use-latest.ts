import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Nearer to the end than this counts as being there, in CSS pixels. */
const AT_END_PX = 8
/** Further from the end than this, a way back is offered. */
const AWAY_PX = 200

const distanceToEnd = () => document.documentElement.scrollHeight - innerHeight - scrollY

/**
 * Keeps the page's end in view while `thread` grows, if the reader is there. Scrolling up lets go; coming back to the end,
 * or `toLatest`, takes hold again. `isAway` says whether to offer the way back.
 */
export function useLatest(thread: RefObject<HTMLElement | null>): { isAway: boolean; toLatest: () => void } {
  const holds = useRef(true)
  const [isAway, setIsAway] = useState(false)
  const toLatest = useCallback(() => {
    holds.current = true
    scrollTo(0, document.documentElement.scrollHeight)
  }, [])
  useEffect(() => {
    const element = thread.current
    if (!element) return
    let lastY = scrollY
    const onScroll = () => {
      holds.current = distanceToEnd() < AT_END_PX || (holds.current && scrollY >= lastY)
      lastY = scrollY
      setIsAway(distanceToEnd() > AWAY_PX)
    }
    const grown = new ResizeObserver(() => {
      if (holds.current) toLatest()
      setIsAway(distanceToEnd() > AWAY_PX)
    })
    addEventListener('scroll', onScroll, { passive: true })
    grown.observe(element)
    return () => {
      removeEventListener('scroll', onScroll)
      grown.disconnect()
    }
  }, [thread, toLatest])
  return { isAway, toLatest }
}
