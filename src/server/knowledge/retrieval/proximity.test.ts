import { expect, test } from 'vitest'
import { KnowledgeIndex } from '../index/knowledge-index.ts'
import { readMarkdown } from '../ingestion/markdown.ts'
import { passagesOf } from '../ingestion/passages.ts'
import { proximityOf } from './proximity.ts'
import { queryWordsOf } from './query.ts'

test.each([
  ['side by side', 'reset password', 1],
  ['in the other order', 'a password reset', 0.8],
  ['with a word between', 'reset red password', 0.5],
  ['at their nearest', 'reset one two three password four reset password', 1],
  ['too far apart', `reset ${'word '.repeat(12)} password`, 0],
  ['one alone', 'password', 0],
])('words %s are near by their distance', (_, text, proximity) => {
  const index = new KnowledgeIndex()
  index.add(passagesOf('a.md', readMarkdown('Reset the password.')))
  expect(proximityOf(queryWordsOf(index, 'reset password'), text, [])).toBe(proximity)
})
