import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useApplication } from '../../../state/application-store.ts'
import type { Place } from '../../../state/stored-session.ts'
import { placeIn, scrollToPlace } from './reading-place.ts'

/** Chats whose reading places this page remembers: those left last. */
const MAX_PLACES = 50

interface ReadingView {
  thread: RefObject<HTMLElement | null>
  /** Whether the messages are on the page. */
  isShown: boolean
  /** The place from before a reload, by session key. */
  restored: { session: string | undefined; place: Place } | null
  isPinned(): boolean
  unpin(): void
  reset(): void
}

/** Opens a chat that was read before where the visitor left it, and any other at its end. */
export function useReadingPlaces({ thread, isShown, restored, isPinned, unpin, reset }: ReadingView): void {
  const places = useRef(new Map<string, Place>(restored?.session === undefined ? [] : [[restored.session, restored.place]]))
  const opened = useRef(restored)
  useEffect(
    () =>
      useApplication.subscribe(({ currentSession: next }, { currentSession: left }) => {
        if (next?.key === left?.key) return
        // The page still shows the chat that is being left.
        if (left && thread.current) remember(places.current, left.key, isPinned() ? null : placeIn(thread.current))
        // A chat that the server gave another key stays where it is.
        if (next?.answer.status !== 'opening') return
        reset()
        opened.current = { session: next.key, place: places.current.get(next.key) ?? null }
      }),
    [thread, isPinned, reset],
  )
  useLayoutEffect(() => {
    if (!isShown || !thread.current) return
    const place = opened.current?.session === useApplication.getState().currentSession?.key ? opened.current?.place : null
    opened.current = null
    if (!place) return
    unpin()
    scrollToPlace(thread.current, place)
  })
}

function remember(places: Map<string, Place>, key: string, place: Place): void {
  places.delete(key)
  places.set(key, place)
  const [oldest] = places.keys()
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest)
}
