import { expect, test } from 'vitest'
import { citationMetadata } from '../../../contract/chat/citation.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import { stepResetChunk } from '../../../contract/chat/parts/step-start.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { FoundPassage } from '../../knowledge/retrieval/search.ts'
import { citedAnswer, numberedAnswer } from './cited-answer.ts'
import { NumberedSources } from './numbered-sources.ts'

const passage = (title: string): FoundPassage => ({
  id: title,
  title,
  heading: '',
  file: `${title}.md`,
  address: null,
  asOf: null,
  text: `About ${title}.`,
  breadcrumb: title,
  score: 1,
  relevance: 1,
  closeness: null,
})
const FOUND = ['Ant', 'Bee', 'Cat', 'Dog'].map(passage)
const prompt: ChatMessage = { id: 'p', role: 'user', parts: [{ type: 'text', text: 'And?' }] }

/** The answer of a model that writes these texts, each in a step; `null` discards the step that is being written. */
async function answered(texts: readonly (string | null)[], messages: readonly ChatMessage[] = [prompt], found = FOUND) {
  const sources = new NumberedSources(messages)
  sources.offer(found)
  async function* written(): AsyncGenerator<ChatChunk> {
    for (const [index, text] of texts.entries()) {
      if (text !== null && texts[index - 1] !== null) yield { type: 'start-step' }
      if (text === null) yield stepResetChunk
      else {
        yield { type: 'text-start', id: 't' }
        for (const delta of text) yield { type: 'text-delta', id: 't', delta }
        yield { type: 'text-end', id: 't' }
      }
    }
    yield { type: 'finish-step' }
  }
  const parts = { sources, isBuiltin: false, isSmall: false, prompt: 'And?', answer: { hasText: false } }
  const builder = new MessageBuilder('a')
  for await (const chunk of numberedAnswer(citedAnswer(written(), parts), parts)) builder.apply(chunk)
  return { ...builder.finished(), role: 'assistant' } as ChatMessage
}
const sourcesIn = ({ parts }: ChatMessage) =>
  parts.flatMap((part) => (part.type === 'source-document' ? `${part.sourceId} ${part.title}` : []))

test('sources are numbered from 1 as they appear in the answer', async () => {
  const answer = await answered(['Dogs bark [4], `list[2]`, dogs and bees [4, 2] hum [3-4].'])
  expect(textOf(answer)).toBe('Dogs bark [1], `list[2]`, dogs and bees [1, 2] hum [3, 1].')
  expect(sourcesIn(answer)).toEqual(['1 Dog', '2 Bee', '3 Cat'])
})

test('numbers begin at 1 in each answer, while the model keeps its own', async () => {
  const first = await answered(['Dogs bark [4].'])
  const conversation = [prompt, first, prompt]
  expect(new NumberedSources(conversation).messages.map(textOf)).toEqual(['And?', 'Dogs bark [4].', 'And?'])
  const second = await answered(['Eels swim [5], dogs bark [4].'], conversation, [passage('Eel')])
  expect([textOf(second), sourcesIn(second)]).toEqual(['Eels swim [1], dogs bark [2].', ['1 Eel', '2 Dog']])
})

test('a continued answer continues its numbers', async () => {
  const begun = await answered(['Dogs bark [4] and'])
  const rest = await answered(['bees hum [6], dogs bark [4].'], [prompt, begun])
  expect([textOf(rest), sourcesIn(rest)]).toEqual(['bees hum [2], dogs bark [1].', ['2 Bee', '1 Dog']])
})

test('a step that is discarded takes its numbers and sources with it', async () => {
  const answer = await answered(['Ants [1].', 'Cats [3].', null, 'Dogs [4], cats [3].'])
  expect([textOf(answer), sourcesIn(answer)]).toEqual(['Ants [1].Dogs [2], cats [3].', ['1 Ant', '2 Dog', '3 Cat']])
})

test('an answer of an earlier release keeps its numbers', async () => {
  const answer: ChatMessage = {
    id: 'a',
    role: 'assistant',
    parts: [
      {
        type: 'source-document',
        sourceId: '4',
        mediaType: 'text/markdown',
        title: 'Dog',
        filename: 'Dog.md',
        providerMetadata: citationMetadata({ breadcrumb: 'Dog', quote: 'About Dog.', asOf: null, address: null }),
      },
      { type: 'text', text: 'Dogs bark [4].' },
    ],
  }
  const sources = new NumberedSources([prompt, answer, prompt])
  expect(sources.messages[1]).toEqual(answer)
  expect(sources.offer([passage('Dog'), passage('Eel')]).map(({ number, place }) => [number, place])).toEqual([
    [4, 'Dog'],
    [5, 'Eel'],
  ])
})
