import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Distance to the end that counts as being there, in CSS pixels. */
const AT_END_PX = 8
/** Distance to the end from which on a way back is offered. */
const AWAY_PX = 200

const scrollToEnd = () => scrollTo(0, document.documentElement.scrollHeight)
const distanceToEnd = () => document.documentElement.scrollHeight - innerHeight - scrollY

interface Latest {
  /** Whether to offer the way back to the end. */
  isAway: boolean
  toLatest(): void
  /** Stops following the end, as if the reader had scrolled up. */
  unpin(): void
  isPinned(): boolean
}

/**
 * Keeps the page's end in view while `thread` grows, if the reader is there. Scrolling up or expanding something unpins the view; scrolling
 * back to the end, or `toLatest`, pins it again. A chat without messages starts at its top.
 */
export function useLatest(thread: RefObject<HTMLElement | null>, hasMessages: boolean): Latest {
  const pinned = useRef(true)
  const [isAway, setIsAway] = useState(false)
  const toLatest = useCallback(() => {
    pinned.current = true
    setIsAway(false)
    scrollToEnd()
  }, [])
  const unpin = useCallback(() => {
    pinned.current = false
  }, [])
  const isPinned = useCallback(() => pinned.current, [])
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
      // Called with every piece of an answer: measuring here would cost more than everything else.
      if (pinned.current && !isUp) return
      pinned.current = distanceToEnd() < AT_END_PX
      setIsAway(distanceToEnd() > AWAY_PX)
    }
    const grown = new ResizeObserver(() => {
      if (pinned.current) scrollToEnd()
      else setIsAway(distanceToEnd() > AWAY_PX)
    })
    // What the reader expands is read from its top.
    const onClick = ({ target }: MouseEvent) => {
      if ((target as Element).closest('summary, [aria-expanded]')) unpin()
    }
    addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('click', onClick)
    // Elements below the thread may grow, too.
    grown.observe(element.parentElement ?? element)
    return () => {
      removeEventListener('scroll', onScroll)
      element.removeEventListener('click', onClick)
      grown.disconnect()
    }
  }, [thread, toLatest, unpin, hasMessages])
  return { isAway: isAway && hasMessages, toLatest, unpin, isPinned }
}
