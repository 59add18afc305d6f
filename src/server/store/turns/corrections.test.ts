import { hash as digest } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { citationMetadata } from '../../../contract/chat/citation.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { type AnsweredMessage, sourceVersionsOf } from './corrections.ts'
import type { Database } from '../engine/database.ts'
import { insertVisitor } from '../visitors/visitors.ts'

const source = (filename: string, asOf: string | null = '2026-11-01'): ChatMessage['parts'][number] => ({
  type: 'source-document',
  sourceId: '1',
  mediaType: 'text/markdown',
  title: filename,
  filename,
  providerMetadata: citationMetadata({ breadcrumb: filename, quote: '', asOf, address: null }),
})

describe.each(BOTH_DATABASES)('versions of the sources of answers on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    await insertVisitor(database, { id: 'v', keyHash: 'key of v' }, 1)
  })
  afterAll(() => remove())

  /** A turn whose knowledge has these lines. */
  async function turn(id: string, knowledge: string | null): Promise<string> {
    await storeChat(database, { id, owner: 'v', at: 1 })
    if (knowledge === null) return `${id}-turn`
    const hash = digest('sha256', knowledge, 'hex')
    await database
      .insertInto('version_texts')
      .values({ hash, kind: 'knowledge', content: knowledge, seen_at: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await database.updateTable('turns').set({ knowledge_hash: hash }).where('id', '=', `${id}-turn`).execute()
    return `${id}-turn`
  }
  const versions = async (...answers: AnsweredMessage[]) =>
    [...(await sourceVersionsOf(database, answers))].map(([position, files]) => [position, Object.fromEntries(files)])

  test('are the hashes that the knowledge of the answer lists, and otherwise its dates', async () => {
    const [first, second, unknown] = [
      await turn('first', 'fees of 2026.md aaa\nhours.md bbb\n broken\nalso broken '),
      await turn('second', 'hours.md ccc\n'),
      await turn('unknown', null),
    ]
    const parts = [source('fees of 2026.md'), source('hours.md'), source('also broken', null)]
    expect(
      await versions(
        { position: 2, parts, turnId: first },
        { position: 4, parts, turnId: second },
        { position: 6, parts, turnId: unknown },
        { position: 8, parts, turnId: null },
        { position: 10, parts: [{ type: 'text', text: 'Nothing.' }], turnId: first },
      ),
    ).toEqual([
      [2, { 'fees of 2026.md': 'aaa', 'hours.md': 'bbb', 'also broken': 'as of ' }],
      [4, { 'fees of 2026.md': 'as of 2026-11-01', 'hours.md': 'ccc', 'also broken': 'as of ' }],
      [6, { 'fees of 2026.md': 'as of 2026-11-01', 'hours.md': 'as of 2026-11-01', 'also broken': 'as of ' }],
      [8, { 'fees of 2026.md': 'as of 2026-11-01', 'hours.md': 'as of 2026-11-01', 'also broken': 'as of ' }],
      [10, {}],
    ])
  })

  test('of an approved answer are the hash of its text', async () => {
    const parts: ChatMessage['parts'] = [{ type: 'text', text: 'Ten euros.' }, source('approved/fees.md')]
    expect(await versions({ position: 2, parts, turnId: null })).toEqual([
      [2, { 'approved/fees.md': digest('sha256', 'Ten euros.', 'hex') }],
    ])
  })
})
