import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startScriptedModel, type ScriptedModel } from '../../../../test/support/scripted-model.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/message.ts'
import { Agents, type AgentsOptions } from '../agents.ts'

let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
})
afterAll(() => model.close())

const ROOT = join(import.meta.dirname, '../../../..')
const never = new AbortController().signal
const prompt = (text: string): ChatMessage => ({ id: 'p', role: 'user', parts: [{ type: 'text', text }] })

async function agentWith(options: Partial<AgentsOptions> = {}) {
  const agents = await Agents.open({
    directory: join(ROOT, 'agents'),
    knowledgeDirectory: join(ROOT, 'knowledge'),
    model: { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm' },
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    ...options,
  })
  onTestFinished(() => agents.close())
  return agents.first
}

test('an answer whose reader leaves it ends the request to the model', async () => {
  const agent = await agentWith()
  model.script([{ text: ['one ', 'two '] }, { silence: true }])
  const read: ChatChunk[] = []
  for await (const chunk of agent.run({ messages: [prompt('Count')], signal: never })) {
    read.push(chunk)
    if (chunk.type === 'text-delta') break
  }
  expect(read.at(-1)).toMatchObject({ type: 'text-delta' })
  expect(await model.requests.at(-1)!.ended).toBe(true)
})

test('the built-in fallback is not bound by what the visitor may still spend', async () => {
  const agent = await agentWith({ fallbackModel: { kind: 'builtin' } })
  model.script({ status: 400 })
  const answer: ChatChunk[] = []
  const allowance = { inputTokens: 1, outputTokens: 1 }
  const question = 'How long are chats kept?'
  for await (const chunk of agent.run({ messages: [prompt(question)], signal: never, allowance })) answer.push(chunk)
  expect(answer[0]).toMatchObject({ type: 'message-metadata', messageMetadata: { isFallback: true } })
  expect(answer.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')).toContain('30 days')
})
