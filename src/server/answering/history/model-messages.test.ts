import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { modelMessages } from './model-messages.ts'

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

describe('what a model reads', () => {
  const read = async (messages: ChatMessage[]) =>
    (await modelMessages(messages, {}, { maxTokens: MAX_TOKENS, maxEarlierTokens: 350, continues: false })).messages

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
