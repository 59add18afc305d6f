import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { NumberedSources } from '../filters/numbered-sources.ts'
import { wordStems } from '../../../text/word-stems.ts'
import { excerptOf } from './find-passages.ts'

/** Characters of the quotation: about four sentences. */
const MAX_CHARACTERS = 500
const QUOTATION = 'quotation'
/** Share of a quotation's words from which the answer has said it all. */
const SAID = 0.8

/**
 * Quotes below an answer the passage that it cites first: a small model often leaves out what matters, or gets it wrong, and the visitor
 * sees it beside the words of the source. Nothing where the answer cites nothing, or says the same.
 */
export function* quotedBeside(answer: string, prompt: string, sources: Pick<NumberedSources, 'firstCited'>): Generator<ChatChunk> {
  const cited = sources.firstCited
  if (!cited) return
  const quote = excerptOf(cited.text, wordStems(`${prompt} ${answer}`), MAX_CHARACTERS, 'middle')
  const said = wordStems(answer)
  const words = [...wordStems(quote)]
  if (words.filter((word) => said.has(word)).length >= words.length * SAID) return
  yield { type: 'text-start', id: QUOTATION }
  yield { type: 'text-delta', id: QUOTATION, delta: `\n\n> ${quote.trim().replaceAll('\n', '\n> ')} [${cited.number}]` }
  yield { type: 'text-end', id: QUOTATION }
}
