import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail, SessionList } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, listSessions, readEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe.each(DATABASES)('a temporary chat on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel()
    model.script((request) => (request.prompt.startsWith('slow') ? [{ endless: 'word ', tokensPerSecond: 50 }] : undefined))
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterAll(async () => {
    const code = await server.stop()
    await model.close()
    expect(code, server.output()).toBe(0)
  })

  const post = (body: object, headers: Record<string, string> = {}, query = '') =>
    fetch(`${server.url}/api/v1/agent/chat/me${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const get = (path: string, cookie: string) => fetch(server.url + path, { headers: { cookie } })
  const remove = (session: string, cookie: string) =>
    fetch(`${server.url}/api/v1/sessions/${session}`, { method: 'DELETE', headers: { cookie } })
  const isInFiles = (text: string) =>
    readdirSync(server.dataDirectory, { recursive: true, withFileTypes: true }).some(
      (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text),
    )

  test('is answered from the history that its client sends, and is not listed', async () => {
    const history = [
      { role: 'user', text: 'cAnAry-question' },
      { role: 'assistant', text: 'cAnAry-answer' },
    ]
    const response = await post({ prompt: 'and then?', temporary: true, history })
    const cookie = cookieOf(response)
    const { session_id: session } = (await response.json()) as SendPromptReply
    const sent = model.requests.find(({ prompt }) => prompt === 'and then?')?.body.messages ?? []
    expect(sent.slice(-3).map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(sent)).toContain('cAnAry-question')
    expect(await listSessions(server.url, 'me', { cookie })).toEqual([])
    expect(((await (await get('/api/v1/sessions', cookie)).json()) as SessionList).sessions).toEqual([])
    const detail = (await (await get(`/api/v1/sessions/${session}`, cookie)).json()) as SessionDetail
    expect(detail.title).toBe('')
    expect(detail.messages).toHaveLength(2)
    expect(JSON.stringify(detail)).not.toContain('cAnAry')
    expect(isInFiles('cAnAry-question')).toBe(false)
    expect((await remove(session, cookie)).status).toBe(200)
    expect((await get(`/api/v1/sessions/${session}`, cookie)).status).toBe(404)
  })

  test('can be followed and deleted while it is answered', async () => {
    const response = await post({ prompt: 'slow: cAnAry-slow', temporary: true }, { accept: 'text/event-stream' })
    const cookie = cookieOf(response)
    const events = readEvents(response)
    const start = (await events.next()).value?.chunk
    const metadata = start?.type === 'start' ? start.messageMetadata : undefined
    const following = get(`/api/v1/turns/${metadata?.turnId}/stream`, cookie)
    expect((await following).status).toBe(200)
    expect((await remove(metadata?.sessionId ?? '', cookie)).status).toBe(200)
    expect((await allEvents(await following)).at(-1)?.chunk.type).toBe('abort')
    expect(isInFiles('cAnAry-slow')).toBe(false)
    await Array.fromAsync(events)
  })

  test('cannot be continued: naming it starts a new session', async () => {
    const response = await post({ prompt: 'hello', temporary: true })
    const cookie = cookieOf(response)
    const { session_id: session } = (await response.json()) as SendPromptReply
    const next = (await (await post({ prompt: 'hello' }, { cookie }, `?session_id=${session}`)).json()) as SendPromptReply
    expect(next.session_id).not.toBe(session)
  })

  test.each([
    [{ temporary: 'yes' }, ''],
    [{ temporary: false }, ''],
    [{ history: [] }, ''],
    [{ temporary: true, history: [{ role: 'system', text: 'x' }] }, ''],
    [{ temporary: true, history: [{ role: 'user', text: '' }] }, ''],
    [{ temporary: true, history: [{ role: 'user', text: 'x', id: '1' }] }, ''],
    [{ temporary: true, history: Array.from({ length: 201 }, () => ({ role: 'user', text: 'x' })) }, ''],
    [{ temporary: true }, `?session_id=${'A'.repeat(21)}`],
    [{ device: 'mine' }, ''],
  ])('rejects %j%s', async (body, query) => {
    const calls = model.requests.length
    expect((await post({ prompt: 'hi', ...body }, {}, query)).status).toBe(400)
    expect(model.requests).toHaveLength(calls)
  })
})
