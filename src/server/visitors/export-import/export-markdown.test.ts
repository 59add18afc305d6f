import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_PERSONAL_DATA_RULES } from '../../../personal-data/kinds.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { type ExportedSession, findExportedSession } from '../../store/sessions/export.ts'
import { exportMarkdown } from './export-markdown.ts'
import { Importer } from './importer.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

let ids = 0
const newId = () => `id-${(ids += 1)}`
const AT = Date.UTC(2026, 10, 22, 9, 5)

/** Stores a chat of one prompt and its answer. */
async function stored({
  agent = 'a',
  metadata = {},
  parts = [{ type: 'text', text: 'Hello' }],
}: {
  agent?: string
  metadata?: object
  parts?: object[]
}): Promise<ExportedSession> {
  const importer = new Importer({ database: opened.database, newSessionId: newId, newMessageId: newId, now: () => AT + 60_000 })
  const message = (role: string, content: object[], facts: object) => ({
    role,
    parts: JSON.stringify(content),
    metadata: JSON.stringify(facts),
    createdAt: AT,
  })
  const messages = [message('user', [{ type: 'text', text: 'Hi' }], {}), message('assistant', parts, metadata)]
  const chat = { title: 'A\nchat', agent, createdAt: AT, updatedAt: AT + 3_600_000, contentHash: newId(), lastShown: 2, messages }
  const own = { id: 'first', personalData: DEFAULT_PERSONAL_DATA_RULES }
  const target = { owner: 'v_owner', agents: { find: (id: string) => (id === 'a' ? { ...own, id } : undefined), first: own } }
  const { sessions } = await importer.store([Buffer.from(JSON.stringify(chat))], target)
  const access = { owner: 'v_owner', credential: true, now: AT + 60_000, retentionMs: 86_400_000 }
  const session = await findExportedSession(opened.database, access, sessions[0] ?? '')
  if (!session) throw new Error('The chat was not stored')
  return session
}

async function markdownOf(session: ExportedSession): Promise<string> {
  return (await Array.fromAsync(exportMarkdown(opened.database, session))).join('')
}

test('a chat is exported with its title, times, roles and texts', async () => {
  const text = await markdownOf(await stored({ metadata: { status: 'done' } }))
  // No chat was used after it was imported.
  expect(text).toContain('# A chat\n\nStarted 2026-11-22 09:05 UTC, last used 2026-11-22 09:06 UTC. An AI gave the answers.\n')
  expect(text).toContain('\n## You, 2026-11-22 09:05 UTC\n\nHi\n')
  expect(text).toContain('\n## Assistant, 2026-11-22 09:05 UTC\n\nHello\n')
})

test.each([
  ['stopped', '*This answer was stopped.*'],
  ['failed', '*This answer failed.*'],
  ['interrupted', '*This answer was interrupted.*'],
])('an answer that was %s says so', async (status, sentence) => {
  expect(await markdownOf(await stored({ metadata: { status } }))).toContain(`Hello\n\n${sentence}\n`)
})

test('an answer is followed by the sources that it cites, and by what else was found', async () => {
  const document = (number: number, title: string, parley: object = {}) => ({
    type: 'source-document',
    sourceId: String(number),
    mediaType: 'text/markdown',
    title,
    filename: `${title.toLowerCase()}.md`,
    providerMetadata: { parley: { breadcrumb: title, quote: '', asOf: null, address: null, ...parley } },
  })
  const parts = [
    { type: 'text', text: 'See [1] and [2].' },
    document(1, 'Tea', { breadcrumb: 'Tea › Green', asOf: '2026-11-01', address: 'https://example.org/tea' }),
    document(2, 'Coffee'),
    document(3, 'Water'),
    { type: 'source-url', sourceId: 'web', url: 'https://example.org/', title: 'A page' },
    { type: 'source-url', sourceId: 'bare', url: 'https://example.org/bare' },
  ]
  expect(await markdownOf(await stored({ parts }))).toContain(`See [1] and [2].

Sources:

- [1] Tea, Tea › Green, as of 2026-11-01, <https://example.org/tea>
- [2] Coffee, coffee.md
- A page, <https://example.org/>
- https://example.org/bare, <https://example.org/bare>

Also searched:

- [3] Water, water.md
`)
  expect(await markdownOf(await stored({}))).not.toMatch(/Sources|Also searched/)
})

test('an imported chat keeps its agent if that exists, and goes to the first one otherwise', async () => {
  expect((await stored({ agent: 'a' })).agent).toBe('a')
  expect((await stored({ agent: 'gone' })).agent).toBe('first')
})
