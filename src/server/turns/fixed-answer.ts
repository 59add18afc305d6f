import type { AnswerState } from '../../contract/chat/answer-state.ts'
import { citationMetadata } from '../../contract/chat/citation.ts'
import type { ChatChunk } from '../../contract/chat/message.ts'
import type { FixedReply } from '../replies/agent-policy.ts'

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
