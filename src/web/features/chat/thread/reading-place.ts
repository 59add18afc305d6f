import type { Place } from '../../../state/stored-session.ts'

// Restores by message: the browser would restore pixels before there is anything to scroll.
history.scrollRestoration = 'manual'

const messagesIn = (thread: HTMLElement) => [...thread.querySelectorAll('.message')]

export function placeIn(thread: HTMLElement): Place {
  const places = messagesIn(thread).map((element) => element.getBoundingClientRect())
  const message = places.findIndex(({ bottom }) => bottom > 0)
  return message < 0 ? null : { message, top: places[message]?.top ?? 0 }
}

export function scrollToPlace(thread: HTMLElement, place: NonNullable<Place>): void {
  const message = messagesIn(thread)[place.message]
  if (message) scrollBy(0, message.getBoundingClientRect().top - place.top)
}
