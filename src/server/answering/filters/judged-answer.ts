import type { ChatChunk } from '../../../contract/chat/message.ts'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import { stepResetChunk } from '../../../contract/chat/parts/step-start.ts'
import { type Judge, sentencesIn } from '../facts/judge.ts'
import type { SupportCheck } from '../facts/support-filter.ts'
import { beginsStep } from './filter-texts.ts'

interface JudgedAnswerParts {
  judge: Judge | null
  /** Treats what the judge rejects. */
  support: Pick<SupportCheck, 'reject'> | null
  answer: { isComplete: boolean; awaitsApproval: boolean }
  signal: AbortSignal
}

/**
 * Has a model judge a complete answer. One that holds gets the text of all steps before it is shown; otherwise the last step is shown,
 * judged, and shown again if a sentence is rejected. An answer that breaks off is not judged.
 */
export async function* judgedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { judge, support, answer, signal }: JudgedAnswerParts,
): AsyncGenerator<ChatChunk, void, undefined> {
  if (!judge || !support) return yield* chunks
  let shown: ChatChunk[] = []
  let held: ChatChunk[] = []
  try {
    for await (const chunk of chunks) {
      if (!judge.holds && beginsStep(chunk)) {
        yield* held
        held = []
        shown = []
      }
      if (held.length > 0 || chunk.type === (judge.holds ? 'text-start' : 'finish-step')) held.push(chunk)
      else {
        if (!judge.holds && !beginsStep(chunk)) shown.push(chunk)
        yield chunk
      }
    }
  } catch (error) {
    yield* held
    throw error
  }
  const sentences = answer.isComplete && !answer.awaitsApproval ? sentencesIn(textOf(judge.holds ? held : shown)) : []
  const rejected = sentences.length > 0 ? await judge.rejected(sentences) : []
  if (judge.holds && (signal.aborted || !answer.isComplete)) return
  support.reject(rejected)
  if (rejected.length > 0 && !judge.holds) yield* [stepResetChunk, ...shown]
  yield* held
}

function textOf(chunks: readonly ChatChunk[]): string {
  const builder = new MessageBuilder()
  for (const chunk of chunks) builder.apply(chunk)
  return builder.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
}
