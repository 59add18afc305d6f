import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MessageBuilder } from '../../src/contract/chat/message-builder.ts'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail, Turn } from '../../src/contract/chat/sessions.ts'
import { type ApprovalRequestPart, approvalRequestParts } from '../../src/contract/chat/parts/tool.ts'
import { allEvents, cookieOf, sendPrompt, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { obey } from '../support/obedient-model.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: { operationId: 'list' },
      post: {
        operationId: 'order',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', properties: { tea: { type: 'string' } }, required: ['tea'] } } },
        },
      },
    },
  },
}

describe.each(DATABASES)('a tool that requires approval, on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'approval-'))
  const ordered: string[] = []
  const shop = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.method === 'POST') ordered.push(Buffer.concat(pieces).toString())
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ orders: ordered.length }))
    })
  })
  let model: ScriptedModel
  let server: TestServer

  beforeAll(async () => {
    await once(shop.listen(0, '127.0.0.1'), 'listening')
    model = await startScriptedModel()
    model.script(obey)
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
    const shopSettings = { openapi: './shop.json', url, operations: ['list', 'order'], approval: ['order'] }
    writeFileSync(join(directory, 'shop.json'), JSON.stringify(DOCUMENT))
    writeFileSync(join(directory, 'http-tools.json'), JSON.stringify({ httpTools: { shop: shopSettings } }))
    const front = 'name: Anna\ngreeting: Hello.\nhttp: [shop]\ntools: [calculator]\napproval: [calculator]'
    writeFileSync(join(directory, 'assistant.md'), `---\n${front}\n---\nYou are Anna.\n`)
    const env = { AGENTS_DIR: directory, TOOLS_DIR: directory, OPENAI_BASE_URL: model.baseUrl, MODEL: 'm' }
    server = await startServer({ database, env })
  })
  afterAll(async () => {
    const code = await server.stop()
    await model.close()
    shop.close()
    rmSync(directory, { recursive: true })
    expect(code, server.output()).toBe(0)
  })
  beforeEach(() => {
    ordered.length = 0
  })

  interface Asked {
    cookie: string
    session: string
    turn: string
    part: ApprovalRequestPart
  }

  /** Sends a new visitor's prompt whose answer requests approval. */
  async function ask(prompt = 'use shop_order {"body":{"tea":"green"}}'): Promise<Asked> {
    const response = await streamPrompt(server.url, 'me', prompt)
    const cookie = cookieOf(response)
    const builder = new MessageBuilder()
    for (const { chunk } of await allEvents(response)) builder.apply(chunk)
    const { metadata } = builder.message
    const [part] = approvalRequestParts(builder.message)
    if (!part) throw new Error(`Nothing is asked: ${JSON.stringify(builder.message)}`)
    expect(metadata?.status).toBe('done')
    return { cookie, session: metadata?.sessionId ?? '', turn: metadata?.turnId ?? '', part }
  }

  const decisionOf = ({ part }: Asked, approved: boolean) => ({ id: part.approval.id, approved, signature: part.approval.signature ?? '' })
  const decide = (asked: Pick<Asked, 'turn' | 'cookie'>, decisions: unknown[], headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/v1/turns/${asked.turn}/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: asked.cookie, ...headers },
      body: JSON.stringify({ decisions }),
    })
  const stream = { accept: 'text/event-stream' }
  const codeOf = async (response: Response) => ((await response.json()) as { code?: string }).code
  const detail = async ({ session, cookie }: Asked) =>
    (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })).json()) as SessionDetail

  test('waits for approval and runs with the arguments shown', async () => {
    const asked = await ask()
    expect(asked.part).toMatchObject({ state: 'approval-requested', input: { body: { tea: 'green' } } })
    expect(ordered).toEqual([])
    const events = await allEvents(await decide(asked, [decisionOf(asked, true)], stream))
    expect(ordered).toEqual(['{"tea":"green"}'])
    expect(textOfEvents(events)).toContain('"orders":1')
    const { messages } = await detail(asked)
    const [, request, answer] = messages.map(({ parts }) => parts.find((part) => 'toolCallId' in part))
    expect(request).toMatchObject({ state: 'approval-responded', approval: { approved: true } })
    expect(answer).toMatchObject({ state: 'output-available', toolCallId: asked.part.toolCallId, approval: { approved: true } })
    const replayed = await allEvents(
      await fetch(`${server.url}/api/v1/turns/${messages[2]?.metadata?.turnId}/stream`, { headers: { cookie: asked.cookie } }),
    )
    const builder = new MessageBuilder()
    for (const { chunk } of replayed) builder.apply(chunk)
    expect(builder.message.parts.find((part) => 'toolCallId' in part)).toEqual(answer)
  })

  test('is named in the JSON reply, with all that a decision needs', async () => {
    const response = await sendPrompt(server.url, 'me', 'use shop_order {"body":{"tea":"green"}}')
    const cookie = cookieOf(response)
    const reply = (await response.json()) as SendPromptReply
    const { turn = '', requests = [] } = reply.awaiting_approval ?? {}
    expect(requests).toMatchObject([{ tool: 'shop_order', input: { body: { tea: 'green' } } }])
    expect(Date.parse(requests[0]?.expiresAt ?? '')).toBeGreaterThan(Date.now())
    expect(reply.state).toBe('clarified')
    const decisions = requests.map(({ id, signature }) => ({ id, approved: true, signature }))
    await allEvents(await decide({ turn, cookie }, decisions, stream))
    expect(ordered).toEqual(['{"tea":"green"}'])
  })

  test('does not run when the visitor denies it, and tells the model so', async () => {
    const asked = await ask()
    const events = await allEvents(await decide(asked, [decisionOf(asked, false)], stream))
    expect(ordered).toEqual([])
    expect(events.map(({ chunk }) => chunk.type)).toContain('tool-output-denied')
    expect(textOfEvents(events)).toContain('did not allow')
  })

  test('runs once, even if the approval is sent several times', async () => {
    const asked = await ask()
    const headers = { 'idempotency-key': `key-${asked.turn}` }
    const replies = await Promise.all(Array.from({ length: 4 }, () => decide(asked, [decisionOf(asked, true)], headers)))
    expect(new Set(await Promise.all(replies.map(async (reply) => ((await reply.json()) as Turn).id))).size).toBe(1)
    await expect.poll(async () => (await detail(asked)).runningTurn).toBeNull()
    const again = await decide(asked, [decisionOf(asked, true)])
    expect([again.status, await codeOf(again)]).toEqual([409, 'approval_gone'])
    expect(ordered).toHaveLength(1)
  })

  test('does not run for forged, swapped, missing or extra decisions', async () => {
    const [asked, other] = await Promise.all([ask(), ask('use shop_order {"body":{"tea":"black"}}')])
    const good = decisionOf(asked, true)
    const bad = [
      [{ ...good, signature: `${good.signature.slice(0, -2)}AA` }],
      [{ ...good, signature: decisionOf(other, true).signature }],
      [decisionOf(other, true)],
      [good, good],
    ]
    for (const decisions of bad) expect(await codeOf(await decide(asked, decisions))).toBe('approval_gone')
    expect((await decide(asked, [{ id: good.id, approved: true }])).status).toBe(400)
    expect((await decide(asked, [])).status).toBe(400)
    expect((await decide({ turn: asked.turn, cookie: other.cookie }, [good])).status).toBe(404)
    expect(ordered).toEqual([])
  })

  test('does not run after another prompt, and is reported as not run', async () => {
    const asked = await ask()
    expect(
      (await sendPrompt(server.url, 'me', 'use shop_list', { session: asked.session, headers: { cookie: asked.cookie } })).status,
    ).toBe(200)
    expect(await codeOf(await decide(asked, [decisionOf(asked, true)]))).toBe('approval_gone')
    expect(ordered).toEqual([])
  })

  test('can be a built-in tool that the agent’s file marks as requiring approval', async () => {
    const asked = await ask('use calculator {"expression":"6*7"}')
    expect(textOfEvents(await allEvents(await decide(asked, [decisionOf(asked, true)], stream)))).toContain('42')
  })

  test('is not offered in a temporary chat, which does not support approvals', async () => {
    const before = model.requests.length
    const reply = await fetch(`${server.url}/api/v1/agent/chat/me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'use shop_list', temporary: true }),
    })
    expect(reply.status).toBe(200)
    const names = model.requests[before]?.body.tools?.map((tool) => tool.function.name)
    expect(names).toContain('shop_list')
    expect(names).not.toContain('shop_order')
    expect(names).not.toContain('calculator')
  })
})
