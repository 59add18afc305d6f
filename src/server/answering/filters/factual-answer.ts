import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { SupportCheck } from '../facts/support-filter.ts'
import { filterTexts } from './filter-texts.ts'

/** Id of the text part that replies in place of an answer without support. */
const UNSUPPORTED_REPLY = 'unsupported'

/**
 * Leaves out or marks sentences that no source supports. At the end, tells how many there are, and replies if nothing else is left.
 * `support` is `null` to show every sentence.
 */
export async function* factualAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { support, answer }: { support: SupportCheck | null; answer: { isComplete: boolean; awaitsApproval: boolean } },
): AsyncGenerator<ChatChunk, void, undefined> {
  if (!support) return yield* chunks
  yield* filterTexts(chunks, () => support.openFilter())
  if (!answer.isComplete || support.count === 0) return
  yield { type: 'message-metadata', messageMetadata: { unsupportedSentences: support.count } }
  if (!support.isEmpty || answer.awaitsApproval) return
  yield { type: 'text-start', id: UNSUPPORTED_REPLY }
  yield { type: 'text-delta', id: UNSUPPORTED_REPLY, delta: support.emptyReply }
  yield { type: 'text-end', id: UNSUPPORTED_REPLY }
}
