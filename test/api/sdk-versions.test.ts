import * as current from 'ai'
import * as five from 'ai-v5'
import * as six from 'ai-v6'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ database: 'sqlite' })
})
afterAll(() => server.stop())

/** What the test uses of each version. */
interface Sdk {
  DefaultChatTransport: new (options: object) => { sendMessages(options: object): Promise<ReadableStream> }
  readUIMessageStream(options: object): AsyncIterable<{ parts: { type: string }[] }>
}

const SDKS = { 5: five, 6: six, 7: current } as unknown as Record<string, Sdk>
const PROMPTS = ['What can you do?', 'How long are my chats kept?', 'What is 15% of 240?', 'How do I renew my driving licence?']

test.each(Object.keys(SDKS).flatMap((version) => PROMPTS.map((prompt) => [version, prompt] as const)))(
  'version %s of the AI SDK reads the whole answer to "%s"',
  async (version, prompt) => {
    const sdk = SDKS[version] as Sdk
    const transport = new sdk.DefaultChatTransport({
      api: `${server.url}/api/v1/agent/chat/me`,
      headers: { accept: 'text/event-stream' },
      prepareSendMessagesRequest: () => ({ body: { prompt } }),
    })
    const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: prompt }] }]
    const stream = await transport.sendMessages({
      chatId: 'c',
      messages,
      trigger: 'submit-message',
      messageId: undefined,
      abortSignal: undefined,
    })
    const faults: unknown[] = []
    let parts: { type: string }[] = []
    for await (const message of sdk.readUIMessageStream({
      stream,
      onError: (fault: unknown) => faults.push(fault),
      terminateOnError: true,
    }))
      parts = message.parts
    expect(faults).toEqual([])
    expect(parts.map(({ type }) => type)).toContain('text')
  },
)
