import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KnowledgeBase } from '../knowledge-base.ts'
import { describeDocuments, languageNameOf, samplesOf } from './overview.ts'

async function overview(files: Record<string, string>, folders = ['.']) {
  const directory = mkdtempSync(join(tmpdir(), 'overview-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), text)
  }
  const knowledge = await KnowledgeBase.open({ directory, dataDirectory: null, onWarning: () => {} })
  onTestFinished(() => knowledge.close())
  await knowledge.ready
  return knowledge.overview(folders)
}

test('names the documents of the folders and their languages', async () => {
  const files = {
    'town/fees.md': '# Fees\n\nThis is the list of fees, and they are not the same for all.',
    'town/zeiten.md': '# Zeiten\n\nDas ist nicht die ganze Liste, und der Rest wird mit der Post gesandt.',
    'staff/secret.md': '# Secret\n\nThis is not for the public.',
  }
  const { topics, languages, documents } = await overview(files, ['town'])
  expect([documents, topics.toSorted(), languages.toSorted()]).toEqual([2, ['Fees', 'Zeiten'], ['English', 'German']])
})

test('is short, however many documents there are and whatever their titles', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [
      `part${index % 3}/f${index}.md`,
      `# Title ${index} ${'long '.repeat(100)}\n\nText ${index}.`,
    ]),
  )
  const { topics, documents } = await overview(files)
  expect(documents).toBe(120)
  expect(topics.slice(0, 3).toSorted()).toEqual(['part0 (40 documents)', 'part1 (40 documents)', 'part2 (40 documents)'])
  expect(JSON.stringify(topics).length).toBeLessThan(2_500)
})

test('tells the newest date and the state of the files, and languages of at least a tenth of the texts', () => {
  const documents = [
    { file: 'b.md', title: 'B', asOf: '2024-01-02' },
    { file: 'a.md', title: 'A', asOf: '2025-01-02' },
    { file: 'c.md', title: 'C', asOf: null },
  ]
  const english = Array.from({ length: 18 }, () => 'This is not the list.')
  const german = ['Das ist nicht die Liste.', 'Und das ist der Rest.']
  expect(describeDocuments(documents, [...german, ...english], new Map([['a.md', { hash: '1' }]]))).toEqual({
    documents: 3,
    topics: ['B', 'A', 'C'],
    languages: ['English', 'German'],
    newest: '2025-01-02',
    files: 'a.md 1\nb.md \nc.md ',
  })
  expect(describeDocuments(documents.slice(2), [...german.slice(1), ...english], new Map())).toMatchObject({
    languages: ['English'],
    newest: null,
  })
})

test('files outside folders are documents of no folder', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [index < 20 ? `${index}.md` : `part/${index}.md`, `# Title ${index}\n\nText.`]),
  )
  expect((await overview(files)).topics.filter((topic) => topic.includes('documents'))).toEqual(['part (10 documents)'])
})

test('samples are spread over all documents', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  expect(samplesOf(numbers(3))).toEqual([0, 1, 2])
  expect(samplesOf(numbers(150))).toEqual(numbers(60).map((number) => 2 * number))
})

test.each([
  ['The lid and box.', 'English'],
  ['The lid.', null],
  ['El horario de la biblioteca no es el mismo para todos los días, que son muchos, y con una excepción.', 'Spanish'],
  ['図書館は月曜日に開いています。', 'Japanese'],
  ['图书馆星期一开放。', 'Chinese'],
  ['42', null],
])('%s is written in %s', (text, language) => {
  expect(languageNameOf(text)).toBe(language)
})
