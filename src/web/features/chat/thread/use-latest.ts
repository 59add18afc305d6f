import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Nearer to the end than this counts as being there, in CSS pixels. */
const AT_END_PX = 8
/** Further from the end than this, a way back is offered. */
const AWAY_PX = 200

const scrollToEnd = () => scrollTo(0, document.documentElement.scrollHeight)
const distanceToEnd = () => document.documentElement.scrollHeight - innerHeight - scrollY

interface Latest {
  /** Whether to offer the way back to the end. */
  isAway: boolean
  toLatest(): void
  /** Stops keeping the end in view, as if the reader had scrolled up. */
  letGo(): void
  isHeld(): boolean
}

/**
 * Keeps the page's end in view while `thread` grows, if the reader is there. Scrolling up lets go, and unfolding something in it;
 * coming back to the end, or `toLatest`, takes hold again. What has no messages, an empty chat, is read from its beginning instead.
 */
export function useLatest(thread: RefObject<HTMLElement | null>, hasMessages: boolean): Latest {
  const holds = useRef(true)
  const [isAway, setIsAway] = useState(false)
  const toLatest = useCallback(() => {
    holds.current = true
    setIsAway(false)
    scrollToEnd()
  }, [])
  const letGo = useCallback(() => {
    holds.current = false
  }, [])
  const isHeld = useCallback(() => holds.current, [])
  useEffect(() => {
    const element = thread.current
    if (!element) return
    if (!hasMessages) {
      scrollTo(0, 0)
      return
    }
    let lastY = scrollY
    const onScroll = () => {
      const isUp = scrollY < lastY
      lastY = scrollY
      // Followed to the end, with every piece of an answer: to measure that costs more than all else here.
      if (holds.current && !isUp) return
      holds.current = distanceToEnd() < AT_END_PX
      setIsAway(distanceToEnd() > AWAY_PX)
    }
    const grown = new ResizeObserver(() => {
      if (holds.current) scrollToEnd()
      else setIsAway(distanceToEnd() > AWAY_PX)
    })
    // What the reader unfolds is read from its beginning.
    const onClick = ({ target }: MouseEvent) => {
      if ((target as Element).closest('summary, [aria-expanded]')) letGo()
    }
    addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('click', onClick)
    // What stands below the thread may grow, too.
    grown.observe(element.parentElement ?? element)
    return () => {
      removeEventListener('scroll', onScroll)
      element.removeEventListener('click', onClick)
      grown.disconnect()
    }
  }, [thread, toLatest, letGo, hasMessages])
  return { isAway: isAway && hasMessages, toLatest, letGo, isHeld }
}
