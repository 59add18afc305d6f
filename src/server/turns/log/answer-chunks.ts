import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { Agent, AnswerRequest } from '../../answering/agents/agent.ts'
import type { FixedReply } from '../../replies/agent-policy.ts'
import { languageOf } from '../../language.ts'
import type { AskedPrompt } from '../../replies/routing/model-verdict.ts'
import type { EmergencyKind } from '../../safety/emergency/kinds.ts'
import { bufferedAnswer } from '../buffered-answer.ts'
import { citationMetadata } from '../../../contract/chat/citation.ts'

/** The chunks of a reply that no model writes. */
export async function* fixedAnswer(
  { kind, text, state, approved }: FixedReply,
  onState: (state: AnswerState) => void,
): AsyncGenerator<ChatChunk, void, undefined> {
  onState(state)
  yield { type: 'message-metadata', messageMetadata: { fixedReply: kind, ...(approved && { approvedOn: approved.approvedOn }) } }
  yield { type: 'text-start', id: 'reply' }
  yield { type: 'text-delta', id: 'reply', delta: text }
  yield { type: 'text-end', id: 'reply' }
  if (approved) yield sourceOf(approved)
}

function sourceOf({ source: { title, url }, file, approvedOn }: NonNullable<FixedReply['approved']>): ChatChunk {
  const providerMetadata = citationMetadata({ breadcrumb: title, quote: '', asOf: approvedOn, address: url })
  return { type: 'source-document', sourceId: '1', mediaType: 'text/markdown', title, filename: file, providerMetadata }
}

/** Source of the answer: a fixed reply, or the agent, unless the verdict replaces its answer. */
export interface AnswerSource {
  reply: FixedReply | null
  /** A model's verdict whether a fixed reply answers instead of the agent; undefined if none is asked for. Must not reject. */
  verdict: Promise<FixedReply | null> | undefined
  asked: AskedPrompt
  onState: (state: AnswerState) => void
  /** Called if the verdict is a fixed reply, or the model declares an emergency. */
  onReplaced?: () => void
}

/** Chunks of the fixed reply, or of the agent while the verdict is awaited. A declared emergency ends the answer; its reply follows. */
export async function* answerChunks(
  agent: Pick<Agent, 'run' | 'policy'>,
  request: AnswerRequest,
  { reply, verdict, asked, onState, onReplaced }: AnswerSource,
): AsyncGenerator<ChatChunk, void, undefined> {
  if (reply) return yield* fixedAnswer(reply, onState)
  let declared: EmergencyKind | undefined
  const onEmergency = (kind: EmergencyKind) => (declared = kind)
  let replacement: FixedReply | null = null
  if (!verdict) yield* agent.run({ ...request, onState, onEmergency })
  else {
    const dropping = new AbortController()
    const signal = AbortSignal.any([request.signal, dropping.signal])
    const replaces = verdict.then((decided) => decided !== null)
    const answer = agent.run({ ...request, onState, onEmergency, signal, admission: replaces })
    yield* bufferedAnswer(answer, { replaces, abort: () => dropping.abort() })
    replacement = await verdict
  }
  if (declared) replacement ??= agent.policy.emergencyReply(declared, languageOf(asked.prompt, asked.languages))
  if (!replacement) return
  onReplaced?.()
  yield* fixedAnswer(replacement, onState)
}
