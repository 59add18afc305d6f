import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import type { MessagePage } from '../../contract/chat/sessions.ts'
import { fetchEarlierUntil } from '../api/history-calls.ts'
import { chooseBranch } from '../api/message-calls.ts'
import { PLACE_SHOWN } from '../features/chat/thread/use-latest.ts'
import { openSession } from '../features/chat/chat-actions.ts'
import { t } from '../../ui/language/translate.ts'
import { chatEvents, useApplication } from '../state/application-store.ts'
import type { ChatSession } from '../state/chat-session.ts'
import type { FoundPlace } from '../state/search-position.ts'
import { highlightText } from '../../ui/highlight-text.ts'
import { notify } from '../../ui/notification.tsx'
import './found-message.css'

/** Maximum wait for a chat to open. */
const OPENS_WITHIN_MS = 15_000
/** Scrolls this often, because rendering for the first time shifts the layout. */
const STEADYING_FRAMES = 3

/** Scrolls to a search hit, loading messages as needed, and highlights the words. */
export async function showFound(place: FoundPlace): Promise<void> {
  const session = await opened(place.session)
  if (!session) return
  const index = await indexOf(place, session)
  if (index < 0) {
    notify({ message: t('This message is no longer available.') })
    return
  }
  await nextFrame()
  const message = document.querySelectorAll<HTMLElement>('.thread .message')[index]
  if (!message) return
  const target = highlightText(message, place.words) ?? message
  for (const other of document.querySelectorAll('.message.found')) other.classList.remove('found')
  message.classList.add('found')
  message.tabIndex = -1
  message.focus({ preventScroll: true })
  for (let frame = 0; frame < STEADYING_FRAMES; frame += 1) {
    // Before the layout grows, which would scroll to the end.
    dispatchEvent(new Event(PLACE_SHOWN))
    target.scrollIntoView({ block: 'center', behavior: 'instant' })
    await nextFrame()
  }
}

/** Index of the message among those that are shown, after loading it; -1 if it does not exist. */
async function indexOf(place: FoundPlace, session: ChatSession): Promise<number> {
  const shown = indexIn(session.messages, place)
  if (shown >= 0) return shown
  if (session.earlier) {
    const before = session.earlier
    const outcome = await fetchEarlierUntil(place.session, before, place.message)
    if (outcome.ok) prependMessages(place.session, before, outcome.value)
    const found = indexIn(messagesOf(place.session), place)
    if (found >= 0) return found
  }
  // The message is on another branch.
  const outcome = await chooseBranch(place.session, place.message)
  if (!outcome.ok) return -1
  openSession(place.session)
  // A session from this tab's storage may be of another version; only a received one has `updatedAt`.
  const again = await opened(place.session, ({ updatedAt }) => updatedAt !== undefined)
  if (again?.earlier && indexIn(again.messages, place) < 0) {
    const earlier = await fetchEarlierUntil(place.session, again.earlier, place.message)
    if (earlier.ok) prependMessages(place.session, again.earlier, earlier.value)
  }
  return indexIn(messagesOf(place.session), place)
}

/** Finds a prompt with an id of the page's by its words. */
function indexIn(messages: ChatMessage[], { message, words }: FoundPlace): number {
  const index = messages.findIndex(({ id }) => id === message)
  if (index >= 0) return index
  return messages.findIndex((other) => other.id.includes('-') && words.every((word) => textOf(other).includes(word)))
}

function messagesOf(key: string): ChatMessage[] {
  const session = useApplication.getState().currentSession
  return session?.key === key ? session.messages : []
}

const prependMessages = (key: string, before: string, page: MessagePage): void =>
  chatEvents.dispatch({ type: 'earlier-received', key, before, page })

/** The session, once it is open with its messages, and `isReady` accepts it; `null` if that takes too long. */
function opened(key: string, isReady: (session: ChatSession) => boolean = () => true): Promise<ChatSession | null> {
  return new Promise((resolve) => {
    const end = (session: ChatSession | null) => {
      clearTimeout(timer)
      unsubscribe()
      resolve(session)
    }
    const timer = setTimeout(() => end(null), OPENS_WITHIN_MS)
    const check = ({ currentSession: session }: { currentSession: ChatSession | null }) => {
      if (session?.key !== key || session.answer.status === 'opening') return
      if (session.answer.status === 'unavailable') end(null)
      else if (isReady(session)) end(session)
    }
    const unsubscribe = useApplication.subscribe(check)
    check(useApplication.getState())
  })
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
