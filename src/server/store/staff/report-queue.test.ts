import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { unrestricted } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'
import { giveFeedback } from '../turns/feedback.ts'
import {
  correctAnswer,
  decideReport,
  listAnswerCorrections,
  listReports,
  listSourceCorrections,
  type NewDecision,
  readReport,
  removeCorrection,
} from './report-queue.ts'
import { insertReport, listOwnReports, withdrawReport } from './reports.ts'
import { listMessagePage } from '../sessions/sessions.ts'
import { reportOptions } from '../../../../test/support/report-options.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)
const QUEUE = { now: NOW, retentionMs: 30 * DAY_MS }

describe.each(BOTH_DATABASES)('the queue of reports on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  const logged: string[] = []
  const log = (what: string) => async () => void logged.push(what)
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())
  beforeEach(async () => {
    await unrestricted(database).deleteFrom('sessions').execute()
    await database.deleteFrom('corrections').execute()
    logged.length = 0
  })

  const source = (file: string, asOf: string) => ({
    type: 'source-document' as const,
    sourceId: '1',
    mediaType: 'text/markdown',
    title: file,
    filename: file,
    providerMetadata: { parley: { breadcrumb: file, quote: '', asOf, address: null } },
  })

  /** A reported answer of a chat. Returns the report's id. */
  async function report(
    id: string,
    { at = NOW, owner = `c_${id}`, file = 'tea.md', asOf = '2026-11-01', reason = 'No' } = {},
  ): Promise<string> {
    await storeChat(database, { id, owner, at, title: `Chat ${id}`, answer: [source(file, asOf), { type: 'text', text: `answer ${id}` }] })
    const messages = [{ role: 'assistant' as const, text: `answer ${id}` }]
    const handed = { message: `${id}-answer`, scope: 'answer' as const, messages, reason }
    const outcome = await insertReport(database, { id, access: accessOf(owner, at) }, handed, reportOptions(10 * DAY_MS))
    if (!('id' in outcome)) throw new Error(outcome.code)
    return outcome.id
  }
  const decide = (id: string, rest: Partial<NewDecision> = {}) =>
    decideReport(database, QUEUE, { id, verdict: 'wrong', fix: null, revision: 0, log: log('decide'), ...rest })
  const open = (id: string) => readReport(database, QUEUE, { id, role: 'reviewer', log: log('read') })
  const correct = (id: string, text: string, file: string | null = null) =>
    correctAnswer(database, QUEUE, { id, text, source: file, log: log('correct') })
  const correctionsOf = async (session: string) =>
    (await listMessagePage(database, session, {})).messages.at(-1)?.metadata?.corrections?.map(({ text }) => text)

  test('lists those without a verdict first, then the newest, without any text of visitors', async () => {
    const [old, decided, recent] = [await report('old', { at: NOW - 2 }), await report('decided'), await report('recent', { at: NOW - 1 })]
    await decide(decided)
    const listed = await listReports(database, QUEUE)
    expect(listed.map(({ id }) => id)).toEqual([recent, old, decided])
    expect(listed[0]).toEqual({
      id: recent,
      kind: 'problem',
      scope: 'answer',
      agent: 'assistant',
      thumb: null,
      createdAt: new Date(NOW - 1).toISOString(),
      expiresAt: new Date(NOW - 1 + 10 * DAY_MS).toISOString(),
      verdict: null,
      fix: null,
      revision: 0,
      readings: 0,
      isCorrected: false,
    })
    expect(await listReports(database, { ...QUEUE, now: NOW + 10 * DAY_MS })).toEqual([])
  })

  test('shows an opened report as it was handed over, and tells its visitor alone that it was read', async () => {
    const id = await report('opened')
    await report('unread')
    expect(await open(id)).toMatchObject({
      id,
      messages: [{ role: 'assistant', text: 'answer opened' }],
      reason: 'No',
      sources: ['tea.md'],
      correction: null,
      readings: 1,
    })
    expect(await open(id)).toMatchObject({ readings: 2 })
    expect(logged).toEqual(['read', 'read'])
    await database
      .insertInto('readings')
      .values({ id: '0', session_id: 'opened', report_id: id, role: 'owner', read_at: NOW - 1 })
      .execute()
    const own = await listOwnReports(database, accessOf('c_opened', NOW))
    expect(own.reports).toMatchObject([{ id, session: 'opened', title: 'Chat opened', reason: 'No', scope: 'answer' }])
    const reading = { report: id, title: 'Chat opened', role: 'reviewer', at: new Date(NOW).toISOString() }
    expect(own.readings).toEqual([reading, reading, { ...reading, role: 'owner', at: new Date(NOW - 1).toISOString() }])
    expect((await listOwnReports(database, accessOf('c_unread', NOW))).readings).toEqual([])
    expect(await open('unknown')).toBeUndefined()
  })

  test('a verdict needs the one before it to have been read', async () => {
    const id = await report('verdict')
    expect(await decide(id, { fix: 'Rewrite the page' })).toMatchObject({ verdict: 'wrong', fix: 'Rewrite the page', revision: 1 })
    expect(await decide(id)).toBe('changed_meanwhile')
    expect(await decide(id, { verdict: 'fine', revision: 1 })).toMatchObject({ verdict: 'fine', fix: null, revision: 2 })
    expect(await decide('unknown')).toBe('not_found')
    expect(logged).toEqual(['decide', 'decide'])
  })

  test('a correction of an answer stands at that answer alone, and replaces the one before', async () => {
    const id = await report('corrected')
    await report('same-file')
    await correct(id, 'First')
    const second = await correct(id, 'Second')
    expect([await correctionsOf('corrected'), await correctionsOf('same-file')]).toEqual([['Second'], undefined])
    const correction = 'id' in (second as object) ? (second as { id: string }).id : ''
    expect(await open(id)).toMatchObject({ isCorrected: true, correction: { id: correction, text: 'Second' } })
    expect(await listAnswerCorrections(database, QUEUE)).toEqual([{ id: correction, agent: 'assistant', created_at: NOW }])
    expect(await listAnswerCorrections(database, { ...QUEUE, now: NOW + 30 * DAY_MS + 1 })).toEqual([])
    expect([await removeCorrection(database, correction, log('remove')), await removeCorrection(database, correction, log('x'))]).toEqual([
      true,
      false,
    ])
    expect(await correctionsOf('corrected')).toBeUndefined()
    expect(await correct('unknown', 'x')).toBe('not_found')
    expect(logged).toEqual(['correct', 'correct', 'read', 'remove'])
  })

  test('a correction of a file stands at every answer that names the same version of it', async () => {
    const id = await report('first')
    await report('second')
    await report('other-version', { asOf: '2026-11-02' })
    await report('other-file', { file: 'coffee.md' })
    await correct(id, 'At the answer')
    await correct(id, 'Old', 'tea.md')
    await correct(id, 'Of the file', 'tea.md')
    expect(await correct(id, 'x', 'coffee.md')).toBe('source_unknown')
    const found = await Promise.all(['first', 'second', 'other-version', 'other-file'].map(correctionsOf))
    expect(found).toEqual([['Of the file'], ['Of the file'], undefined, undefined])
    expect((await listSourceCorrections(database)).map(({ source: file, text }) => [file, text])).toEqual([['tea.md', 'Of the file']])
  })

  test('an answer is handed over once, newly if it changes, with the rating that it had', async () => {
    const first = await report('again')
    const hand = (reason: string, owner = 'c_again') =>
      insertReport(
        database,
        { id: 'again', access: accessOf(owner, NOW) },
        { message: 'again-answer', scope: 'answer', messages: [{ role: 'assistant', text: 'answer again' }], reason },
        reportOptions(10 * DAY_MS),
      )
    expect(await hand('No')).toMatchObject({ id: first })
    await decide(first)
    await giveFeedback(database, { id: 'again', access: accessOf('c_again', NOW) }, 'again-answer', { thumb: 'down' })
    const other = await report('bystander')
    const second = await hand('Still no')
    expect(second).toMatchObject({ reason: 'Still no', session: 'again', title: 'Chat again' })
    const listed = await listReports(database, QUEUE)
    expect(listed.map(({ id }) => id).toSorted()).toEqual([other, (second as { id: string }).id].toSorted())
    expect(listed.find(({ id }) => id !== other)).toMatchObject({ thumb: 'down', verdict: null, revision: 0 })
    expect(await hand('x', 'c_other')).toMatchObject({ kind: 'rejected', code: 'not_found' })
  })

  test('a report is withdrawn by its visitor alone', async () => {
    const [id, other] = [await report('withdrawn', { owner: 'c_one' }), await report('kept', { owner: 'c_two' })]
    expect(await withdrawReport(database, accessOf('c_two', NOW), id)).toBe(false)
    expect(await withdrawReport(database, accessOf(null, NOW), id)).toBe(false)
    expect(await withdrawReport(database, accessOf('c_one', NOW), id, 'kept')).toBe(false)
    expect(await withdrawReport(database, accessOf('c_one', NOW), id)).toBe(true)
    expect((await listReports(database, QUEUE)).map((listed) => listed.id)).toEqual([other])
  })
})
