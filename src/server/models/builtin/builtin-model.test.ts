import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MessageBuilder } from '../../../contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { topicsOf } from '../../../contract/chat/parts/topics.ts'
import type { Agent, ModelLimits } from '../../answering/agents/agent.ts'
import { Agents } from '../../answering/agents/agents.ts'

const KNOWLEDGE = join(import.meta.dirname, '../../../../knowledge')

async function builtinAgent(limits: Partial<ModelLimits> = { builtinPauseMs: 0 }): Promise<Agent> {
  const agents = await Agents.open({
    directory: join(import.meta.dirname, '../../../../agents'),
    model: { kind: 'builtin' },
    knowledgeDirectory: KNOWLEDGE,
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    limits,
    now: () => new Date('2026-07-01T22:30:00Z'),
    onWarning: (message) => expect.fail(message),
  })
  return agents.first
}

const agent = await builtinAgent()

const prompt = (text: string): ChatMessage => ({ id: 'p', role: 'user', parts: [{ type: 'text', text }] })

const ask = (...texts: string[]) => askOf(agent, ...texts)

async function askOf(asked: Agent, ...texts: string[]): Promise<ChatMessage> {
  const messages: ChatMessage[] = []
  let answer: ChatMessage | undefined
  for (const text of texts) {
    const builder = new MessageBuilder('a')
    messages.push(prompt(text))
    for await (const chunk of asked.run({ messages, signal: new AbortController().signal })) builder.apply(chunk)
    answer = builder.finished()
    messages.push(answer)
  }
  if (!answer) throw new Error('Nothing was asked.')
  return answer
}

const toolsOf = (message: ChatMessage) => message.parts.filter((part) => part.type.startsWith('tool-')).map((part) => part.type.slice(5))

test('describes itself', () => {
  expect(agent).toMatchObject({ id: 'assistant', model: { label: 'Built-in assistant', provider: null } })
  expect(agent.greeting).toBe('Hi, how can I help?')
  expect(agent.starters.length).toBeLessThanOrEqual(6)
})

test.each(['hello', 'Hi there!', 'good morning', 'thanks a lot', 'how are you?', 'who are you?', 'are you ChatGPT?', 'bye'])(
  'answers "%s" itself',
  async (text) => {
    const answer = await ask(text)
    expect(toolsOf(answer)).toEqual([])
    expect(textOf(answer)).not.toContain('don’t know')
    expect(textOf(answer)).toMatch(/^[A-Z]/)
  },
)

test('continues an answer that was cut off, and says when nothing is left', async () => {
  const continueAnswer = async (text: string, said: string): Promise<string> => {
    const brokenOff: ChatMessage = {
      id: 'b',
      role: 'assistant',
      metadata: { status: 'interrupted' },
      parts: [{ type: 'text', text: said }],
    }
    const builder = new MessageBuilder('a')
    const messages = [prompt(text), brokenOff]
    for await (const chunk of agent.run({ messages, continues: true, signal: new AbortController().signal })) builder.apply(chunk)
    return textOf(builder.finished())
  }
  for (const text of ['who are you?', 'what is 6 * 7?', 'how long are my chats kept?']) {
    const whole = textOf(await ask(text))
    expect(await continueAnswer(text, whole.slice(0, 9))).toBe(whole.slice(9))
    expect((await continueAnswer(text, whole)).trim()).toBe('That was all.')
    expect((await continueAnswer(text, 'Something else')).trim()).toBe(whole)
  }
})

test('says that it is not a language model', async () => {
  expect(textOf(await ask('are you a human?'))).toContain('not a person and not a language model')
})

test('says what it can do, with prompts that work', async () => {
  const answer = await ask('help')
  expect(topicsOf(answer)).not.toHaveLength(0)
  for (const topic of [...topicsOf(answer), ...agent.starters]) expect(textOf(await ask(topic)), topic).not.toContain('I don’t know that')
})

test.each([
  ['What is 15% of 240?', '**36**'],
  ["what's 3 times (4 + 5)?", '**27**'],
  ['calculate 2^10', '**1,024**'],
  ['Please compute 12.5 / 4', '**3.125**'],
  ['square root of 144', '**12**'],
  ['how much is 7 plus 8', '**15**'],
  ['5 + 5 * 2 =', '5 + 5 × 2 = **15**'],
  ['1/0', 'divided by zero'],
])('calculates: %s', async (text, expected) => {
  const answer = await ask(text)
  expect(toolsOf(answer)).toEqual(['calculator'])
  expect(textOf(answer)).toContain(expected)
})

