import { textOf } from '../../../contract/chat/message-text.ts'
import type { ChatSession } from '../chat-session.ts'
import type { ChatEffect } from './chat-effect.ts'
import type { Of, WorkReport } from './chat-event.ts'
import type { ChatState, Following, Requesting } from './chat-state.ts'
import { showRejection, rejectRequest } from './request-transitions.ts'
import { reloadSession } from './session-transitions.ts'
import { chain, discardTemporary, type Step, step, withSession } from './step.ts'

/** The first chunk of an answer: the server has the prompt, and names session and turn. */
export function beginAnswer(state: ChatState, { turn, promptId, sessionId }: Of<WorkReport, 'answer-begun'>): Step {
  const { work, session } = state
  if ((work.kind !== 'requesting' && work.kind !== 'following') || !session) return step(state)
  const following = followingOf(work, turn)
  const key = sessionId ?? session.key
  const begun = withSession({ ...state, work: following }, (shown) => ({ key, messages: withPromptId(shown, promptId) }))
  const effects: ChatEffect[] = key === session.key ? [] : [{ type: 'move-draft', from: session.key, to: key }]
  const isPrompt = work.kind === 'requesting' && work.request.kind === 'prompt'
  if (isPrompt) effects.push({ type: 'report-accepted', key })
  if (work.kind === 'requesting' && work.isStopRequested && following.turn) effects.push({ type: 'stop-turn', turn: following.turn })
  return step({ ...begun, temporaryKey: isPrompt && session.isTemporary ? key : state.temporaryKey }, ...effects)
}

function followingOf(work: Requesting | Following, turn: string | undefined): Following {
  if (work.kind === 'following') return { ...work, turn: turn ?? work.turn }
  const { request } = work
  const retry = request.kind === 'prompt' ? request.unsent : { turn: turn ?? '', how: 'retry' as const }
  const reloadsAtEnd = request.kind === 'prompt' ? request.unsent.edits !== undefined : request.kind === 'regenerate'
  return { kind: 'following', turn, retry, reloadsAtEnd, shownCharacters: 0 }
}

function withPromptId({ messages }: ChatSession, id: string | undefined): ChatSession['messages'] {
  const index = messages.findLastIndex(({ role }) => role === 'user')
  const prompt = messages[index]
  return prompt && id !== undefined && prompt.id !== id ? messages.with(index, { ...prompt, id }) : messages
}

/** Shows the answer so far. A stream that starts over is not shown until it has caught up. */
export function growAnswer(state: ChatState, { message }: Of<WorkReport, 'answer-progressed'>): Step {
  const { work } = state
  if (work.kind !== 'following' || textOf(message).length < work.shownCharacters) return step(state)
  const grown = withSession(state, ({ answer }) => ({
    answer: {
      status: 'answering',
      turn: work.turn,
      message,
      connection: answer.status === 'answering' ? answer.connection : 'live',
    },
  }))
  return step({ ...grown, work: { ...work, shownCharacters: 0 } })
}

export function changeConnection(state: ChatState, { connection }: Of<WorkReport, 'connection-changed'>): Step {
  const { work, session } = state
  if (work.kind !== 'following' || session?.answer.status !== 'answering') return step(state)
  const { answer } = session
  const changed = withSession(state, () => ({ answer: { ...answer, connection } }))
  return step({ ...changed, work: { ...work, shownCharacters: textOf(answer.message).length } })
}

export function endAnswer(state: ChatState, { message }: Of<WorkReport, 'answer-ended'>): Step {
  const { work } = state
  if (work.kind !== 'following' && work.kind !== 'requesting') return step(state)
  const { reloadsAtEnd } = followingOf(work, undefined)
  const ended = withSession({ ...state, work: { kind: 'idle' } }, ({ messages }) => ({
    messages: [...messages, message],
    answer: { status: 'none' },
  }))
  const settled = chain(discardTemporary(ended), (next) => step(next, { type: 'store-session' }, { type: 'report-ended', message }))
  return reloadsAtEnd ? chain(settled, reloadSession) : settled
}

/** There is no answer, or it can't be followed any more. The stored session says how a turn came out, unless it was lost twice. */
export function rejectAnswer(state: ChatState, rejection: Of<WorkReport, 'answer-rejected'>): Step {
  const { work, session } = state
  if (work.kind === 'requesting') return rejectRequest(state, work, rejection)
  if (work.kind !== 'following') return step(state)
  const wasLost = work.turn !== undefined && work.turn === state.lostTurn
  const lost = { ...state, lostTurn: work.turn ?? null }
  return wasLost || session?.isTemporary ? showRejection(lost, rejection, work.retry) : reloadSession(lost)
}
