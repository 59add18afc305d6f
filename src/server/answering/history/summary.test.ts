import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { modelMessages } from './model-messages.ts'
import { summaryTask } from './summary.ts'

const MAX_TOKENS = 1_000
/** About 100 tokens with its form. */
const words = (name: string) => `${name} ${'word '.repeat(95)}`
const messageOf = (role: ChatMessage['role'], name: string): ChatMessage => ({
  id: name,
  role,
  parts: [{ type: 'text', text: words(name) }],
})
const conversation = (turns: number): ChatMessage[] =>
  Array.from({ length: turns }, (_, index) => [messageOf('user', `p${index}`), messageOf('assistant', `a${index}`)]).flat()

describe('a conversation', () => {
  test('is not summarized while it is short', () => {
    expect(summaryTask(conversation(3), null, MAX_TOKENS)).toBeNull()
  })

  test('is summarized up to one of its newest prompts, previous summary included', () => {
    const task = summaryTask(conversation(6), 'They are called Ada.', MAX_TOKENS)
    expect(task?.lastMessageId).toMatch(/^a[34]$/)
    expect(task?.request.text).toContain('They are called Ada.')
    expect(task?.request.text).toContain('Visitor: p0 ')
    expect(task?.request.text).not.toContain('p5 ')
  })

  test('is never summarized up to its last prompt, however long the answer is', () => {
    const long: ChatMessage = { ...messageOf('assistant', 'long'), parts: [{ type: 'text', text: 'long '.repeat(4_000) }] }
    expect(summaryTask([messageOf('user', 'p'), long], null, MAX_TOKENS)).toBeNull()
    expect(summaryTask([...conversation(1), messageOf('user', 'p'), long], null, MAX_TOKENS)?.lastMessageId).toBe('a0')
  })

  test('counts text but not tool results, and includes excerpts of those', () => {
    const output = { passages: [{ title: 'Opening hours', text: 'hour '.repeat(2_000) }] }
    const search = { type: 'tool-search_knowledge', toolCallId: 'c', state: 'output-available', input: {}, output } as never
    const found: ChatMessage = { ...messageOf('assistant', 'found'), parts: [search, { type: 'text', text: words('found') }] }
    expect(summaryTask([messageOf('user', 'p'), found, messageOf('user', 'q')], null, MAX_TOKENS)).toBeNull()
    const task = summaryTask([messageOf('user', 'p'), found, ...conversation(5)], null, MAX_TOKENS)
    expect(task?.request.text).toMatch(/Assistant: found .*\nFound by search_knowledge: .*Opening hours/)
    expect(task?.request.text.length).toBeLessThan(6_000)
  })

  test('gets a bounded summary, whatever it contains', () => {
    const task = summaryTask(conversation(500), null, MAX_TOKENS)
    expect(task?.request.text.length).toBeLessThan(30_000)
    expect(task?.request.maxOutputTokens).toBeLessThanOrEqual(MAX_TOKENS / 4)
  })
})

describe('what a model reads', () => {
  const read = async (messages: ChatMessage[], summary: string | null = null) =>
    (await modelMessages(messages, {}, { maxTokens: MAX_TOKENS, maxEarlierTokens: 350, continues: false, summary })).messages

  test('begins with the visitor and the summary of earlier messages', async () => {
    const [first, ...others] = await read(
      [messageOf('user', 'p1'), messageOf('assistant', 'a1'), messageOf('user', 'p2')],
      'They are called Ada.',
    )
    expect(first?.role).toBe('user')
    expect(JSON.stringify(first)).toMatch(/They are called Ada\..*p1/s)
    expect(others.map(({ role }) => role)).toEqual(['assistant', 'user'])
  })

  test('contains the whole last prompt and a bounded history', async () => {
    const long: ChatMessage = { ...messageOf('user', 'long'), parts: [{ type: 'text', text: 'long '.repeat(4_000) }] }
    expect(await read([...conversation(2), long])).toHaveLength(1)
    expect(await read([...conversation(9), messageOf('user', 'p')])).toHaveLength(3)
  })

  test('prefers text to tool results, and newer tool results to older', async () => {
    const withTool = (name: string): ChatMessage => ({
      ...messageOf('assistant', name),
      parts: [
        { type: 'dynamic-tool', toolName: 'look', toolCallId: name, state: 'output-available', input: {}, output: `saw ${words(name)}` },
        { type: 'text', text: `Said by ${name}.` },
      ],
    })
    const messages = [1, 2, 3].flatMap((turn) => [messageOf('user', `p${turn}`), withTool(`a${turn}`)])
    const options = { maxTokens: MAX_TOKENS, maxEarlierTokens: 520, continues: false }
    const { messages: history, tokens } = await modelMessages(
      [...messages, messageOf('user', 'p')],
      { look: { inputSchema: {} as never } },
      options,
    )
    const text = JSON.stringify(history)
    expect(['a1', 'a2', 'a3'].map((name) => [text.includes(`Said by ${name}.`), text.includes(`saw ${name}`)])).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ])
    expect(tokens).toBeGreaterThan(500)
    expect(tokens).toBeLessThan(650)
  })

  test('contains earlier answers without tool results that are too long', async () => {
    const answer: ChatMessage = {
      id: 'a',
      role: 'assistant',
      parts: [
        {
          type: 'dynamic-tool',
          toolName: 'look',
          toolCallId: 'c',
          state: 'output-available',
          input: {},
          output: 'z'.repeat(9_000),
        },
        { type: 'text', text: 'What I saw.' },
      ],
    }
    const messages = [messageOf('user', 'p1'), answer, messageOf('user', 'p2')]
    const tools = { look: { inputSchema: {} as never } }
    const { messages: history } = await modelMessages(messages, tools, { maxTokens: MAX_TOKENS, maxEarlierTokens: 400, continues: false })
    expect(JSON.stringify(history)).toContain('What I saw.')
    expect(JSON.stringify(history)).not.toContain('zzz')
  })
})