test.each([
  ['What time is it in Tokyo?', '**07:30** on Thursday, 2 July 2026'],
  ['time in new york', '**18:30** on Wednesday, 1 July 2026'],
  ['what day is it today?', 'Wednesday, 1 July 2026'],
  ["what's the date in Berlin", 'Thursday, 2 July 2026'],
  ['what time is it', 'in UTC'],
  ['what time is it in Narnia?', 'not known'],
])('tells the time: %s', async (text, expected) => {
  const answer = await ask(text)
  expect(toolsOf(answer)).toEqual(['date_time'])
  expect(textOf(answer)).toContain(expected)
})

test.each([
  ['Convert 10 miles to kilometres', '16.09344'],
  ['how many feet are in a mile?', '5,280'],
  ['100 F in C', '37.77778'],
  ['what is 2.5 kg in pounds', '5.511557'],
  ['convert 5 dollars to euros', 'currencies'],
])('converts units: %s', async (text, expected) => {
  const answer = await ask(text)
  expect(toolsOf(answer)).toEqual(['convert_units'])
  expect(textOf(answer)).toContain(expected)
})

test('understands a follow-up', async () => {
  expect(textOf(await ask('convert 5 km to miles', 'and in feet?'))).toContain('16,404.2')
  expect(textOf(await ask('what time is it in Tokyo?', 'what about London?'))).toContain('23:30')
})

test('answers from its files with the whole passage and its source, once', async () => {
  const answer = await ask('how long do you keep my chats?')
  expect(toolsOf(answer)).toEqual(['search_knowledge'])
  expect(textOf(answer)).toBe('**How long are my chats kept?**\n\nA chat is deleted automatically 30 days after its last message.')
  expect(answer.parts.filter((part) => part.type === 'source-document')).toEqual([
    expect.objectContaining({
      sourceId: '1',
      title: 'Privacy',
      filename: 'privacy.md',
      mediaType: 'text/markdown',
      providerMetadata: {
        parley: expect.objectContaining({
          breadcrumb: 'Privacy › How long are my chats kept?',
          quote: 'A chat is deleted automatically 30 days after its last message.',
          address: null,
        }),
      },
    }),
  ])
})

test.each([
  'who won the world cup in 1998?',
  'write me a poem',
  'what is the capital of France',
  'x'.repeat(32_000),
  '<script>alert(1)</script>',
])('says that it does not know: %.40s', async (text) => {
  const answer = await ask(text)
  expect(textOf(answer)).toContain('don’t know')
  expect(topicsOf(answer).length).toBeGreaterThan(0)
  expect(topicsOf(answer).length).toBeLessThanOrEqual(6)
  expect(answer.parts.some((part) => part.type === 'source-document')).toBe(false)
})

test('describes this installation', async () => {
  const agents = await Agents.open({
    directory: join(import.meta.dirname, '../../../../agents'),
    knowledgeDirectory: KNOWLEDGE,
    model: { kind: 'builtin' },
    installation: { name: 'Parley', retentionDays: 12, contact: 'help@example.org', storage: 'sqlite' },
    limits: { builtinPauseMs: 0 },
  })
  expect(textOf(await askOf(agents.first, 'How long are my chats kept?'))).toContain('12 days')
  expect(textOf(await askOf(agents.first, 'Who runs this site?'))).toContain('help@example.org')
})

test('the topics it offers work as prompts', async () => {
  for (const topic of topicsOf(await ask('what is the capital of France')))
    expect(textOf(await ask(topic)), topic).not.toContain('don’t know')
})

test('an answer from the knowledge offers up to 3 related topics that work as prompts', async () => {
  const topics = topicsOf(await ask('How long are my chats kept?'))
  expect(topics.length).toBeGreaterThan(0)
  expect(topics.length).toBeLessThanOrEqual(3)
  for (const topic of topics) expect(textOf(await ask(topic)), topic).toContain(`**${topic}**`)
})

test('streams in pieces, and ends without an error when stopped', async () => {
  const slow = await builtinAgent({ builtinPauseMs: 20, mergeDeltasMs: 1 })
  const stopping = new AbortController()
  const chunks: ChatChunk[] = []
  for await (const chunk of slow.run({ messages: [prompt('what can you do?')], signal: stopping.signal })) {
    chunks.push(chunk)
    if (chunk.type === 'text-delta') stopping.abort()
  }
  expect(chunks.filter((chunk) => chunk.type === 'text-delta')).toHaveLength(1)
  expect(chunks.map((chunk) => chunk.type)).not.toContain('finish-step')
})

test('an answer stopped before its first word is empty', async () => {
  const chunks: ChatChunk[] = []
  for await (const chunk of agent.run({ messages: [prompt('hello')], signal: AbortSignal.abort() })) chunks.push(chunk)
  expect(chunks.filter((chunk) => chunk.type === 'text-delta')).toEqual([])
})
