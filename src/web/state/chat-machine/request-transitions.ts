import type { ChatMessage } from '../../../contract/chat/message.ts'
import { filesOf } from '../../../contract/chat/parts/file.ts'
import type { FailureCode } from '../../api/failure.ts'
import {
  type Answer,
  type ChatSession,
  type FailedPrompt,
  isAnswerPending,
  newSession,
  EMPTY_ANSWER,
  promptMessage,
  type Retry,
  type Unsent,
  unsentOf,
} from '../chat-session.ts'
import { NEW_CHAT } from '../drafts.ts'
import type { Of, VisitorEvent, WorkReport } from './chat-event.ts'
import { failedPrompt, moveFailedPrompt, withoutFailed } from './failed-prompts.ts'
import type { AnswerRequest, ChatState, Requesting } from './chat-state.ts'
import { followTurn, reloadSession, returnPrompt } from './session-transitions.ts'
import { abandonWork, chain, type Step, step, withSession } from './step.ts'

/** How often a prompt is sent that gets no reply. */
const MAX_ATTEMPTS = 3

/** The chat has changed elsewhere: it is shown as it is. */
const SETTLED_ELSEWHERE: FailureCode[] = ['session_busy', 'not_retryable', 'approval_gone']

export function submitPrompt(state: ChatState, event: Of<VisitorEvent, 'prompt-submitted'>): Step {
  if (isAnswerPending(state.session)) return step(state)
  const { key, id, prompt, files, isTemporary } = event
  const message = promptMessage(id, prompt, files)
  const unsent = unsentOf(message)
  const answer = sending(unsent)
  return chain(abandonWork(state), (next) => {
    const shown = next.session
      ? step(withSession(next, (session) => appended(session, message, answer)))
      : step(
          { ...next, session: { ...newSession(key, message, answer), ...(isTemporary && { isTemporary }) } },
          { type: 'move-draft', from: NEW_CHAT, to: key },
        )
    return chain(shown, (ready) => request(ready, promptRequest(unsent)))
  })
}

/** The session with another prompt at its end. A refused one before it stays at its place. */
function appended(session: ChatSession, message: ChatMessage, answer: Answer): Partial<ChatSession> {
  const rest = moveFailedPrompt(session)
  return { ...rest, messages: [...(rest.messages ?? session.messages), message], answer }
}

/** Begins another version of the chat with an edited prompt. The earlier one stays beside it. */
export function submitEdit(state: ChatState, { id, edits, prompt }: Of<VisitorEvent, 'edit-submitted'>): Step {
  const index = indexOf(state, edits)
  if (index < 0) return step(state)
  const message = promptMessage(id, prompt, filesOf(state.session!.messages[index]!))
  const unsent = { ...unsentOf(message), edits }
  return chain(branch(state, index, [message], sending(unsent)), (next) => request(next, promptRequest(unsent)))
}

/** Begins another version of an answer. The earlier one, and what followed it, stay beside it. */
export function regenerate(state: ChatState, { id, answer }: Of<VisitorEvent, 'regenerate-requested'>): Step {
  const index = indexOf(state, answer)
  if (index < 0) return step(state)
  const prompt = state.session!.messages.slice(0, index).findLastIndex(({ role }) => role === 'user')
  return chain(branch(state, prompt + 1, [], sending(null)), (next) => request(next, { kind: 'regenerate', answer, id }))
}

/** Index of a message of which another version can be requested; -1 if none. */
const indexOf = ({ session }: ChatState, id: string): number =>
  session && !isAnswerPending(session) ? session.messages.findIndex((message) => message.id === id) : -1

const branch = (state: ChatState, count: number, added: ChatMessage[], answer: Answer): Step =>
  chain(abandonWork(state), (next) =>
    step(withSession(next, ({ messages }) => ({ messages: [...messages.slice(0, count), ...added], answer }))),
  )

/** Makes a request again that failed, or continues an answer. */
export function retry(state: ChatState, { id, retry: wanted }: Of<VisitorEvent, 'retry-requested'>): Step {
  const { session } = state
  if (session?.answer.status !== 'none' && session?.answer.status !== 'rejected') return step(state)
  const failed = 'prompt' in wanted && failedPrompt(session, wanted.id)
  if (failed) return resend(state, failed)
  // The server no longer has the turn of a temporary chat: its prompt is resent.
  return repeat(state, session.isTemporary && 'turn' in wanted ? lastPrompt(session, id) : wanted)
}

/** Sends a failed prompt that others follow: it moves to the end of the chat. */
function resend(state: ChatState, failed: FailedPrompt): Step {
  const { message, unsent } = failed
  return chain(abandonWork(state), (next) => {
    const moved = withSession(next, (session) => {
      const rest = { ...session, ...withoutFailed(session, failed) }
      return { failed: rest.failed, ...appended(rest, message, sending(unsent)) }
    })
    return request(moved, promptRequest(unsent))
  })
}

