import type { ChatChunk } from '../../../contract/chat/message.ts'
import { languageOf } from '../../language.ts'
import { FOUND } from '../../models/builtin/wordings.ts'
import { translated } from '../../translations/translations.ts'
import type { NumberedSources } from '../filters/numbered-sources.ts'
import { confidenceIn } from './coverage.ts'
import { wordStems } from '../../../text/word-stems.ts'
import { excerptOf, type PassageRequest, type PromptPassage } from './find-passages.ts'

/** Characters of the quotation: about four sentences. */
const MAX_CHARACTERS = 500
const QUOTATION = 'quotation'
/** Share of a quotation's words from which the answer has said it all. */
const SAID = 0.8

/** Quotes the passage that is most about the prompt, with its source: the answer where nothing of a small model's has a source. */
export async function* quotedPassage(
  passages: readonly PromptPassage[],
  request: Pick<PassageRequest, 'prompt' | 'earlierPrompt'>,
  sources: NumberedSources,
): AsyncGenerator<ChatChunk, void, undefined> {
  const own = passages.filter(({ isByEarlier }) => !isByEarlier)
  const [passage] = (own.length > 0 ? own : passages).toSorted((one, other) => confidenceIn(other) - confidenceIn(one))
  const best = passage && sources.offer([passage]).find(({ text }) => text === passage.text)
  if (!best) return
  sources.cite(best.number)
  yield* sources.takeNewSources()
  yield* part(
    `${translated(FOUND, languageOf(request.prompt))}\n\n${quotation(quoteOf(best.text, `${request.prompt} ${request.earlierPrompt ?? ''}`), best.number)}`,
  )
}

/**
 * Quotes below an answer the passage that it cites first: a small model often leaves out what matters, or gets it wrong, and the visitor
 * sees it beside the words of the source. Nothing where the answer cites nothing, or says the same.
 */
export function* quotedBeside(answer: string, prompt: string, sources: Pick<NumberedSources, 'firstCited'>): Generator<ChatChunk> {
  const cited = sources.firstCited
  if (!cited) return
  const quote = quoteOf(cited.text, `${prompt} ${answer}`)
  const said = wordStems(answer)
  const words = [...wordStems(quote)]
  if (words.filter((word) => said.has(word)).length >= words.length * SAID) return
  yield* part(`\n\n${quotation(quote, cited.number)}`)
}

const quoteOf = (text: string, about: string) => excerptOf(text, wordStems(about), MAX_CHARACTERS, 'middle')
const quotation = (text: string, number: number) => `> ${text.trim().replaceAll('\n', '\n> ')} [${number}]`

function* part(delta: string): Generator<ChatChunk> {
  yield { type: 'text-start', id: QUOTATION }
  yield { type: 'text-delta', id: QUOTATION, delta }
  yield { type: 'text-end', id: QUOTATION }
}
