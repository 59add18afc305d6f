import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { OwnReport, OwnReports } from '../../src/contract/reports.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { CorrectionList, OpenedReport, ReportQueue } from '../../src/contract/staff/reports.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

interface Reply<T> {
  status: number
  body: T
}

interface Chat {
  cookie: string
  session: string
  answer: string
}

describe.each(DATABASES)('reports on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'reports-'))
  let server: TestServer
  let reviewer: StaffClient
  let owner: StaffClient
  beforeAll(async () => {
    mkdirSync(join(directory, 'approved'))
    writeAnswer('Dog tax is 96 euros a year.')
    server = await startServer({ database, env: { ...WITH_CONSOLE, KNOWLEDGE_DIR: directory } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    reviewer = await owner.colleague('reviewer')
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    rmSync(directory, { recursive: true })
  })

  const writeAnswer = (text: string) =>
    writeFileSync(
      join(directory, 'approved', 'dog-tax.md'),
      `---\nquestion: How much is the dog tax?\nlanguages: [en]\nowner: Treasury\nsource: { title: Dog tax statute, url: "https://example.org/dogs" }\nvalidFrom: 2026-01-01\nvalidUntil: 9999-12-31\n---\n${text}\n`,
    )
  const asVisitor = async <T>({ cookie }: { cookie: string }, method: string, path: string, body?: object): Promise<Reply<T>> => {
    const response = await fetch(`${server.url}/api/v1/${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as T }
  }
  const detail = async ({ cookie, session }: Omit<Chat, 'answer'>) =>
    (await asVisitor<SessionDetail>({ cookie }, 'GET', `sessions/${session}`)).body
  async function chat(prompt = 'How much is the dog tax?'): Promise<Chat> {
    const reply = await sendPrompt(server.url, 'me', prompt)
    const cookie = cookieOf(reply)
    const { session_id: session } = (await reply.json()) as SendPromptReply
    const { messages } = await detail({ cookie, session })
    return { cookie, session, answer: messages.at(-1)?.id ?? '' }
  }
  const report = (of: Chat, body: object) =>
    asVisitor<OwnReport>(of, 'POST', `sessions/${of.session}/reports`, { message: of.answer, ...body })
  const mine = async (of: Chat) => (await asVisitor<OwnReports>(of, 'GET', 'me/reports')).body
  const queued = async (id: string) => (await reviewer.call<ReportQueue>('GET', 'reports')).body.reports.find((one) => one.id === id)
  const read = (id: string, who = reviewer) => who.call<OpenedReport>('POST', `reports/${id}/readings`, {})
  const corrections = async (of: Chat) => (await detail(of)).messages.map(({ metadata }) => metadata?.corrections?.map(({ text }) => text))

  test('give staff exactly what the visitor handed over, and tell the visitor of the reading', async () => {
    const told = await chat('cAnary-prompt')
    await asVisitor(told, 'POST', `sessions/${told.session}/feedback`, {
      message: told.answer,
      thumb: 'down',
      reason: 'cAnary-stored-reason',
    })
    const messages = [
      { role: 'user', text: 'cAnary-handed-over' },
      { role: 'assistant', text: '' },
    ]
    const { status, body } = await report(told, { scope: 'answer', messages, reason: 'cAnary-reason' })
    expect(status).toBe(200)
    const list = await reviewer.call<ReportQueue>('GET', 'reports')
    expect(JSON.stringify(list.body)).not.toContain('cAnary')
    expect(await queued(body.id)).toMatchObject({ scope: 'answer', agent: 'assistant', thumb: 'down', verdict: null, readings: 0 })
    const opened = await read(body.id)
    expect(opened.body).toMatchObject({ messages, reason: 'cAnary-reason', readings: 1 })
    expect(JSON.stringify(opened.body)).not.toMatch(/cAnary-(prompt|stored)/)
    expect(JSON.stringify(opened.body)).not.toContain(told.session)
    expect(await mine(told)).toMatchObject({
      reports: [{ id: body.id, messages }],
      readings: [{ report: body.id, role: 'reviewer', at: expect.stringMatching(/Z$/) }],
    })
    const { body: log } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    expect(log.entries[0]).toMatchObject({ action: 'report.read', actorName: expect.stringMatching(/^reviewer/) })
    expect(JSON.stringify(log)).not.toContain('cAnary')
  })

  test('are the same when sent again, and replaced by another one of the same answer', async () => {
    const own = await chat()
    const body = { scope: 'rating', reason: 'first' }
    const first = await report(own, body)
    expect((await report(own, body)).body.id).toBe(first.body.id)
    const second = await report(own, { ...body, reason: 'second' })
    expect((await mine(own)).reports.map(({ id, reason }) => [id, reason])).toEqual([[second.body.id, 'second']])
    expect(await queued(first.body.id)).toBeUndefined()
  })

  test('end with their withdrawal, and with their chat; a reading stays told', async () => {
    const own = await chat()
    const { body } = await report(own, { scope: 'rating' })
    await read(body.id)
    const stranger = await chat()
    expect(await asVisitor(stranger, 'DELETE', `reports/${body.id}`)).toMatchObject({ status: 404 })
    expect(await asVisitor({ cookie: '' }, 'DELETE', `reports/${body.id}`)).toMatchObject({ status: 404 })
    expect(await asVisitor(own, 'DELETE', `reports/${body.id}`)).toMatchObject({ status: 200 })
    expect(await mine(own)).toMatchObject({ reports: [], readings: [{ report: body.id }] })
    expect(await read(body.id)).toMatchObject({ status: 404 })
    const again = await report(own, { scope: 'rating' })
    await reviewer.call('POST', `reports/${again.body.id}/correction`, { text: 'Wrong' })
    const { body: deletion } = await asVisitor<{ receipt: { deleted: object } }>(own, 'DELETE', `sessions/${own.session}`)
    expect(deletion.receipt.deleted).toMatchObject({ reports: 1, readings: 1, corrections: 1 })
    expect(await queued(again.body.id)).toBeUndefined()
    expect(await read(again.body.id)).toMatchObject({ status: 404 })
  })

  test('are bounded in size and number, and not for others or temporary chats', async () => {
    const own = await chat()
    const long = { role: 'user', text: 'a'.repeat(60_000) }
    expect(await report(own, { scope: 'chat', messages: [long, long] })).toMatchObject({ status: 413, body: { code: 'report_too_large' } })
    for (const body of [
      { scope: 'answer' },
      { scope: 'rating', messages: [{ role: 'user', text: 'a' }] },
      { scope: 'everything' },
      { scope: 'rating', reason: 'a'.repeat(1_001) },
      { scope: 'chat', messages: Array.from({ length: 201 }, () => ({ role: 'user', text: '' })) },
    ])
      expect(await report(own, body)).toMatchObject({ status: 400 })
    const stranger = await chat()
    expect(await report({ ...own, cookie: stranger.cookie }, { scope: 'rating' })).toMatchObject({ status: 404 })
    expect(await report({ ...own, answer: `m_${'A'.repeat(21)}` }, { scope: 'rating' })).toMatchObject({ status: 404 })
    const chats = [own.session]
    for (let count = 1; count < 21; count += 1) {
      const reply = await sendPrompt(server.url, 'me', 'How much is the dog tax?', { headers: { cookie: own.cookie } })
      chats.push(((await reply.json()) as SendPromptReply).session_id)
    }
    const replies = []
    for (const session of chats) {
      const { messages } = await detail({ ...own, session })
      replies.push(await report({ ...own, session, answer: messages[1]?.id ?? '' }, { scope: 'rating' }))
    }
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })

  test('keep the first of two verdicts on the same state', async () => {
    const own = await chat()
    const { id } = (await report(own, { scope: 'rating' })).body
    const decide = (verdict: string, revision: number) =>
      reviewer.call('POST', `reports/${id}/verdict`, { verdict, fix: 'dog-tax.md', revision })
    expect(await decide('outdated', 0)).toMatchObject({ status: 200, body: { verdict: 'outdated', fix: 'dog-tax.md', revision: 1 } })
    expect(await decide('fine', 0)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect(await queued(id)).toMatchObject({ verdict: 'outdated' })
    expect(await decide('perfect', 1)).toMatchObject({ status: 400 })
  })

  test('lead to a correction at the answer, in the page’s call and the export', async () => {
    const [own, other] = [await chat('hello'), await chat('hello')]
    const { id } = (await report(own, { scope: 'rating' })).body
    const correct = (text: string, source?: string) =>
      reviewer.call('POST', `reports/${id}/correction`, { text, ...(source && { source }) })
    expect(await correct('Not so', 'another.md')).toMatchObject({ status: 422, body: { code: 'source_unknown' } })
    expect(await correct(' ')).toMatchObject({ status: 400 })
    expect(await correct('First try')).toMatchObject({ status: 200 })
    expect(await correct('It is **97** <img src=x onerror=alert(1)>')).toMatchObject({ status: 200 })
    const text = 'It is **97** <img src=x onerror=alert(1)>'
    expect(await corrections(own)).toEqual([undefined, [text]])
    expect(await corrections(other)).toEqual([undefined, undefined])
    const exported = await fetch(`${server.url}/api/v1/sessions/${own.session}/export`, { headers: { cookie: own.cookie } })
    expect(await exported.text()).toContain(`**Correction by staff, `)
    const { body: document } = await asVisitor<object>(own, 'GET', `sessions/${own.session}/export?format=json`)
    expect(JSON.stringify(document)).toContain('"corrections"')
    const { correction } = (await read(id)).body
    const { body: list } = await reviewer.call<CorrectionList>('GET', 'corrections')
    expect(list.corrections).toContainEqual(expect.objectContaining({ id: correction?.id, source: null, text: null, agent: 'assistant' }))
    await asVisitor(own, 'DELETE', `reports/${id}`)
    expect(await reviewer.call('DELETE', `corrections/${correction?.id}`)).toMatchObject({ status: 200 })
    expect(await corrections(own)).toEqual([undefined, undefined])
    expect(await reviewer.call('DELETE', `corrections/${correction?.id}`)).toMatchObject({ status: 404 })
  })

  test('lead to a correction at every answer with the same approved answer, until its text changes or staff remove it', async () => {
    const [own, other, unrelated] = [await chat(), await chat(), await chat('hello')]
    const { id } = (await report(own, { scope: 'rating' })).body
    const source = 'approved/dog-tax.md'
    expect((await read(id)).body.sources).toEqual([source])
    expect(await reviewer.call('POST', `reports/${id}/correction`, { text: 'Now 99 euros', source })).toMatchObject({ status: 200 })
    const later = await chat()
    for (const one of [own, other, later]) expect(await corrections(one)).toEqual([undefined, ['Now 99 euros']])
    expect(await corrections(unrelated)).toEqual([undefined, undefined])
    const { body } = await reviewer.call<CorrectionList>('GET', 'corrections')
    expect(body.corrections).toMatchObject([{ source, text: 'Now 99 euros' }])
    writeAnswer('Dog tax is 99 euros a year.')
    await eventually(async () => expect(await corrections(await chat())).toEqual([undefined, undefined]))
    expect(await corrections(other)).toEqual([undefined, ['Now 99 euros']])
    // The report's chat may go: the correction is about the document.
    await asVisitor(own, 'DELETE', `sessions/${own.session}`)
    expect(await corrections(other)).toEqual([undefined, ['Now 99 euros']])
    expect(await reviewer.call('DELETE', `corrections/${body.corrections[0]?.id}`)).toMatchObject({ status: 200 })
    expect(await corrections(other)).toEqual([undefined, undefined])
  })
})