function repeat(state: ChatState, wanted: Retry): Step {
  const isPrompt = 'prompt' in wanted
  const keepsAnswer = !isPrompt && wanted.how !== 'retry'
  return chain(abandonWork(state), (next) => {
    const answer = sending(isPrompt ? wanted : null)
    const shown = withSession(next, ({ messages }) => ({ messages: keepsAnswer ? messages : withoutLastAnswer(messages), answer }))
    return request(shown, isPrompt ? promptRequest(wanted) : { kind: 'repeat', again: wanted })
  })
}

function lastPrompt({ messages }: ChatSession, id: string): Unsent {
  const message = messages.findLast(({ role }) => role === 'user')
  return { ...(message ? unsentOf(message) : { prompt: '' }), id }
}

const sending = (unsent: Unsent | null): Answer => ({ status: 'sending', unsent })

const promptRequest = (unsent: Unsent): AnswerRequest => ({ kind: 'prompt', unsent })

/** Without what follows the last prompt: several messages if the answer was continued. */
const withoutLastAnswer = (messages: ChatMessage[]): ChatMessage[] =>
  messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1)

function request(state: ChatState, wanted: AnswerRequest): Step {
  const work: Requesting = {
    kind: 'requesting',
    request: wanted,
    attempt: 1,
    isStopRequested: false,
  }
  const requesting = { ...state, work }
  if (wanted.kind === 'repeat') return step(requesting, { type: 'repeat-turn', again: wanted.again })
  if (wanted.kind === 'regenerate') {
    const { answer, id } = wanted
    return step(requesting, { type: 'regenerate-answer', key: state.session?.key ?? '', answer, id })
  }
  return post(state, work, wanted.unsent)
}

function post(state: ChatState, work: Requesting, unsent: Unsent): Step {
  const { key = '', isTemporary = false } = state.session ?? {}
  return step({ ...state, work }, { type: 'post-prompt', key, unsent, isTemporary, failures: work.attempt - 1 })
}

export const showProof = (state: ChatState): Step =>
  state.work.kind === 'requesting'
    ? step(withSession(state, ({ answer }) => (answer.status === 'sending' ? { answer: { ...answer, isProving: true } } : {})))
    : step(state)

/** The server answers a stored prompt again: follows the new turn. */
export function acceptTurn(state: ChatState, { turn }: Of<WorkReport, 'turn-accepted'>): Step {
  const { work } = state
  if (work.kind !== 'requesting' || work.request.kind === 'prompt') return step(state)
  const isVersion = work.request.kind === 'regenerate'
  const stops = work.isStopRequested ? [{ type: 'stop-turn' as const, turn }] : []
  const streaming: Answer = { status: 'answering', turn, message: EMPTY_ANSWER, connection: 'live' }
  const accepted = withSession(state, () => ({ answer: streaming }))
  return chain(step(accepted, ...stops), (next) => followTurn(next, turn, isVersion))
}

/** Stops the answer; as soon as its turn is known, or takes the prompt back while the server does not have it. */
export function stop(state: ChatState): Step {
  const { work } = state
  if (work.kind === 'following') return work.turn === undefined ? step(state) : step(state, { type: 'stop-turn', turn: work.turn })
  if (work.kind === 'loading') return step({ ...state, work: { ...work, isStopRequested: true } })
  if (work.kind === 'idle') return step(state)
  return step({ ...state, work: { ...work, isStopRequested: true } }, { type: 'cancel-proof' })
}

/** A request did not become an answer: repeats it where that may help, or shows why. */
export function rejectRequest(state: ChatState, work: Requesting, rejection: Of<WorkReport, 'answer-rejected'>): Step {
  const { request: wanted } = work
  const { code } = rejection
  if (wanted.kind === 'regenerate') return chain(step(state, { type: 'show-error', code }), reloadSession)
  if (wanted.kind === 'repeat')
    return SETTLED_ELSEWHERE.includes(code) ? reloadSession(state) : showRejection(state, rejection, wanted.again)
  const { unsent } = wanted
  if (rejection.isChallenged && work.isStopRequested) return returnPrompt(state)
  if (isUnanswered(code) && work.attempt < MAX_ATTEMPTS) return post(state, { ...work, attempt: work.attempt + 1 }, unsent)
  if (code === 'session_busy') return chain(returnPrompt(state), reloadSession)
  return showRejection({ ...state, lostTurn: null }, rejection, unsent)
}

/** Whether the prompt, or the reply to it, may have been lost. */
const isUnanswered = (code: FailureCode): boolean => code === 'network' || code === 'no_reply'

/** Shows why there is no answer, with the way on. */
export function showRejection(state: ChatState, { code, retryAt }: Of<WorkReport, 'answer-rejected'>, wanted: Retry): Step {
  const refused = withSession(state, () => ({ answer: { status: 'rejected', code, retry: wanted, retryAt } }))
  return step({ ...refused, work: { kind: 'idle' } }, { type: 'report-rejected', code })
}
