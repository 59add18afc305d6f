import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { PrivacyNotice, PublicConfiguration } from '../../src/contract/config.ts'
import type { OwnReports } from '../../src/contract/reports.ts'
import type { DataReport } from '../../src/contract/rights.ts'
import type { ChatList, OpenedChat } from '../../src/contract/staff/chats.ts'
import type { StaffSession } from '../../src/contract/staff/session.ts'
import type { InstallationStatus } from '../../src/contract/staff/status.ts'
import { cookieOf } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient } from '../support/staff-client.ts'

/** More than a page of the list. */
const MANY = 26

interface Reply<T> {
  status: number
  body: T
}

interface Chat {
  cookie: string
  session: string
}

describe.each(DATABASES)('reading by staff on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  let reviewer: StaffClient
  let version: string
  beforeAll(async () => {
    server = await startServer({ database, env: { CONSOLE_PORT: String(await freePort()), STAFF_READING: 'all' } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    reviewer = await owner.colleague('reviewer')
    version = (await configuration()).privacy.noticeVersion
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
  })

  const configuration = async () => (await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration
  const asVisitor = async <T>({ cookie }: Pick<Chat, 'cookie'>, method: string, path: string): Promise<Reply<T>> => {
    const response = await fetch(`${server.url}/api/v1/${path}`, { method, headers: { cookie } })
    return { status: response.status, body: (await response.json()) as T }
  }

  /** Sends a prompt, as a new visitor or in a chat. */
  async function say(prompt: string, body: object = {}, { cookie, session }: Partial<Chat> = {}, id = 'me'): Promise<Chat> {
    const response = await fetch(`${server.url}/api/v1/agent/chat/${id}${session ? `?session_id=${session}` : ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie && { cookie }) },
      body: JSON.stringify({ prompt, ...body }),
    })
    expect(response.status).toBe(200)
    const { session_id: said } = (await response.json()) as SendPromptReply
    // A client that chose its own id gets no cookie, nor one that only knows the chat's.
    const isNew = id === 'me' && session === undefined
    return { cookie: cookie ?? (isNew ? cookieOf(response) : ''), session: said }
  }
  const accepted = () => ({ acceptedNotice: version })
  const list = async () => (await reviewer.call<ChatList>('GET', 'chats')).body.chats
  const read = (id: string, who = reviewer) => who.call<OpenedChat>('POST', `chats/${id}/readings`, {})
  /** The chat that `act` adds to the list, and nothing else. */
  async function added(act: () => Promise<Chat>) {
    const before = new Set((await list()).map(({ id }) => id))
    const own = await act()
    const found = (await list()).filter(({ id }) => !before.has(id))
    expect(found).toHaveLength(1)
    return { own, listed: found[0]! }
  }
  const textsOf = ({ messages }: OpenedChat) => messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  const readingsOf = async (own: Chat) => (await asVisitor<OwnReports>(own, 'GET', 'me/reports')).body.readings
  const storedOf = async (own: Chat) => {
    const { stored } = (await asVisitor<DataReport>(own, 'GET', 'me/data')).body
    return Object.fromEntries(stored.map(({ kind, count }) => [kind, count]))
  }

  test('is said by the notice in each language, the configuration, the start, the state and the doctor', async () => {
    expect((await configuration()).privacy).toMatchObject({ staffReading: true })
    const notice = async (language: string) =>
      (await (await fetch(`${server.url}/api/v1/privacy-notice?language=${language}`)).json()) as PrivacyNotice
    expect((await notice('en')).markdown).toMatch(/^## Privacy notice\n\n\*\*Our staff can read the messages/)
    expect((await notice('de')).markdown).toMatch(/^## Datenschutzhinweis\n\n\*\*Unser Team kann die Nachrichten lesen/)
    expect(await notice('ar')).toMatchObject({ version, language: 'ar' })
    await eventually(() => expect(server.output()).toContain('(STAFF_READING=all)'))
    expect((await owner.call<InstallationStatus>('GET', 'status')).body).toMatchObject({ staffReading: true })
    const env = { ...server.env, PORT: new URL(server.url).port }
    expect((await runOperatorCommand(env, ['status'])).output).toMatch(/^Staff reading +Staff can read/m)
    expect((await runOperatorCommand(env, ['doctor', '--no-model'])).output).toMatch(/^warning +settings +Staff can read/m)
    const data = await asVisitor<DataReport>({ cookie: '' }, 'GET', 'me/data')
    expect(data.body.model.sees).toMatch(/^The operator’s staff can read/)
  })

  test('opens what was sent after the acceptance, and tells the audit log and the visitor', async () => {
    const { own, listed } = await added(() => say('cAnary-one hello', accepted()))
    expect(listed).toMatchObject({ agent: 'assistant', messages: 2, readings: 0, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    expect(listed.states).toEqual([{ state: expect.any(String), count: 1 }])
    expect(JSON.stringify(await list())).not.toContain('cAnary')
    expect(JSON.stringify(await list())).not.toContain(own.session)
    const opened = await read(listed.id)
    expect(opened).toMatchObject({ status: 200, body: { hidden: 0, readings: 1 } })
    expect(opened.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(textsOf(opened.body)).toEqual(['cAnary-one hello'])
    expect(JSON.stringify(opened.body)).not.toContain(own.session)
    expect(await readingsOf(own)).toEqual([
      { report: null, title: 'cAnary-one hello', role: 'reviewer', at: expect.stringMatching(/Z$/) as string },
    ])
    const { body: log } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    expect(log.entries[0]).toMatchObject({ action: 'chat.read', actorName: expect.stringMatching(/^reviewer/) })
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`cAnary|${own.session}|${listed.id}`))
    const { body: privacy } = await owner.call<{ readings: object[] }>('GET', 'privacy')
    expect(privacy).toMatchObject({ staffReading: true, readings: [{ what: 'chat', role: 'reviewer' }] })
    const { body: data } = await asVisitor<DataReport>(own, 'GET', 'me/data')
    expect(data.acceptedNotices).toEqual([{ version, at: expect.stringMatching(/Z$/) as string }])
    expect(await storedOf(own)).toMatchObject({ 'accepted notices': 1, 'messages open to staff': 1, readings: 1 })
  })

  test('hides what was sent before, and answers that may repeat it', async () => {
    const { listed } = await added(async () => {
      const before = await say('cAnary-before hello')
      return say('cAnary-after hello', accepted(), before)
    })
    expect(listed).toMatchObject({ messages: 1, states: [] })
    const { body } = await read(listed.id)
    expect(body).toMatchObject({ hidden: 3 })
    expect(textsOf(body)).toEqual(['cAnary-after hello'])
    expect(JSON.stringify(body)).not.toContain('cAnary-before')
  })

  test('keeps a later message of a client that records no acceptance closed, and the answers after it', async () => {
    const own = await say('cAnary-first hello', accepted())
    await say('cAnary-other-device hello', {}, own)
    const { listed } = await added(() => say('cAnary-third hello', accepted(), own))
    const { body } = await read(listed.id)
    expect(textsOf(body)).toEqual(['cAnary-first hello', 'cAnary-third hello'])
    expect(body).toMatchObject({ hidden: 3 })
    expect(JSON.stringify(body)).not.toContain('cAnary-other')
  })

  test.each([
    ['no recorded consent', {}],
    ['another version of the notice', { acceptedNotice: '0'.repeat(16) }],
    ['a temporary chat', { acceptedNotice: 'current', temporary: true }],
  ])('never opens a chat with %s', async (_, body) => {
    const before = await list()
    const own = await say('cAnary-closed hello', {
      ...body,
      ...('acceptedNotice' in body && body.acceptedNotice === 'current' && accepted()),
    })
    expect(await list()).toEqual(before)
    expect(await storedOf(own)).not.toHaveProperty('accepted notices')
  })

  test('never opens a chat of a client that chose its own id, nor by the acceptance of somebody who only knows its id', async () => {
    const before = await list()
    await say('cAnary-chosen hello', accepted(), {}, `client-${'x7'.repeat(16)}`)
    const { session } = await say('cAnary-by-id hello')
    await say('cAnary-stranger hello', accepted(), { session })
    expect(await list()).toEqual(before)
  })

  test('rejects what can’t be a version', async () => {
    const response = await fetch(`${server.url}/api/v1/agent/chat/me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'hello', acceptedNotice: 'true' }),
    })
    expect(response.status).toBe(400)
  })

  test('ends with the withdrawal; a later acceptance opens only what is sent after it', async () => {
    const { own, listed } = await added(() => say('cAnary-old hello', accepted()))
    await read(listed.id)
    const [stranger, nobody] = [await say('hello'), { cookie: '' }]
    for (const caller of [stranger, nobody])
      expect(await asVisitor(caller, 'DELETE', 'me/accepted-notices')).toMatchObject({ status: 200, body: { withdrawn: true } })
    expect((await list()).map(({ id }) => id)).toContain(listed.id)
    expect(await asVisitor(own, 'DELETE', 'me/accepted-notices')).toMatchObject({ status: 200, body: { withdrawn: true } })
    expect((await list()).map(({ id }) => id)).not.toContain(listed.id)
    expect(await read(listed.id)).toMatchObject({ status: 404 })
    expect(await storedOf(own)).not.toHaveProperty('accepted notices')
    expect(await readingsOf(own)).toHaveLength(1)
    const again = await added(() => say('cAnary-new hello', accepted(), own))
    const { body } = await read(again.listed.id)
    expect(textsOf(body)).toEqual(['cAnary-new hello'])
    expect(JSON.stringify(body)).not.toContain('cAnary-old')
  })

  test('is deleted with the chat and with the visitor, and the receipt says so', async () => {
    const { own, listed } = await added(() => say('hello', accepted()))
    await read(listed.id)
    const chat = await asVisitor<{ receipt: { deleted: object } }>(own, 'DELETE', `sessions/${own.session}`)
    expect(chat.body.receipt.deleted).toMatchObject({ 'messages open to staff': 1, readings: 1 })
    expect(await read(listed.id)).toMatchObject({ status: 404 })
    const everything = await asVisitor<{ receipt: { deleted: object } }>(own, 'DELETE', 'me')
    expect(everything.body.receipt.deleted).toMatchObject({ 'accepted notices': 1 })
  })

  test('is for reviewers, editors and owners who have just signed in', async () => {
    const { own, listed } = await added(() => say('hello', accepted()))
    const viewer = await owner.colleague('viewer')
    expect((await viewer.call<StaffSession>('GET', 'session')).body).toMatchObject({ readsChats: false })
    expect(await viewer.call('GET', 'chats')).toMatchObject({ status: 403, body: { code: 'role_insufficient' } })
    expect(await read(listed.id, viewer)).toMatchObject({ status: 403, body: { code: 'role_insufficient' } })
    expect(await readingsOf(own)).toEqual([])
    for (const role of ['editor', 'owner'] as const) {
      const person = await owner.colleague(role)
      expect((await person.call<StaffSession>('GET', 'session')).body).toMatchObject({ readsChats: true })
      expect(await read(listed.id, person)).toMatchObject({ status: 200 })
    }
    expect((await readingsOf(own)).map(({ role }) => role)).toEqual(['owner', 'editor'])
  })

  test('lists page by page, each chat once', async () => {
    const known = (await list()).map(({ id }) => id)
    for (let made = 0; made < MANY; made += 1) await say('hello', accepted())
    const first = (await reviewer.call<ChatList>('GET', 'chats')).body
    expect(first.chats).toHaveLength(25)
    const second = (await reviewer.call<ChatList>('GET', `chats?after=${first.next}`)).body
    const ids = [...first.chats, ...second.chats].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(known))
    expect(ids).toHaveLength(known.length + MANY)
    expect(await reviewer.call('GET', `chats?after=${'0'.repeat(16)}`)).toMatchObject({ status: 404 })
    expect(await reviewer.call('GET', 'chats?after=x')).toMatchObject({ status: 400 })
  })

  test('hides everything once it is switched off, for good, and records nothing then', async () => {
    const { own, listed } = await added(() => say('cAnary-switched hello', accepted()))
    server.env['STAFF_READING'] = 'reports'
    await server.restart()
    const off = await configuration()
    expect(off.privacy).toMatchObject({ staffReading: false })
    expect(off.privacy.noticeVersion).not.toBe(version)
    expect(await reviewer.call('GET', 'chats')).toMatchObject({ status: 404 })
    expect(await read(listed.id)).toMatchObject({ status: 404 })
    expect((await reviewer.call<StaffSession>('GET', 'session')).body).toMatchObject({ readsChats: false })
    expect(await asVisitor(own, 'DELETE', 'me/accepted-notices')).toMatchObject({ status: 404 })
    await eventually(async () => expect(await storedOf(own)).not.toHaveProperty('accepted notices'))
    for (const acceptedNotice of [version, off.privacy.noticeVersion]) await say('cAnary-while-off hello', { acceptedNotice }, own)
    expect(await storedOf(own)).not.toHaveProperty('accepted notices')
    server.env['STAFF_READING'] = 'all'
    await server.restart()
    expect((await configuration()).privacy.noticeVersion).toBe(version)
    expect(await list()).toEqual([])
    const again = await added(() => say('cAnary-again hello', accepted(), own))
    const { body } = await read(again.listed.id)
    expect(textsOf(body)).toEqual(['cAnary-again hello'])
  })
})
