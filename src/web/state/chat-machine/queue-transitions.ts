import { type Answer, newSession, promptMessage, unsentIn } from '../chat-session.ts'
import type { QueueEvent } from './chat-event.ts'
import type { ChatState, PromptQueue } from './chat-state.ts'
import { repeat } from './request-transitions.ts'
import { abandonWork, chain, type Step, step, withSession } from './step.ts'

type Of<Type extends QueueEvent['type']> = Extract<QueueEvent, { type: Type }>

/** From here on prompts that can't be sent offline are stored, and sent when the network is back. */
export function enableQueue(state: ChatState): Step {
  if (state.queue.isEnabled) return step(state)
  const enabled = withQueue(state, { isEnabled: true })
  return canSearch(enabled) ? search(withQueue(enabled, { flushesAfterSearch: true })) : flush(enabled)
}

export function restoreNetwork(state: ChatState): Step {
  const { isEnabled, flushesAfterSearch } = state.queue
  return isEnabled && !flushesAfterSearch ? flush(state) : step(state)
}

/** Shows the queued prompt of the open chat. One that began a chat stands in place of a new chat. */
export function showQueued(state: ChatState, { key, found }: Of<'queue-searched'>): Step {
  if (!state.queue.isEnabled) return step(state)
  const isWanted = found !== null && (state.session?.key ?? null) === key && isShowing(state)
  const shown = isWanted ? show(state, found) : step(state)
  if (!isWanted && !state.queue.flushesAfterSearch) return shown
  return chain(shown, (next) => flush(withQueue(next, { flushesAfterSearch: false })))
}

function show(state: ChatState, { unsent, session: key, files }: NonNullable<Of<'queue-searched'>['found']>): Step {
  const message = promptMessage(unsent.id, unsent.prompt, files)
  const answer: Answer = { status: 'rejected', code: 'waiting', retry: unsent }
  const session = state.session
    ? { ...state.session, messages: [...state.session.messages, message], answer }
    : newSession(key, message, answer)
  // Requests for the session that are still repeated would interfere.
  return chain(abandonWork(state), (next) => step({ ...withQueue(next, { shown: { id: unsent.id, session: key } }), session }))
}

/** The browser has stored a prompt, which may have been withdrawn meanwhile. */
export function confirmQueued(state: ChatState, { id }: Of<'prompt-queued'>): Step {
  const unsent = unsentIn(state.session)
  if (unsent?.id !== id) return step(state, { type: 'remove-queued-prompt', id })
  if (state.session?.answer.status !== 'rejected') return step(state)
  return step(withSession(state, () => ({ answer: { status: 'rejected', code: 'waiting', retry: unsent } })))
}

/** The prompts of other chats are sent: sends that of the open chat. */
export function endFlush(state: ChatState, { isOnline }: Of<'queue-flushed'>): Step {
  if (!state.queue.isFlushing) return step(state)
  const idle = withQueue(state, { isFlushing: false })
  const answer = state.session?.answer
  const isWaiting = answer?.status === 'rejected' && answer.code === 'waiting'
  return isOnline && isWaiting ? repeat(idle, answer.retry, true) : step(idle)
}

/** What a change of the chat means for the queue: stores, removes and searches for its prompt. */
export function followChat(before: ChatState, after: ChatState): Step {
  if (!after.queue.isEnabled) return step(after)
  return chain(
    chain(releaseShown(after), (next) => storeRefused(before, next)),
    (next) => (canSearch(next) && !isSameSearch(before, next) ? search(next) : step(next)),
  )
}

/** Removes a prompt that was sent or withdrawn. A chat that was left keeps its prompt in the queue. */
function releaseShown(state: ChatState): Step {
  const { session, queue } = state
  if (!queue.shown) return step(state)
  const { id, session: key } = queue.shown
  if (session && unsentIn(session)?.id === id)
    return step(session.key === key ? state : withQueue(state, { shown: { id, session: session.key } }))
  const released = withQueue(state, { shown: null })
  return session?.key === key ? step(released, { type: 'remove-queued-prompt', id }) : step(released)
}

function storeRefused(before: ChatState, state: ChatState): Step {
  const { session } = state
  const unsent = unsentIn(session)
  if (!session || !unsent || session.isTemporary || session.answer === before.session?.answer) return step(state)
  if (session.answer.status !== 'rejected' || session.answer.code !== 'offline') return step(state)
  const stored = withQueue(state, { shown: { id: unsent.id, session: session.key } })
  return step(stored, { type: 'store-queued-prompt', session, unsent })
}

function search(state: ChatState): Step {
  const { session, queue } = state
  const searching = withQueue(state, { hasRestoredNewChat: queue.hasRestoredNewChat || !session })
  return step(searching, { type: 'search-queue', key: session?.key ?? null })
}

/** Sends the queued prompts of other chats; `endFlush` sends that of the open chat. */
function flush(state: ChatState): Step {
  if (state.queue.isFlushing) return step(state)
  return step(withQueue(state, { isFlushing: true }), { type: 'flush-queue', exceptId: state.queue.shown?.id })
}

const canSearch = (state: ChatState): boolean => isShowing(state) && !(state.session === null && state.queue.hasRestoredNewChat)

/** Whether all is shown that there is to show for now: no answer is pending, or the server can't be reached and a cached session is shown. */
function isShowing({ session, work }: ChatState): boolean {
  if (!session || session.answer.status === 'none') return true
  const isUnreachable = work.kind === 'loading' && work.failures > 0
  return session.answer.status === 'opening' && session.messages.length > 0 && isUnreachable
}

const isSameSearch = (before: ChatState, after: ChatState): boolean => isShowing(before) && before.session?.key === after.session?.key

const withQueue = (state: ChatState, change: Partial<PromptQueue>): ChatState => ({ ...state, queue: { ...state.queue, ...change } })
