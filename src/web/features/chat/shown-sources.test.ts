import { expect, test } from 'vitest'
import type { ChatMessagePart } from '../../../contract/message.ts'
import { shownSources } from './shown-sources.ts'

const RELEVANCES = [0.9, 0.4, 0.8, 0.7, 0.95]
const passages = RELEVANCES.map((relevance, index) => ({
  number: index + 1,
  file: 'a.md',
  title: 'A',
  text: `passage ${index + 1}`,
  relevance,
}))
const search: ChatMessagePart = {
  type: 'tool-search_knowledge',
  toolCallId: '1',
  state: 'output-available',
  input: {},
  output: { passages, topics: [] },
}
const documents = passages.map(
  ({ number }): ChatMessagePart => ({
    type: 'source-document',
    sourceId: `${number}`,
    mediaType: 'text/markdown',
    title: 'A',
    filename: 'a.md',
  }),
)
const page: ChatMessagePart = { type: 'source-url', sourceId: 'u1', url: 'https://tea.example/' }
const shownWith = (text: string, sources = documents) => {
  const { kind, sources: shown } = shownSources([search, { type: 'text', text }, ...sources])
  return [kind, ...shown.map(({ number }) => number)]
}

test.each([
  ['It is 30 days [2].', ['used', 2]],
  ['Days [4], and more [1, 3]. See 【5】 too.', ['used', 1, 3, 4, 5]],
  ['Twice [2] [2], and [99] and [0].', ['used', 2]],
])('those that the answer cites are shown by their numbers: %s', (text, shown) => {
  expect(shownWith(text)).toEqual(shown)
})

test.each(['It is 30 days.', 'Take `list[2]` or\n```js\nlist[4]\n```', 'See [2](https://tea.example/).', '[99]'])(
  'where it cites none, the three best that were found are: %s',
  (text) => {
    expect(shownWith(text)).toEqual(['found', 1, 3, 5])
  },
)

test('a passage that was found twice is shown once', () => {
  const again = { ...search, toolCallId: '2', output: { passages: [{ ...passages[0], number: 6 }] } } as ChatMessagePart
  const sixth = { ...documents[0], sourceId: '6' } as ChatMessagePart
  const { sources } = shownSources([search, again, ...documents.slice(0, 2), sixth])
  expect(sources.map(({ number }) => number)).toEqual([1, 2])
})

test('what the model named itself is shown, cited or not, numbered after what was found', () => {
  expect(shownWith('Thus.', [page])).toEqual(['used', 1])
  expect(shownWith('Thus [1].', [page, ...documents])).toEqual(['used', 1, 6])
})
