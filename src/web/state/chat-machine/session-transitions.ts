import type { SessionDetail } from '../../../contract/chat/sessions.ts'
import { type Answer, type ChatSession, type FailedPrompt, isAnswerPending, EMPTY_ANSWER, unsentIn } from '../chat-session.ts'
import { withFeedback, withFeedbackOf, withNewest } from '../message-window.ts'
import type { Of, PageEvent, VisitorEvent, WorkReport } from './chat-event.ts'
import type { ChatEffect } from './chat-effect.ts'
import type { ChatState } from './chat-state.ts'
import { failedPrompt, withoutFailed } from './failed-prompts.ts'
import { abandonWork, chain, discardTemporary, type Step, step, withSession } from './step.ts'

export function openSession(state: ChatState, { key, cached, agent }: Of<VisitorEvent, 'session-opened'>): Step {
  const session: ChatSession = cached ?? { key, title: '', messages: [], answer: { status: 'opening' } }
  const choice: ChatEffect[] = agent === undefined ? [] : [{ type: 'choose-agent', agent }]
  return chain(leaveSession(state), (left) => chain(step({ ...left, session }, ...choice), loadSession))
}

export const closeChat = (state: ChatState): Step => chain(leaveSession(state), (left) => step({ ...left, session: null }))

/** Unlike a chat that is closed, leaves no draft. */
export const withdrawConsent = (state: ChatState): Step => chain(abandonWork(state), (left) => step({ ...left, session: null }))

function leaveSession(state: ChatState): Step {
  const { session } = state
  return session ? chain(step(state, { type: 'save-unsent', session }), abandonWork) : abandonWork(state)
}

/** Fetches the open session, and follows its answer if one is running. */
function loadSession(state: ChatState): Step {
  const { session } = state
  if (!session) return step(state)
  const work = { kind: 'loading', failures: 0, isRated: false, isStopRequested: false } as const
  return step({ ...state, work }, { type: 'fetch-session', key: session.key })
}

export const reloadSession = (state: ChatState): Step => chain(abandonWork(state), loadSession)

/** Reloads the open session if the list has news of it, and nothing would be lost by it. */
export function syncSession(state: ChatState, { key, updatedAt, runningTurn }: Of<PageEvent, 'session-listed'>): Step {
  const { session } = state
  if (session?.key !== key || !isSettled(session.answer)) return step(state)
  const isNews = runningTurn ? runningTurn !== session.messages.at(-1)?.metadata?.turnId : updatedAt !== session.updatedAt
  return isNews ? reloadSession(state) : step(state)
}

/** Whether no request is pending, and no prompt is shown that the server does not have. */
const isSettled = (answer: Answer): boolean => answer.status === 'none' || (answer.status === 'rejected' && 'turn' in answer.retry)

export function receiveSession(state: ChatState, { session }: Of<WorkReport, 'session-received'>): Step {
  if (state.work.kind !== 'loading') return step(state)
  const { isRated, isStopRequested } = state.work
  const turn = session.runningTurn
  const received = withSession(state, (shown) =>
    merge(shown, isRated ? { ...session, messages: withFeedbackOf(shown.messages, session.messages) } : session),
  )
  const effects: ChatEffect[] = [
    { type: 'report-connection', isLost: false },
    { type: 'choose-agent', agent: session.agent },
    { type: 'store-session' },
  ]
  if (!turn) return step({ ...received, work: { kind: 'idle' } }, ...effects)
  if (isStopRequested) effects.push({ type: 'stop-turn', turn })
  return chain(step(received, ...effects), (next) => followTurn(next, turn, false))
}

export function followTurn(state: ChatState, turn: string, reloadsAtEnd: boolean): Step {
  const retry = { turn, how: 'retry' as const }
  return step({ ...state, work: { kind: 'following', turn, retry, reloadsAtEnd, shownCharacters: 0 } }, { type: 'follow-turn', turn })
}

export function failToLoad(state: ChatState, { code, isFinal, limitedForS }: Of<WorkReport, 'session-failed'>): Step {
  const { work, session } = state
  if (work.kind !== 'loading' || !session) return step(state)
  const isUnavailable = isFinal || session.messages.length === 0
  const answer: Answer = isUnavailable ? { status: 'unavailable', code } : session.answer
  const failed = withSession(state, () => ({ answer }))
  if (isFinal) return step({ ...failed, work: { kind: 'idle' } })
  return step(
    { ...failed, work: { ...work, failures: work.failures + 1 } },
    { type: 'report-connection', isLost: true, limitedForS },
    { type: 'fetch-session', key: session.key, pause: { failures: work.failures, leastS: limitedForS } },
  )
}

