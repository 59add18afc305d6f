import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import type { StoredFile } from '../../src/contract/chat/files.ts'
import type { Problem } from '../../src/contract/problem.ts'
import { cookieOf, listSessions, sendPrompt, spoken } from '../support/api.ts'
import { isStored } from '../support/stored-text.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const CARD = '4111 1111 1111 1111'
const IBAN = 'DE89 3704 0044 0532 0130 00'
const INVALID = '4111 1111 1111 1112'

describe('personal data', () => {
  let server: TestServer
  let model: ScriptedModel
  let agents: string
  beforeAll(async () => {
    model = await startScriptedModel()
    agents = mkdtempSync(join(tmpdir(), 'parley-personal-data-'))
    writeFileSync(join(agents, 'assistant.md'), '---\nid: assistant\nname: A\ngreeting: Hello\n---\nBe kind.\n')
    writeFileSync(join(agents, 'open.md'), '---\nid: open\nname: O\ngreeting: Hello\npersonalData: allow\n---\nBe kind.\n')
    writeFileSync(join(agents, 'strict.md'), '---\nid: strict\nname: S\ngreeting: Hello\npersonalData:\n  email: refuse\n---\nBe strict.\n')
    server = await startServer({
      database: 'sqlite',
      env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', AGENTS_DIR: agents, PERSONAL_DATA: 'card:refuse,iban:mask,telephone:ask' },
    })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    rmSync(agents, { recursive: true })
  })

  const upload = (content: string) =>
    fetch(`${server.url}/api/v1/files?name=notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
    })

  test('refuses with kinds and positions, and neither stores the prompt nor calls the model', async () => {
    const headers = { cookie: cookieOf(await sendPrompt(server.url, 'me', 'hi')) }
    const requests = model.requests.length
    const refused = await sendPrompt(server.url, 'me', `  my card is ${CARD}, thanks`, { headers })
    const problem = (await refused.json()) as Problem
    expect([refused.status, problem.code]).toEqual([422, 'personal_data'])
    expect(problem.personalData).toEqual([{ kind: 'card', start: 11, end: 30 }])
    expect(JSON.stringify(problem)).not.toMatch(/(?<![\w-])1111(?![\w-])|4111111111111111/)
    expect(model.requests).toHaveLength(requests)
    expect((await listSessions(server.url, 'me', headers)).map(spoken)).toHaveLength(1)
  })

  test('leaves out of the context of a page what has personal data, also for another answer, and stores nothing of it', async () => {
    const context = { title: 'Extending a loan', account: `Pay to ${IBAN}`, contact: '+49 30 901820' }
    const sent = await sendPrompt(server.url, 'me', 'Until when?', { body: { context } })
    const headers = { cookie: cookieOf(sent), 'content-type': 'application/json' }
    const { session_id: key } = (await sent.json()) as { session_id: string }
    const expected = () => {
      const request = JSON.stringify(model.requests.at(-1))
      expect(request).toContain('Extending a loan')
      expect(request).not.toMatch(/3704|901820/)
    }
    expected()
    const count = model.requests.length
    const again = { method: 'POST', headers, body: JSON.stringify({ context }) }
    expect((await fetch(`${server.url}/api/v1/sessions/${key}/regenerate`, again)).status).toBe(200)
    await expect.poll(() => model.requests.length).toBe(count + 1)
    expected()
    expect(await isStored(server, 'Extending a loan')).toBe(false)
  })

  test.each([
    ['an object', { page: { title: 'Deep' } }],
    ['a key with a space', { 'the page': 'A' }],
    ['a text of 501 characters', { page: 'x'.repeat(501) }],
    ['more than 2,048 characters in all', Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`page${index}`, 'x'.repeat(450)]))],
  ])('takes no context with %s', async (_, context) => {
    const reply = await sendPrompt(server.url, 'me', 'Until when?', { body: { context } })
    expect([reply.status, ((await reply.json()) as Problem).code]).toEqual([400, 'invalid_request'])
  })

  test('replies to an emergency, and masks what it would refuse', async () => {
    const reply = await sendPrompt(server.url, 'me', `I took 40 sleeping pills and want to die. My card ${CARD}`)
    expect(reply.status).toBe(200)
    expect(((await reply.json()) as { state: string }).state).toBe('referred')
    expect(JSON.stringify(await listSessions(server.url, 'me', { cookie: cookieOf(reply) }))).toContain('My card [card 1]')
  })

  test('leaves numbers alone that are no valid card', async () => {
    const reply = await sendPrompt(server.url, 'me', `my order ${INVALID}`)
    expect([reply.status, reply.headers.get('x-personal-data')]).toEqual([200, null])
    expect(JSON.stringify(model.requests.at(-1))).toContain(INVALID)
  })

  test('masks before the prompt is stored and before the model reads it', async () => {
    const reply = await sendPrompt(server.url, 'me', `transfer to ${IBAN} please`)
    expect(reply.status).toBe(200)
    expect(JSON.stringify(await listSessions(server.url, 'me', { cookie: cookieOf(reply) }))).toContain('transfer to [iban 1] please')
    expect(JSON.stringify(model.requests.at(-1))).toContain('transfer to [iban 1] please')
    expect(JSON.stringify(model.requests)).not.toMatch(/(?<![\w-])0532(?![\w-])|DE89370400440532013000/)
  })

  test('masks the earlier messages of a temporary chat, also what it refuses', async () => {
    const history = [{ role: 'user', text: `card ${CARD}, account ${IBAN}` }]
    const body = JSON.stringify({ prompt: 'and now?', temporary: true, history })
    const reply = await fetch(`${server.url}/api/v1/agent/chat/me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(reply.status).toBe(200)
    expect(JSON.stringify(model.requests.at(-1))).toContain('card [card 1], account [iban 1]')
  })

  test('masks in names of files, ratings and reports what it masks or refuses in prompts', async () => {
    const pasted = [CARD.replaceAll(' ', '\n'), IBAN.replaceAll(' ', '/')]
    const text = `card ${pasted[0]}, account ${pasted[1]}`
    const first = await sendPrompt(server.url, 'me', 'hi')
    const headers = { cookie: cookieOf(first), 'content-type': 'application/json' }
    const { session_id: session } = (await first.json()) as { session_id: string }
    const post = (path: string, body: unknown) =>
      fetch(`${server.url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const stored: string[] = []

    const named = await fetch(`${server.url}/api/v1/files?name=${encodeURIComponent(`${CARD.replaceAll(' ', '_')}.txt`)}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: 'hello',
    })
    const file = (await named.json()) as StoredFile
    expect(file.name).toBe('[card 1].txt')
    await post(`agent/chat/me?session_id=${session}`, { prompt: 'read it', attachments: [file.id] })

    const { messages: shown } = (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers })).json()) as SessionDetail
    const answer = shown.find(({ role }) => role === 'assistant')?.id
    stored.push(await (await post(`sessions/${session}/feedback`, { message: answer, thumb: 'down', reason: text })).text())
    const report = { message: answer, scope: 'answer', messages: [{ role: 'assistant', text }], reason: text }
    expect((await post(`sessions/${session}/reports`, report)).status).toBe(200)
    stored.push(await (await fetch(`${server.url}/api/v1/me/reports`, { headers })).text())
    stored.push(await (await fetch(`${server.url}/api/v1/sessions/${session}/export?format=json`, { headers })).text())

    for (const seen of [...stored, JSON.stringify(model.requests)]) {
      expect(seen).toContain('[card 1]')
      expect(seen.replaceAll(/\W|n(?=\d)/g, '')).not.toMatch(/4111111111111111|89370400440532013000/)
    }
  })

  test('recognises a repeated request by its masked text', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await sendPrompt(server.url, 'me', `account ${IBAN}`, { headers })
    const again = await sendPrompt(server.url, 'me', 'account [iban 1]', { headers: { ...headers, cookie: cookieOf(first) } })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(((await again.json()) as { session_id: string }).session_id).toBe(((await first.json()) as { session_id: string }).session_id)
  })

  test('answers what the page would ask about, and names the kinds', async () => {
    const reply = await sendPrompt(server.url, 'me', 'call +49 30 901820, ID 12345678Z, a@example.org')
    expect([reply.status, reply.headers.get('x-personal-data')]).toEqual([200, 'telephone, national_id'])
    expect(JSON.stringify(model.requests.at(-1))).toContain('12345678Z')
  })

  test('follows the rules of the agent that answers, and tells the page', async () => {
    const { agents: listed } = (await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration
    expect(
      Object.fromEntries(listed.map(({ id, personalData }) => [id, [personalData.card, personalData.iban, personalData.email]])),
    ).toEqual({
      assistant: ['refuse', 'mask', 'allow'],
      open: ['allow', 'allow', 'allow'],
      strict: ['refuse', 'mask', 'refuse'],
    })
    const open = await sendPrompt(server.url, 'open', `card ${CARD}`)
    expect(open.status).toBe(200)
    const { session_id: session } = (await open.json()) as { session_id: string }
    const headers = { cookie: cookieOf(open) }
    const continued = await fetch(`${server.url}/api/v1/agent/chat/me?session_id=${session}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: `again ${CARD}` }),
    })
    expect(continued.status).toBe(200)
    expect((await sendPrompt(server.url, 'strict', 'write to a@example.org')).status).toBe(422)
  })

  test('refuses the text of files, or masks it before it is stored', async () => {
    const refused = await upload(`card ${CARD}`)
    expect([refused.status, ((await refused.json()) as Problem).personalData]).toEqual([422, [{ kind: 'card', start: 5, end: 24 }]])
    const response = await upload(`account ${IBAN}`)
    const { id, bytes } = (await response.json()) as StoredFile
    const stored = await fetch(`${server.url}/api/v1/files/${id}`, { headers: { cookie: cookieOf(response) } })
    expect([await stored.text(), bytes]).toEqual(['account [iban 1]', 16])
  })
})
