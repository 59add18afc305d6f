import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { afterEach, expect, test, vi } from 'vitest'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { chooseBranch, listBranch, listBranchPositions, listLastAnswers, withVersions } from './branches.ts'
import { openDatabase } from '../engine/open-database.ts'
import { readRecentMessages } from './recent-messages.ts'
import { endTurn } from '../turns/turn-ends.ts'
import { insertPrompt } from '../turns/turns.ts'

const directory = mkdtempSync(join(tmpdir(), 'parley-branches-'))
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(directory, { recursive: true })
})

const SESSION = 'a session'
const ACCESS = { owner: 'c_owner', credential: true, now: 2, retentionMs: 1_000 }
const messageOf = (id: string, role: 'user' | 'assistant'): ChatMessage => ({ id, role, parts: [{ type: 'text', text: 'words' }] })

test('SQLite looks up the messages of a branch one by one, and never reads a whole session for them', async () => {
  const database = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
  await insertPrompt(database, {
    id: 't_1',
    instance: 'test',
    now: 1,
    message: messageOf('prompt', 'user'),
    continues: null,
    newVisitor: null,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    newSession: { id: SESSION, owner: 'c_owner', agent: 'assistant', title: 'words', openById: false },
  })
  await endTurn(
    database,
    't_1',
    { status: 'done', code: null, state: 'answered', usage: null, answer: messageOf('answer', 'assistant') },
    2,
  )
  const asked = new Set<string>()
  const prepare = DatabaseSync.prototype.prepare
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function note(this: DatabaseSync, sql) {
    asked.add(sql)
    return prepare.call(this, sql)
  })
  const newest = await listBranch(database, SESSION, { limit: 1 })
  expect(newest).toHaveLength(1)
  expect(await withVersions(database, SESSION, newest)).toHaveLength(1)
  expect(await listBranch(database, SESSION, { before: 2 })).toHaveLength(1)
  expect(await listBranchPositions(database, SESSION)).toEqual([1, 2])
  expect(await listLastAnswers(database, SESSION, 2)).toHaveLength(1)
  expect(await readRecentMessages(database, SESSION, { enoughText: 10_000, maxCharacters: 10_000 })).toHaveLength(2)
  expect(await chooseBranch(database, { id: SESSION, access: ACCESS }, 'prompt')).toEqual({ kind: 'chosen' })
  vi.restoreAllMocks()

  const walks = [...asked].filter((sql) => sql.includes('recursive') || sql.includes('"forks"'))
  expect(walks).toHaveLength(8)
  const file = new DatabaseSync(join(directory, 'parley.db'))
  for (const sql of walks) {
    const values = Array.from(sql.matchAll(/\?/g), (): SQLInputValue => 1)
    const steps = file
      .prepare(`explain query plan ${sql}`)
      .all(...values)
      .map(({ detail }) => String(detail))
    const lookups = steps.filter((step) => / messages /.test(step))
    expect(lookups.length).toBeGreaterThan(0)
    for (const step of lookups) expect(step).toMatch(/\(session_id=\? AND (?:position|parent)=\?\)/)
  }
  file.close()
  await database.destroy()
})
