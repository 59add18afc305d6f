import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { type ExportedSession, findExportedSession } from '../../store/sessions/export.ts'
import { exportMarkdown } from './export-markdown.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

const AT = Date.UTC(2026, 10, 22, 9, 5)

let chats = 0

/** Stores a chat of one prompt and its answer. */
async function stored({
  metadata = {},
  parts = [{ type: 'text', text: 'Hello' }],
}: {
  metadata?: ChatMessage['metadata']
  parts?: ChatMessage['parts']
}): Promise<ExportedSession> {
  const id = `chat-${(chats += 1)}`
  await storeChat(opened.database, { id, owner: 'c_owner', at: AT, title: 'A\nchat', prompt: 'Hi', answer: parts, metadata })
  const session = await findExportedSession(opened.database, accessOf('c_owner', AT), id)
  if (!session) throw new Error('The chat was not stored')
  return session
}

async function markdownOf(session: ExportedSession): Promise<string> {
  return (await Array.fromAsync(exportMarkdown(opened.database, session))).join('')
}

test('a chat is exported with its title, times, roles and texts', async () => {
  const text = await markdownOf(await stored({ metadata: { status: 'done' } }))
  expect(text).toContain('# A chat\n\nStarted 2026-11-22 09:05 UTC, last used 2026-11-22 09:05 UTC. An AI gave the answers.\n')
  expect(text).toContain('\n## You, 2026-11-22 09:05 UTC\n\nHi\n')
  expect(text).toContain('\n## Assistant, 2026-11-22 09:05 UTC\n\nHello\n')
})

test.each([
  ['stopped', '*This answer was stopped.*'],
  ['failed', '*This answer failed.*'],
  ['interrupted', '*This answer was interrupted.*'],
] as const)('an answer that was %s says so', async (status, sentence) => {
  expect(await markdownOf(await stored({ metadata: { status } }))).toContain(`Hello\n\n${sentence}\n`)
})

test('an answer is followed by the sources that it cites, and by what else was found', async () => {
  const document = (number: number, title: string, parley: object = {}) => ({
    type: 'source-document' as const,
    sourceId: String(number),
    mediaType: 'text/markdown',
    title,
    filename: `${title.toLowerCase()}.md`,
    providerMetadata: { parley: { breadcrumb: title, quote: '', asOf: null, address: null, ...parley } },
  })
  const parts: ChatMessage['parts'] = [
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
