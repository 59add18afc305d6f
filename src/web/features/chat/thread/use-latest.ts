import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useApplication } from '../../../state/application-store.ts'

// The browser would restore pixels before there is anything to scroll.
history.scrollRestoration = 'manual'

/** Distance to the end that counts as being there, in CSS pixels. */
const AT_END_PX = 8
/** Distance to the end from which on a way back is offered. */
const AWAY_PX = 200

/** Events by which a reader scrolls, and how long a scroll may come after one. */
const INPUTS = ['wheel', 'touchmove', 'keydown', 'mousedown'] as const
const INPUT_MS = 1_000

const scrollToEnd = () => scrollTo(0, document.documentElement.scrollHeight)
const distanceToEnd = () => document.documentElement.scrollHeight - innerHeight - scrollY

interface Latest {
  /** Whether to offer the way back to the end. */
  isAway: boolean
  toLatest(): void
  /** Shows the newest prompt at the top of the view; its answer grows below and is not followed. */
  toPrompt(): void
  /** Stops following the end, as if the reader had scrolled up. */
  unpin(): void
}

/**
 * Keeps the page's end in view while the thread grows, if the reader is there. Scrolling up, expanding something or a new prompt unpins the
 * view; scrolling to the end of an answer that fills the view, or `toLatest`, pins it again. Another chat opens at its end, an empty one at
 * its top.
 */
export function useLatest(threadRef: RefObject<HTMLElement | null>, hasMessages: boolean): Latest {
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
  const toPrompt = useCallback(() => {
    pinned.current = false
    if (threadRef.current && showNewestPrompt(threadRef.current)) setIsAway(false)
  }, [threadRef])
  const reset = useCallback(() => {
    pinned.current = true
    if (threadRef.current) threadRef.current.style.minHeight = ''
  }, [threadRef])
  useEffect(
    () =>
      useApplication.subscribe(({ currentSession: next }, { currentSession: left }) => {
        // A chat that the server gave another key stays where it is.
        if (next?.key !== left?.key && next?.answer.status === 'opening') reset()
      }),
    [reset],
  )
  useEffect(() => {
    const element = threadRef.current
    if (!element) return
    if (!hasMessages) {
      reset()
      scrollTo(0, 0)
      return
    }
    let lastY = scrollY
    let inputAt = Number.NEGATIVE_INFINITY
    const onInput = ({ type, target }: Event) => {
      // Of clicks, only those on the scroll bar scroll.
      if (type !== 'mousedown' || target === document.documentElement) inputAt = performance.now()
    }
    const onScroll = () => {
      // Where something above the end goes away, the browser scrolls up by itself.
      const isUp = scrollY < lastY && performance.now() - inputAt < INPUT_MS
      lastY = scrollY
      if (isUp) inputAt = performance.now()
      // Called with every piece of an answer: measuring here would cost more than everything else.
      if (pinned.current && !isUp) return
      // At the top of a short answer, the view is at the page's end without following it.
      pinned.current = distanceToEnd() < AT_END_PX && !hasRoom(element)
      setIsAway(distanceToEnd() > AWAY_PX)
    }
    const grown = new ResizeObserver(() => {
      if (pinned.current) scrollToEnd()
      else setIsAway(distanceToEnd() > AWAY_PX)
    })
    // What the reader expands is read from its top, and a footnote where it stands.
    const onClick = ({ target }: MouseEvent) => {
      if ((target as Element).closest('summary, [aria-expanded], .footnote-mark')) unpin()
    }
    for (const input of INPUTS) addEventListener(input, onInput, { passive: true })
    addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('click', onClick)
    // Elements below the thread may grow, too.
    grown.observe(element.parentElement ?? element)
    return () => {
      for (const input of INPUTS) removeEventListener(input, onInput)
      removeEventListener('scroll', onScroll)
      element.removeEventListener('click', onClick)
      grown.disconnect()
    }
  }, [threadRef, toLatest, unpin, reset, hasMessages])
  return { isAway: isAway && hasMessages, toLatest, toPrompt, unpin }
}

/** Distance between the top of the view and a prompt there, in CSS pixels. */
const GAP_PX = 16
/** Share of the view that a long prompt leaves to its answer. */
const LEFT_TO_ANSWER = 0.6

/** Scrolls the newest prompt to the top of the view, with room for its answer below. Returns false if there is no prompt. */
function showNewestPrompt(thread: HTMLElement): boolean {
  const prompt = [...thread.querySelectorAll<HTMLElement>('.human')].at(-1)
  if (!prompt) return false
  const page = document.documentElement
  const top = coveredAbove() + GAP_PX
  const visible = innerHeight - top - dockHeight(thread)
  // A prompt that would fill the view shows its end.
  const hidden = Math.max(0, prompt.offsetHeight - visible * (1 - LEFT_TO_ANSWER))
  const box = thread.getBoundingClientRect()
  const start = prompt.getBoundingClientRect().top - box.top + hidden
  const below = page.scrollHeight - (box.bottom + scrollY)
  thread.style.minHeight = `${Math.max(0, start + innerHeight - top - below)}px`
  scrollBy(0, prompt.getBoundingClientRect().top + hidden - top)
  return true
}

/** Whether the thread ends with room that no message fills yet. */
function hasRoom(thread: HTMLElement): boolean {
  return thread.style.minHeight !== '' && thread.offsetHeight <= Math.ceil(Number.parseFloat(thread.style.minHeight))
}

/** The bar stays at the top of the view, except at high zoom. */
function coveredAbove(): number {
  const bar = document.querySelector<HTMLElement>('.bar')
  return bar && getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0
}

function dockHeight({ nextElementSibling: dock }: HTMLElement): number {
  return dock instanceof HTMLElement ? dock.offsetHeight : 0
}
