import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { NumberedSources } from '../filters/numbered-sources.ts'
import { wordStems } from '../../../text/word-stems.ts'

const QUOTATION = 'quotation'
/** Share of a quotation's words from which the answer has said it all. */
const SAID = 0.8

/**
 * Quotes below an answer the passage that it cites first, as the model read it: a small model often leaves out what matters, or gets it
 * wrong, and a part of the passage lacks it more often (eval/README.md). Nothing where the answer cites nothing, or says the same.
 */
export function* quotedBeside(answer: string, sources: Pick<NumberedSources, 'firstCited'>): Generator<ChatChunk> {
  const cited = sources.firstCited
  if (!cited) return
  const said = wordStems(answer)
  const words = [...wordStems(cited.text)]
  if (words.filter((word) => said.has(word)).length >= words.length * SAID) return
  yield { type: 'text-start', id: QUOTATION }
  const quote = cited.text.trim().replaceAll('\n', '\n> ')
  yield { type: 'text-delta', id: QUOTATION, delta: `\n\n> ${quote}${quote.endsWith('```') ? '\n>\n>' : ''} [${cited.number}]` }
  yield { type: 'text-end', id: QUOTATION }
}
