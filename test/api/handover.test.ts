import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { OwnReport, OwnReports } from '../../src/contract/reports.ts'
import type { OpenedReport, ReportQueue } from '../../src/contract/staff/reports.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const AGENT = `---
name: Helper
greeting: Hello.
policy:
  handover:
    messages: true
    contacts:
      - { label: { en: 'Call [us]', de: Anrufen }, url: 'tel:+49301234' }
    hours: { timeZone: Europe/Berlin, open: ['Mon-Sun 00:00-24:00'] }
---
You help.
`

interface Reply<T> {
  status: number
  body: T
}

describe.each(DATABASES)('a way to a person on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'handover-'))
  let model: ScriptedModel
  let server: TestServer
  let owner: StaffClient
  let reviewer: StaffClient
  beforeAll(async () => {
    writeFileSync(join(directory, 'assistant.md'), AGENT)
    model = await startScriptedModel()
    const env = { ...WITH_CONSOLE, AGENTS_DIR: directory, OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' }
    server = await startServer({ database, env })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    reviewer = await owner.colleague('reviewer')
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
    rmSync(directory, { recursive: true })
  })

  const call = async <T>(cookie: string, method: string, path: string, body?: object): Promise<Reply<T>> => {
    const response = await fetch(`${server.url}/api/v1/${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as T }
  }
  const ask = async (prompt: string) => {
    const reply = await sendPrompt(server.url, 'me', prompt)
    const cookie = cookieOf(reply)
    const { session_id: session, response, state } = (await reply.json()) as SendPromptReply
    const messages = async () => (await call<SessionDetail>(cookie, 'GET', `sessions/${session}`)).body.messages
    return { cookie, session, response, state, messages }
  }

  test('is told without a model to whoever asks for one, in the language of the prompt', async () => {
    model.script(() => ({ steps: [{ text: 'From the model' }] }))
    const english = await ask('I want to talk to a human')
    expect(english).toMatchObject({
      state: 'referred',
      response: 'You can reach a person here:\n\n- [Call \\[us\\]](tel:+49301234)',
    })
    expect((await english.messages()).at(-1)?.metadata).toMatchObject({ fixedReply: 'person' })
    expect((await ask('Kann ich bitte mit einem Mitarbeiter sprechen?')).response).toContain('[Anrufen](tel:+49301234)')
    expect(model.requests).toHaveLength(0)
    expect((await ask('Are you a human?')).response).toBe('From the model')
    expect(model.requests).toHaveLength(1)
  })

  test('is in the configuration of the page, and the notice names it', async () => {
    const { body } = await call<PublicConfiguration>('', 'GET', 'config?language=de')
    expect(body.agent.handover).toEqual({
      messages: true,
      contacts: [{ label: 'Anrufen', url: 'tel:+49301234' }],
      presence: { isOpen: true, until: null, timeZone: 'Europe/Berlin' },
    })
    const { body: notice } = await call<{ markdown: string }>('', 'GET', 'privacy-notice')
    expect(notice.markdown).toContain('a message that you leave our staff')
  })

  test('is told while staff have stopped answers', async () => {
    const stop = await owner.call<{ id: string }>('POST', 'stops', { scope: 'all', reason: 'test' })
    expect(stop.status).toBe(200)
    expect((await ask('I want to talk to a human')).response).toContain('tel:+49301234')
    expect((await ask('How do I get a fence permit?')).state).toBe('suspended')
    expect(await owner.call('DELETE', `stops/${stop.body.id}`)).toMatchObject({ status: 200 })
  })

  test('takes no message where the policy has none', async () => {
    model.script(() => ({ steps: [{ text: 'No idea' }] }))
    writeFileSync(join(directory, 'plain.md'), '---\nname: Plain\ngreeting: Hello.\n---\nYou help.\n')
    await expect.poll(async () => (await call<PublicConfiguration>('', 'GET', 'config')).body.agents.length).toBe(2)
    const reply = await sendPrompt(server.url, 'plain', 'How do I get a fence permit?')
    const cookie = cookieOf(reply)
    const { session_id: session } = (await reply.json()) as SendPromptReply
    const { body } = await call<SessionDetail>(cookie, 'GET', `sessions/${session}`)
    const question = { message: body.messages[0]?.id, scope: 'rating', reason: 'Please call me' }
    expect(await call(cookie, 'POST', `sessions/${session}/reports`, question)).toMatchObject({ status: 404 })
  })

  test('is declared by a model that reads a request in other words', async () => {
    model.script(() => ({ steps: [{ text: 'Of course.\n<outcome>referred</outcome>' }] }))
    const { messages, response, state } = await ask('This goes nowhere, who else could I turn to about my bins')
    expect({ response, state }).toEqual({ response: 'Of course.', state: 'referred' })
    expect((await messages()).at(-1)?.metadata).not.toHaveProperty('fixedReply')
  })

  test('takes a message about a prompt, whose reply the visitor finds at it, in the export, and can withdraw', async () => {
    model.script(() => ({ steps: [{ text: 'No idea' }] }))
    const { cookie, session, messages } = await ask('How do I get a fence permit?')
    const [prompt] = await messages()
    const send = (body: object) =>
      call<OwnReport>(cookie, 'POST', `sessions/${session}/reports`, { message: prompt?.id, scope: 'answer', ...body })
    const content = { messages: [{ role: 'user', text: 'a fence' }], reason: 'Please tell me how. ada@example.org' }
    expect(await send({ ...content, reason: ' ' })).toMatchObject({ status: 400 })
    const { body: sent } = await send(content)
    expect(sent).toMatchObject({ kind: 'question', reason: content.reason })
    expect((await messages())[0]?.metadata).toMatchObject({ askedStaff: { at: sent.createdAt, isClosed: false } })

    const queue = async () => (await reviewer.call<ReportQueue>('GET', 'reports')).body.reports.find(({ id }) => id === sent.id)
    expect(await queue()).toMatchObject({ kind: 'question', verdict: null, isCorrected: false })
    const edited = await sendPrompt(server.url, 'me', 'How do I get a fence permit, please?', {
      session,
      headers: { cookie },
      body: { edits: prompt?.id },
    })
    expect(edited.status).toBe(200)
    const { body: opened } = await reviewer.call<OpenedReport>('POST', `reports/${sent.id}/readings`, {})
    expect(opened).toMatchObject({ kind: 'question', ...content, sources: [] })
    const reply = (text: string) => reviewer.call('POST', `reports/${sent.id}/correction`, { text, replaces: null })
    expect(await reply('Ask **room 3**.')).toMatchObject({ status: 200 })
    expect(await reply('Ask room 4.')).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect(await queue()).toMatchObject({ verdict: 'fine', isCorrected: true })

    expect((await messages()).map(({ metadata }) => metadata?.corrections?.[0]?.text)).toEqual(['Ask **room 3**.', undefined])
    const exported = await fetch(`${server.url}/api/v1/sessions/${session}/export`, { headers: { cookie } })
    expect(await exported.text()).toMatch(/How do I get a fence permit, please\?[^]*\*\*Reply by staff, [\d-]+:\*\* Ask \*\*room 3\*\*\./)
    expect((await call<OwnReports>(cookie, 'GET', 'me/reports')).body).toMatchObject({
      reports: [{ id: sent.id, kind: 'question', reply: 'Ask **room 3**.' }],
      readings: [{ report: sent.id, role: 'reviewer' }],
    })
    expect(await call(cookie, 'DELETE', `reports/${sent.id}`)).toMatchObject({ status: 200 })
    expect((await messages())[0]?.metadata).not.toHaveProperty('askedStaff')
    expect(await queue()).toBeUndefined()
  })
})
