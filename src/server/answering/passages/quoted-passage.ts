import type { ChatChunk } from '../../../contract/chat/message.ts'
import { languageOf } from '../../language.ts'
import { FOUND } from '../../models/builtin/wordings.ts'
import { translated } from '../../translations/translations.ts'
import type { NumberedSources } from '../filters/numbered-sources.ts'
import { confidenceIn } from './coverage.ts'
import { type PassageRequest, type PromptPassage, shortPassages } from './find-passages.ts'

/** Characters of the quotation: about three sentences. */
const MAX_CHARACTERS = 350
const QUOTATION = 'quotation'

/** Quotes the passage that is most about the prompt, with its source: the answer where nothing of a small model's has a source. */
export async function* quotedPassage(
  passages: readonly PromptPassage[],
  request: Pick<PassageRequest, 'prompt' | 'earlierPrompt'>,
  sources: NumberedSources,
): AsyncGenerator<ChatChunk, void, undefined> {
  const [passage] = passages.filter(({ isByEarlier }) => !isByEarlier).toSorted((one, other) => confidenceIn(other) - confidenceIn(one))
  const best = passage && sources.offer([passage]).find(({ text }) => text === passage.text)
  const [short] = passage ? shortPassages([passage], request, [MAX_CHARACTERS]) : []
  if (!best || !short) return
  sources.cite(best.number)
  yield* sources.takeNewSources()
  const quote = short.text.trim().replaceAll('\n', '\n> ')
  const delta = `${translated(FOUND, languageOf(request.prompt))}\n\n> ${quote} [${best.number}]`
  yield { type: 'text-start', id: QUOTATION }
  yield { type: 'text-delta', id: QUOTATION, delta }
  yield { type: 'text-end', id: QUOTATION }
}
