import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listFiles } from './list-files.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'files-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('lists eight folders below the knowledge folder, and neither approved answers, synonyms nor what is hidden', async () => {
  const folders = (count: number) => Array.from({ length: count }, (_, level) => `f${level + 1}`).join('/')
  for (const file of ['b.md', 'a.txt', 'synonyms.txt', '.hidden.md', 'approved/a.md', 'more/approved/b.md', `${folders(8)}/in.md`]) {
    mkdirSync(join(directory, file, '..'), { recursive: true })
    writeFileSync(join(directory, file), 'text')
  }
  mkdirSync(join(directory, folders(9)))
  const problems: string[] = []
  const files = await listFiles(directory, (problem) => problems.push(problem))
  expect(files.map(({ file }) => file)).toEqual(['a.txt', 'b.md', `${folders(8)}/in.md`, 'more/approved/b.md'])
  expect(files[0]).toMatchObject({ size: 4, path: expect.stringMatching(/\/a\.txt$/) })
  expect(problems).toEqual([`${folders(9)}: skipped. It is nested too deeply.`])
})

test('reports files in formats that are not read, but not what documents are built of and what programs leave', async () => {
  const read = ['a.markdown', 'a.mdx', 'a.tsv', 'a.xhtml', 'read.docx']
  const others = ['data.json', 'guide.adoc', 'guide.rst', 'mail.eml', 'notes.doc', 'page.mhtml', 'prices.XLS', 'rules']
  const left = ['photo.PNG', 'style.css', 'script.mjs', 'font.woff2', 'sources.yaml', '~$read.docx', 'read.md~', 'Thumbs.db']
  for (const file of [...read, ...others, ...left]) writeFileSync(join(directory, file), 'text')
  const problems: string[] = []
  expect((await listFiles(directory, (problem) => problems.push(problem))).map(({ file }) => file)).toEqual(read)
  const advice = 'Its format is not read: save it as text, HTML, CSV, PDF, .docx or .xlsx.'
  expect(problems).toEqual(others.map((file) => `${file}: skipped. ${advice}`))
  for (let at = 0; at < 60; at += 1) writeFileSync(join(directory, `${at}.json`), 'text')
  problems.length = 0
  await listFiles(directory, (problem) => problems.push(problem))
  expect(problems.slice(49)).toEqual([`53.json: skipped. ${advice}`, '18 more files are skipped. Their formats are not read.'])
})

test('follows links to what is hidden in the folder, as a ConfigMap is mounted, and lists each file once', async () => {
  mkdirSync(join(directory, '..2026_11_28'))
  for (const file of ['a.md', 'b.md']) writeFileSync(join(directory, '..2026_11_28', file), 'text')
  symlinkSync('..2026_11_28', join(directory, '..data'))
  symlinkSync('..data/a.md', join(directory, 'a.md'))
  symlinkSync('..data', join(directory, 'more'))
  writeFileSync(join(directory, 'real.md'), 'text')
  symlinkSync('real.md', join(directory, 'same.md'))
  symlinkSync('.', join(directory, 'self'))
  symlinkSync('/etc/hostname', join(directory, 'out.md'))
  const problems: string[] = []
  const files = await listFiles(directory, (problem) => problems.push(problem))
  expect(files.map(({ file }) => file)).toEqual(['a.md', 'more/a.md', 'more/b.md', 'real.md'])
  expect(problems).toEqual(['out.md: skipped. It is a link that leads out of the folder.'])
})

test('names are the same however a system writes their letters', async () => {
  mkdirSync(join(directory, 'Gebu\u0308hren'))
  writeFileSync(join(directory, 'Gebu\u0308hren', 'Ba\u0308der.md'), 'text')
  expect((await listFiles(directory, () => {})).map(({ file }) => file)).toEqual(['Geb\u00fchren/B\u00e4der.md'])
})
