import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessOf, storeChat } from '../../../test/support/stored-chats.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { recordAcceptedPrompt } from '../store/visitors/accepted-notices.ts'
import { type ReportContext, type ReportFacts, reportData, reportSentences } from './data-report.ts'
import type { Caller } from './resolve.ts'
import { translateInto } from '../translations/translations.ts'

const NOW = Date.UTC(2026, 10, 21)
const COOKIES = { visitor: 'visitor', consent: 'privacy-consent' }
const FACTS: ReportFacts = {
  storage: 'sqlite',
  retentionDays: 30,
  model: { label: 'a model', provider: null },
  contact: 'privacy@example.org',
  logLevel: 'info',
  checkedBy: null,
  redis: false,
  lookups: null,
  staffReading: false,
}

/** The report's English sentences. */
const said = (change: Partial<ReportContext> = {}) =>
  translateInto('en', (translate) => reportSentences({ ...FACTS, isShared: false, cookies: COOKIES, ...change }, translate, 'en')).text

describe('what is stored', () => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase('sqlite')
    const newVisitor = { id: 'v_one', keyHash: 'one' }
    await storeChat(opened.database, { id: 'first', owner: 'v_one', at: NOW, newVisitor })
    await storeChat(opened.database, { id: 'second', owner: 'v_one', at: NOW })
    await storeChat(opened.database, { id: 'theirs', owner: 'v_two', at: NOW, newVisitor: { id: 'v_two', keyHash: 'two' } })
    const acceptance = { owner: 'v_one', session: 'first', position: 1, arrivedAt: NOW, now: NOW }
    await recordAcceptedPrompt(opened.database, { ...acceptance, version: 'v1' })
  })
  afterAll(() => opened.remove())

  const reportOf = async (owner: string | null, { endsAt, language = 'en' }: { endsAt?: number; language?: string } = {}) => {
    const access = { ...accessOf(owner, NOW), ...(endsAt !== undefined && { endsAt }) }
    const sub = owner?.startsWith('v_') ? owner : null
    const caller: Caller = { access, sub, lists: owner, agent: null, continues: true, staleCookie: false, key: null }
    return reportData(opened.database, FACTS, caller, { cookies: COOKIES, language })
  }

  test('is counted by kind, for the caller alone and without what they have none of', async () => {
    const { visitor, stored, acceptedNotices, endsAt, model, contact } = await reportOf('v_one')
    expect(visitor).toBe('v_one')
    expect(Object.fromEntries(stored.map(({ kind, count }) => [kind, count]))).toEqual({
      visitor: 1,
      devices: 1,
      'accepted notices': 1,
      chats: 2,
      messages: 4,
      answers: 2,
      'messages open to staff': 1,
    })
    expect(acceptedNotices).toEqual([{ version: 'v1', at: new Date(NOW).toISOString() }])
    expect([endsAt, contact]).toEqual([null, 'privacy@example.org'])
    expect(model).toMatchObject({ label: 'a model', provider: null, sees: expect.stringContaining('on this server') })
    expect((await reportOf('v_two')).acceptedNotices).toEqual([])
  })

  test('is nothing for who has sent nothing yet', async () => {
    expect(await reportOf(null)).toMatchObject({ visitor: null, stored: [], acceptedNotices: [] })
    expect(await reportOf('c_nobody')).toMatchObject({ visitor: null, stored: [], acceptedNotices: [] })
  })

  test('ends with the key of a shared computer', async () => {
    const { endsAt, retention, cookies } = await reportOf('v_one', { endsAt: NOW + 1000 })
    expect(endsAt).toBe(new Date(NOW + 1000).toISOString())
    expect(retention).toContain('everything is deleted 2 hours after the last use')
    expect(cookies[0]).toMatchObject({ name: 'visitor', lasts: 'until you close the browser' })
  })

  test('is described in the visitor’s language', async () => {
    expect(await reportOf('v_one', { language: 'de' })).toMatchObject({ language: 'de', retention: expect.stringContaining('30 Tage') })
    expect(await reportOf('v_one', { language: 'tlh' })).toMatchObject({ language: 'en', retention: expect.stringContaining('30 days') })
  })
})

test('says where data is stored, and what passes through Redis', () => {
  expect(said().storage).toBe('Stored in a database file on this server. Deleted data is overwritten.')
  expect(said({ storage: 'postgres' }).storage).toContain('PostgreSQL')
  expect(said({ redis: true }).storage).toMatch(/overwritten\. The server’s processes notify each other through Redis/)
})

test('says who receives messages, and that nobody does only where that is so', () => {
  const nobody = 'Your messages aren’t sent to anyone else.'
  expect(said().sees).toBe(`Answers are generated on this server. ${nobody}`)
  const checked = said({ checkedBy: 'checks.example.org' }).sees
  expect(checked).toMatch(/^Answers are generated on this server\. Your messages and the answers are sent to checks\.example\.org/)
  const looked = said({ lookups: 'search.example.org' }).sees
  expect(looked).toContain('Searches for an answer, which may contain your words, are sent to search.example.org.')
  const sent = said({ model: { label: 'a model', provider: 'model.example.org' }, checkedBy: 'checks.example.org' }).sees
  expect(sent).toMatch(/are sent to model\.example\.org\..* are sent to checks\.example\.org/)
  for (const text of [checked, looked, sent]) expect(text).not.toContain(nobody)
})

test('says that staff can read, where they can', () => {
  expect(said({ staffReading: true }).sees).toMatch(/^The operator’s staff can read the messages.*Answers are generated on this server/)
  expect(said().sees).not.toContain('staff')
})

test('names each cookie', () => {
  expect(said().cookies.map(({ name }) => name)).toEqual(['visitor', 'privacy-consent'])
  expect(said().cookies[0]).toEqual({
    name: 'visitor',
    purpose: 'The key to your chats. The server stores only its hash.',
    lasts: '30 days after your last message',
  })
  expect(said().logs).toContain('level “info”')
})
