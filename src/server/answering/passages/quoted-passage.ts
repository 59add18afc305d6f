import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { FoundPassage } from '../../knowledge/retrieval/search.ts'
import { languageOf } from '../../language.ts'
import { SENTENCES } from '../../models/builtin/sentences.ts'
import type { NumberedSources } from '../filters/numbered-sources.ts'
import { type PassageRequest, shortPassages } from './find-passages.ts'

/** Characters of the quotation: about three sentences. */
const MAX_CHARACTERS = 350
/** Id of the text part. */
const QUOTATION = 'quotation'

/** Quotes the passage that is most about the prompt, with its source: the answer where nothing of a small model's has a source. */
export async function* quotedPassage(
  passages: readonly FoundPassage[],
  request: Pick<PassageRequest, 'prompt' | 'earlierPrompt'>,
  sources: NumberedSources,
): AsyncGenerator<ChatChunk, void, undefined> {
  const [best] = sources.offer(passages.slice(0, 1)).slice(-1)
  const [short] = shortPassages(passages, request, [MAX_CHARACTERS])
  if (!best || !short) return
  sources.cite(best.number)
  yield* sources.takeNewSources()
  const quote = short.text.trim().replaceAll('\n', '\n> ')
  const delta = `${SENTENCES[languageOf(request.prompt) ?? 'en'].found}\n\n> ${quote} [${best.number}]`
  yield { type: 'text-start', id: QUOTATION }
  yield { type: 'text-delta', id: QUOTATION, delta }
  yield { type: 'text-end', id: QUOTATION }
}
