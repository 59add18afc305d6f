import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as current from 'ai'
import * as five from 'ai-v5'
import * as six from 'ai-v6'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApprovalRequestPart, approvalRequestParts } from '../../src/contract/chat/parts/tool.ts'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { cookieOf } from '../support/api.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** The part of each version that the test uses. */
interface Sdk {
  DefaultChatTransport: new (options: object) => { sendMessages(options: object): Promise<ReadableStream> }
  readUIMessageStream(options: object): AsyncIterable<ChatMessage>
}

const SDKS = { 5: five, 6: six, 7: current } as unknown as Record<string, Sdk>
const VERSIONS = Object.keys(SDKS)
/** Version 5 has no approvals in its protocol. */
const VERSIONS_WITH_APPROVAL = ['6', '7']

const BUILTIN_PROMPTS = ['What can you do?', 'How long are my chats kept?', 'What is 15% of 240?', 'How do I renew my driving licence?']
const call = (name: string, input: Record<string, unknown>): Script => [{ toolCall: { name, arguments: input } }]
const ANSWERS: [name: string, part: string, ...Script[]][] = [
  ['reasoning', 'reasoning', [{ reasoning: 'Hm.' }, { text: 'Yes.' }]],
  ['reasoning that only its end shows to be one', 'reasoning', [{ text: 'Hm, let me see.' }, { text: '</think>Yes.' }]],
  ['a tool', 'tool-search_knowledge', call('search_knowledge', { query: 'chats' }), [{ text: 'Now.' }]],
  ['a tool that does not exist', 'text', call('nothing', {}), [{ text: 'Sorry.' }]],
  ['a source', 'source-document', call('search_knowledge', { query: 'how long are chats kept' }), [{ text: 'For 30 days [1].' }]],
  ['a reply without a model', 'text'],
]

const agents = mkdtempSync(join(tmpdir(), 'sdk-versions-'))
let builtin: TestServer
let server: TestServer
let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
  const policy = 'policy:\n  routes: [{ id: complaint, reply: Call us., examples: [I want to make a complaint] }]'
  writeFileSync(
    join(agents, 'assistant.md'),
    `---\nname: Anna\ngreeting: Hello.\ntools: [calculator, search_knowledge]\napproval: [calculator]\n${policy}\n---\nYou are Anna.\n`,
  )
  builtin = await startServer({ database: 'sqlite' })
  server = await startServer({ database: 'sqlite', env: { AGENTS_DIR: agents, OPENAI_BASE_URL: model.baseUrl, MODEL: 'm' } })
})
afterAll(async () => {
  await builtin.stop()
  await server.stop()
  await model.close()
  rmSync(agents, { recursive: true })
})

/** The message that a version of the SDK makes of the answer. */
async function messageOf(version: string, { url }: TestServer, prompt: string, request: typeof fetch = fetch) {
  const sdk = SDKS[version] as Sdk
  const transport = new sdk.DefaultChatTransport({
    api: `${url}/api/v1/agent/chat/me`,
    headers: { accept: 'text/event-stream' },
    prepareSendMessagesRequest: () => ({ body: { prompt } }),
    fetch: request,
  })
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: prompt }] }]
  const options = { chatId: 'c', messages, trigger: 'submit-message', messageId: undefined, abortSignal: undefined }
  const stream = await transport.sendMessages(options)
  const faults: unknown[] = []
  let message: ChatMessage | undefined
  const onError = (fault: unknown) => faults.push(fault)
  for await (const read of sdk.readUIMessageStream({ stream, onError, terminateOnError: true })) message = structuredClone(read)
  expect(faults).toEqual([])
  return message as ChatMessage
}

test.each(VERSIONS.flatMap((version) => BUILTIN_PROMPTS.map((prompt) => [version, prompt] as const)))(
  'version %s of the AI SDK reads the built-in assistant’s whole answer to "%s"',
  async (version, prompt) => {
    const { parts } = await messageOf(version, builtin, prompt)
    expect(parts.map(({ type }) => type)).toContain('text')
  },
)

test.each(VERSIONS.flatMap((version) => ANSWERS.map(([name, part, ...scripts]) => [version, name, part, scripts] as const)))(
  'version %s of the AI SDK reads an answer with %s',
  async (version, _, part, scripts) => {
    model.clear()
    for (const script of scripts) model.script(script)
    const { parts, metadata } = await messageOf(version, server, scripts.length > 0 ? 'Tell me.' : 'I want to make a complaint')
    expect(parts.map(({ type }) => type)).toEqual(expect.arrayContaining([part, 'text']))
    expect(metadata?.status).toBe('done')
  },
)

test.each(VERSIONS_WITH_APPROVAL)('version %s of the AI SDK reads a request for approval, and the answer that follows', async (version) => {
  model.clear()
  model.script(call('calculator', { expression: '2 + 2' }))
  let cookie = ''
  const asked = await messageOf(version, server, 'What is 2 + 2?', async (...request) => {
    const response = await fetch(...request)
    cookie = cookieOf(response)
    return response
  })
  const [part] = approvalRequestParts(asked) as [ApprovalRequestPart]
  const decisions = [{ id: part.approval.id, approved: true, signature: part.approval.signature }]
  model.script([{ text: 'It is 4.' }])
  const answer = await messageOf(version, server, '', () =>
    fetch(`${server.url}/api/v1/turns/${asked.metadata?.turnId}/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', cookie },
      body: JSON.stringify({ decisions }),
    }),
  )
  expect(answer.parts).toContainEqual(expect.objectContaining({ type: 'tool-calculator', state: 'output-available' }))
})
