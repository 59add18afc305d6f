import type { Place } from '../../../state/stored-session.ts'

// Where the reader was is found by the message; the browser would go by pixels, before there is anything to scroll.
history.scrollRestoration = 'manual'

const messagesIn = (thread: HTMLElement) => [...thread.querySelectorAll('.message')]

/** Where the reader of `thread` is now. */
export function placeIn(thread: HTMLElement): Place {
  const places = messagesIn(thread).map((element) => element.getBoundingClientRect())
  const message = places.findIndex(({ bottom }) => bottom > 0)
  return message < 0 ? null : { message, top: places[message]?.top ?? 0 }
}

/** Scrolls to where the reader was, if that is still there. */
export function goToPlace(thread: HTMLElement, place: NonNullable<Place>): void {
  const message = messagesIn(thread)[place.message]
  if (message) scrollBy(0, message.getBoundingClientRect().top - place.top)
}
