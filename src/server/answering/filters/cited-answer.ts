import type { ChatChunk } from '../../../contract/chat/message.ts'
import { AttributionFilter } from './attribution-filter.ts'
import { type CitableSources, CitationFilter } from './citation-filter.ts'
import { beginsStep, filterTexts } from './filter-texts.ts'
import type { NumberedSources } from './numbered-sources.ts'

interface CitedAnswerParts {
  sources: Pick<NumberedSources, 'beginStep' | 'cite' | 'numbers' | 'passage' | 'show' | 'size' | 'takeNewSources'>
  isBuiltin: boolean
  /** A small model gets no numbers, so all that it writes are made up. */
  isSmall: boolean
  prompt: string
  /** Learns whether the answer has visible text beside what the server takes out of it. */
  answer: { hasText: boolean }
}

const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u
const NO_SOURCES: CitableSources = { cite: () => undefined, size: 1 }

/** Removes citations without a source, and finds those of an answer that cites nothing. The built-in assistant attaches its own. */
export async function* citedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { sources, isBuiltin, isSmall, prompt, answer }: CitedAnswerParts,
): AsyncGenerator<ChatChunk, void, undefined> {
  let hadText = false
  const cited = () => filterTexts(chunks, () => new CitationFilter(isSmall ? NO_SOURCES : sources))
  for await (const chunk of isBuiltin ? chunks : filterTexts(cited(), () => new AttributionFilter(sources, prompt))) {
    if (chunk.type === 'start-step') hadText = answer.hasText
    else if (beginsStep(chunk)) answer.hasText = hadText
    if (chunk.type === 'text-delta') answer.hasText ||= VISIBLE.test(chunk.delta)
    yield chunk
  }
}

/** Numbers the cited sources from 1 as they appear in the answer, and adds each before the text that cites it. */
export async function* numberedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { sources, isBuiltin }: Pick<CitedAnswerParts, 'sources' | 'isBuiltin'>,
): AsyncGenerator<ChatChunk, void, undefined> {
  const open = () => new CitationFilter({ cite: (number) => sources.show(number), size: sources.size })
  for await (const chunk of isBuiltin ? chunks : filterTexts(chunks, open)) {
    if (beginsStep(chunk)) sources.beginStep(chunk.type !== 'start-step')
    if (chunk.type === 'text-delta' || chunk.type === 'finish-step') yield* sources.takeNewSources()
    yield chunk
  }
}
