import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { KnowledgeIndex } from './index/knowledge-index.ts'
import { topicsOf } from './retrieval/topics.ts'
import { searchKnowledge } from './retrieval/search.ts'
import { openFolderIndexer } from './index/folder-indexer.ts'

const SHIPPED = join(import.meta.dirname, '../../../knowledge')
const indexer = (directory: string, onProblem: (problem: string) => void) =>
  openFolderIndexer({ directory, store: null, onProblem }).then(({ index }) => index)

describe('the shipped knowledge', () => {
  let index: KnowledgeIndex
  const warnings: string[] = []

  beforeAll(async () => {
    index = await indexer(SHIPPED, (problem) => warnings.push(problem))
  })

  const headingFor = (query: string) => searchKnowledge(index, query, { folders: ['.'], caller: 'builtin' }).passages[0]?.heading

  test('loads without a warning', () => {
    expect(warnings).toEqual([])
    expect(index.size).toBeGreaterThan(20)
  })

  test.each([
    ['How long do you keep my chats?', 'How long are my chats kept?'],
    ['when are my chats deleted automatically', 'How long are my chats kept?'],
    ['can I delete my data', 'How do I delete my chats?'],
    ['do you use cookies', 'Which cookies are used?'],
    ['do you use cokies', 'Which cookies are used?'],
    ['are my messges stored', 'What is stored about me?'],
    ['who can see what I write?', 'Who can read my prompts?'],
    ['are my prompts used for training', 'Who can read my prompts?'],
    ['what happens when i close the tab', 'What happens if I close the page?'],
    ['does the answer continue if I reload', 'What happens if I close the page?'],
    ['how to stop an anser', 'How do I stop an answer?'],
    ['where is my chat history', 'Where are my earlier chats?'],
    ['do i have to register', 'Do I need an account?'],
    ['can I attach a picture', 'Can I upload files?'],
    ['prompt length limit', 'How long may a prompt be?'],
    ['what data do you collect about me', 'What is stored about me?'],
    ['who operates this website', 'Who runs this site?'],
  ])('answers "%s" with "%s"', (query, heading) => {
    expect(headingFor(query)).toBe(heading)
  })

  test('every topic that it offers works as a prompt', () => {
    for (const topic of topicsOf(index, 100, () => true)) expect(headingFor(topic)).toBe(topic)
  })
})

describe('loading a folder', () => {
  let directory: string
  let warnings: string[]

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'knowledge-'))
    warnings = []
  })
  afterEach(() => rm(directory, { recursive: true }))

  const load = () => indexer(directory, (problem) => warnings.push(problem))
  const passagesIn = (index: KnowledgeIndex) => [...index.passages()].map(([, passage]) => passage)

  test("reads Markdown and text in subfolders, and names what it doesn't read", async () => {
    await mkdir(join(directory, 'sub'))
    await writeFile(join(directory, 'sub', 'a.md'), '# A\n\ntext of a')
    await writeFile(join(directory, 'b.txt'), 'text of b')
    await writeFile(join(directory, 'c.json'), '{}')
    await writeFile(join(directory, '.hidden.md'), 'hidden')
    expect(passagesIn(await load()).map(({ file, title, text }) => [file, title, text])).toEqual([
      ['b.txt', 'b', 'text of b'],
      ['sub/a.md', 'A', 'text of a'],
    ])
    expect(warnings).toEqual([expect.stringMatching(/^c\.json: skipped\. Its format is not read/)])
  })

  test('reports files that are not regular, too large or not UTF-8, and reads the others', async () => {
    await writeFile(join(directory, 'good.md'), 'good')
    await symlink('/etc/passwd', join(directory, 'link.md'))
    execFileSync('mkfifo', [join(directory, 'pipe.md')])
    await writeFile(join(directory, 'large.md'), '')
    await truncate(join(directory, 'large.md'), 5 * 1024 ** 3)
    await writeFile(join(directory, 'hebrew.md'), Buffer.from('f9ed20eee7e9f8', 'hex'))
    expect(passagesIn(await load()).map((passage) => passage.file)).toEqual(['good.md'])
    for (const file of ['link.md', 'pipe.md', 'large.md', 'hebrew.md']) expect(warnings.join('\n')).toContain(file)
  })

  test('reports an unknown placeholder', async () => {
    await writeFile(join(directory, 'a.md'), 'It costs {{price}}.')
    expect(passagesIn(await load())[0]?.text).toBe('It costs {{price}}.')
    expect(warnings.join()).toContain('price')
  })

  test('logs a warning and has no knowledge without a folder', async () => {
    expect((await indexer(join(directory, 'none'), (problem) => warnings.push(problem))).size).toBe(0)
    expect(warnings).toHaveLength(1)
  })
})
