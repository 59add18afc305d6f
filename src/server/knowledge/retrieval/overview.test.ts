import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KnowledgeBase } from '../knowledge-base.ts'
import { languageOf } from './overview.ts'

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

test.each([
  ['El horario de la biblioteca no es el mismo para todos los días, que son muchos, y con una excepción.', 'Spanish'],
  ['図書館は月曜日に開いています。', 'Japanese'],
  ['图书馆星期一开放。', 'Chinese'],
  ['42', null],
])('%s is written in %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})
