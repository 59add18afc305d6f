import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../config/config.ts'
import { writeCompliance } from './compliance.ts'

const AGENT = (policy: string) => `---\nname: Ada\ngreeting: Hello.\npolicy:\n${policy}---\nYou help.\n`

async function filesWith(environment: Record<string, string>, policy = '  purpose: Fees\n'): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'compliance-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'assistant.md'), AGENT(policy))
  const settings = readSettings({ DATA_DIR: folder, AGENTS_DIR: folder, TOOLS_DIR: folder, EMBEDDING_MODEL: 'none', ...environment })
  const output = join(folder, 'records')
  const result = await writeCompliance([output], settings, { release: '1.2.3', now: new Date('2026-12-01T12:00:00Z') })
  expect(result).toMatchObject({ exitCode: 0 })
  return new Map(readdirSync(output).map((name) => [name, readFileSync(join(output, name), 'utf8')]))
}

test('the records fill in every fact, and name who receives nothing', async () => {
  const files = await filesWith({})
  expect([...files.keys()].sort()).toEqual([
    'README.md',
    'accessibility.md',
    'ai-act-article-50.md',
    'algorithmic-transparency.md',
    'dpia.md',
    'privacy-notice.md',
    'recipients.md',
    'record-of-processing.md',
  ])
  expect([...files.values()].join('\n')).not.toMatch(/\{\{|undefined|null/)
  expect(files.get('recipients.md')).toContain('Nobody: no data of visitors leaves the server.')
  expect(files.get('dpia.md')).toContain('**To decide:** no assistant offers a way to a person')
})

test('the records follow settings and agents', async () => {
  const files = await filesWith(
    {
      OPENAI_API_KEY: 'test',
      MODEL: 'gpt-5-mini',
      EMBEDDING_MODEL: 'vectors',
      EMBEDDING_BASE_URL: 'https://vectors.example.org/v1',
      MODERATION_URL: 'https://checks.example.org/v1/moderations',
      RETENTION_DAYS: '7',
      CONTACT: 'ada@example.org',
      STAFF_READING: 'all',
      PERSONAL_DATA: 'mask',
    },
    '  strictness: quote\n  countries: [DE]\n  handover: { messages: true }\n',
  )
  expect(files.get('recipients.md')).toMatch(/\| OpenAI \|[^]*checks\.example\.org[^]*vectors\.example\.org/)
  expect(files.get('record-of-processing.md')).toMatch(
    /Visitors read: ada@example\.org[^]*are replaced by placeholders in the browser[^]*7 days after the last activity[^]*STAFF_READING=all/,
  )
  expect(files.get('dpia.md')).toMatch(/1 of 1 assistants leave out[^]*countries: DE[^]*messages that staff answer/)
  expect(files.get('privacy-notice.md')).toContain('a message that you leave our staff')
})

test('the records name moderation by a list of words', async () => {
  const words = join(mkdtempSync(join(tmpdir(), 'words-')), 'words.txt')
  onTestFinished(() => rmSync(dirname(words), { recursive: true }))
  writeFileSync(words, 'bad')
  expect((await filesWith({ MODERATION_WORDS: words })).get('dpia.md')).toContain('moderation (by a list of words)')
})

test('asks for a folder', async () => {
  const settings = readSettings({})
  for (const args of [[], ['--help'], ['a', 'b']])
    expect(await writeCompliance(args, settings, { release: '', now: new Date() })).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining('parley compliance'),
    })
})
