import { expect, test } from 'vitest'
import type { SourcePart } from '../../../../../contract/chat/citation.ts'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'
import { excerptOf } from './source-excerpt.ts'

const document: SourcePart = {
  type: 'source-document',
  sourceId: 'a',
  mediaType: 'text/markdown',
  title: 'Privacy',
  filename: 'privacy.md',
}
const page: SourcePart = { type: 'source-url', sourceId: 'b', url: 'https://example.org/' }
const found = (output: unknown): ChatMessagePart => ({
  type: 'tool-search_knowledge',
  toolCallId: '1',
  state: 'output-available',
  input: {},
  output,
})

test('is the passage of the file, or the snippet of the search result', () => {
  const parts = [
    found({ passages: [{ file: 'other.md', text: 'no' }, { file: 'privacy.md', text: ' 30 days ' }] }),
    found({ content: [{ url: 'https://example.org/', excerpt: 'A page' }] }),
  ] // biome-ignore format: a part a line
  expect(excerptOf(document, parts)).toBe('30 days')
  expect(excerptOf(page, parts)).toBe('A page')
})

test('is the one with the source’s number if a file gave several', () => {
  const passages = [1, 2].map((number) => ({ file: 'privacy.md', number, text: `passage ${number}` }))
  expect(excerptOf({ ...document, sourceId: '2' }, [found({ passages })])).toBe('passage 2')
})

test('is shortened if it is long', () => {
  expect(excerptOf(page, [found({ content: [{ url: page.type === 'source-url' && page.url, excerpt: 'x'.repeat(5_000) }] })])).toHaveLength(
    1_000,
  )
})

test.each([
  [null],
  ['text'],
  [[]],
  [{ passages: null }],
  [{ passages: [null, 1, { file: 'privacy.md', text: 5 }] }],
  [{ content: { length: 9 } }],
])('is missing in %j', (output) => {
  expect(excerptOf(document, [found(output)])).toBeUndefined()
  expect(excerptOf({ ...document, filename: undefined } as unknown as SourcePart, [found({ passages: [{ text: 'x' }] })])).toBeUndefined()
})
