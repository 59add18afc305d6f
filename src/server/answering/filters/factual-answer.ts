import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { CompleteState } from '../../../contract/chat/answer-state.ts'
import type { SupportCheck } from '../facts/support-filter.ts'
import { filterTexts } from './filter-texts.ts'

/** Id of the text part that replies in place of an answer without support. */
const UNSUPPORTED_REPLY = 'unsupported'

interface FactualAnswerParts {
  /** `null` to show every sentence. */
  support: SupportCheck | null
  answer: { isComplete: boolean; awaitsApproval: boolean; state: CompleteState }
  /** Called with the state of a complete answer. */
  onState?: ((state: CompleteState) => void) | undefined
  /** Follows an answer of which something is left; `null` for nothing. */
  beside: ((answer: string) => Iterable<ChatChunk>) | null
}

/** Leaves out or marks sentences that no source supports. At the end, tells how many there are, and replies if nothing else is left. */
export async function* factualAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { support, answer, onState, beside }: FactualAnswerParts,
): AsyncGenerator<ChatChunk, void, undefined> {
  let shown = ''
  for await (const chunk of support ? filterTexts(chunks, () => support.openFilter()) : chunks) {
    if (beside && chunk.type === 'text-delta') shown += chunk.delta
    yield chunk
  }
  if (!answer.isComplete) return
  onState?.(answer.state)
  if (!support) return
  const isEmpty = support.isEmpty && !answer.awaitsApproval
  if (!isEmpty && beside) yield* beside(shown)
  if (support.count === 0 && !support.isEmpty) return
  yield { type: 'message-metadata', messageMetadata: { unsupportedSentences: support.count } }
  if (!isEmpty) return
  yield { type: 'text-start', id: UNSUPPORTED_REPLY }
  yield { type: 'text-delta', id: UNSUPPORTED_REPLY, delta: support.emptyReply }
  yield { type: 'text-end', id: UNSUPPORTED_REPLY }
}