/** The session as the server has it. Messages that are shown unchanged stay the same objects, and so does a streaming answer. */
function merge(shown: ChatSession, { title, messages, earlier, updatedAt, runningTurn }: SessionDetail): Partial<ChatSession> {
  return {
    title,
    updatedAt,
    ...withNewest({ messages: shown.messages, earlier: shown.earlier ?? null }, { messages, earlier }),
    answer: runningTurn ? answerOf(runningTurn, shown.answer) : { status: 'none' },
  }
}

const answerOf = (turn: string, shown: Answer): Answer =>
  shown.status === 'answering' && shown.turn === turn ? shown : { status: 'answering', turn, message: EMPTY_ANSWER, connection: 'live' }

export const renameSession = (state: ChatState, { key, title }: Of<PageEvent, 'session-renamed'>): Step =>
  changeSession(state, key, () => ({ title }))

/** Ignores a page that no longer precedes what is shown. */
export const prependMessages = (state: ChatState, { key, before, page }: Of<PageEvent, 'earlier-received'>): Step =>
  changeSession(state, key, ({ earlier, messages }) =>
    earlier === before ? { messages: [...page.messages, ...messages], earlier: page.earlier } : {},
  )

export function giveFeedback(state: ChatState, { key, id, feedback }: Of<VisitorEvent, 'feedback-given'>): Step {
  const { work, session } = state
  const rated = work.kind === 'loading' && session?.key === key ? { ...state, work: { ...work, isRated: true } } : state
  return changeSession(rated, key, ({ messages }) => ({
    messages: messages.map((message) => (message.id === id ? withFeedback(message, feedback) : message)),
  }))
}

export function chooseVersion(state: ChatState, { message }: Of<VisitorEvent, 'version-chosen'>): Step {
  const { session } = state
  return session && !isAnswerPending(session) ? step(state, { type: 'choose-version', key: session.key, message }) : step(state)
}

export const showVersion = (state: ChatState, { key }: Of<PageEvent, 'version-settled'>): Step =>
  state.session?.key === key ? reloadSession(state) : step(state)

/** The visitor edits the prompt that was refused: its message leaves the chat for the message box. */
export function withdrawPrompt(state: ChatState, { id }: Of<VisitorEvent, 'prompt-withdrawn'>): Step {
  const { session } = state
  const failed = failedPrompt(session, id)
  if (session && failed) return withdrawFailed(state, session, failed)
  if (id !== undefined) return step(state)
  if (session?.answer.status !== 'rejected' || !('prompt' in session.answer.retry)) return step(state)
  const { code, retry } = session.answer
  // Files that the server no longer has must be attached anew.
  const withdrawn = returnPrompt(state, code !== 'file_unknown')
  // Shows what the prompt was to replace.
  return retry.edits ? chain(withdrawn, reloadSession) : withdrawn
}

function withdrawFailed(state: ChatState, session: ChatSession, failed: FailedPrompt): Step {
  const { unsent, code, message } = failed
  const files = code === 'file_unknown' ? undefined : message
  const withdrawn = withSession(state, (shown) => withoutFailed(shown, failed))
  return step(withdrawn, { type: 'restore-draft', key: session.key, unsent, message: files })
}

/** Moves the unsent prompt back into the message box. */
export function returnPrompt(state: ChatState, hasFiles = true): Step {
  const { session } = state
  const unsent = unsentIn(session)
  if (!session || !unsent) return step(state)
  const message = hasFiles ? session.messages.at(-1) : undefined
  const returned = withSession(state, ({ messages }) => ({ messages: messages.slice(0, -1), answer: { status: 'none' } }))
  return step({ ...returned, work: { kind: 'idle' } }, { type: 'restore-draft', key: session.key, unsent, message })
}

export const leavePage = (state: ChatState): Step => discardTemporary(state)

function changeSession(state: ChatState, key: string, change: (session: ChatSession) => Partial<ChatSession>): Step {
  return step(state.session?.key === key ? withSession(state, change) : state)
}
