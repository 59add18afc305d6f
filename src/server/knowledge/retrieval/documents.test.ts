import { expect, test } from 'vitest'
import { KnowledgeIndex } from '../index/knowledge-index.ts'
import { readMarkdown } from '../ingestion/markdown.ts'
import { passagesOf } from '../ingestion/passages.ts'
import { documentsOf } from './documents.ts'

test('the documents are listed by file, at most so many, with their size if it is known', async () => {
  const index = new KnowledgeIndex()
  const add = (file: string, text: string) =>
    index.add(passagesOf(file, { ...readMarkdown(`# About ${file}\n\n${text}`), asOf: '2026-01-02' }))
  add('c.md', 'Text.')
  add('b.md', 'Das ist nicht die Liste.')
  add('a.md', 'This is not the list.')
  const facts = { title: 'About a.md', asOf: '2026-01-02', passages: 1 }
  expect(await documentsOf(index, new Map([['a.md', { size: 12 }]]), 2)).toEqual([
    { ...facts, file: 'a.md', bytes: 12, language: 'English' },
    { ...facts, file: 'b.md', title: 'About b.md', bytes: null, language: 'German' },
  ])
})
