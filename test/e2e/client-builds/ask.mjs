import { createParleyTransport } from '@parley/client'
import { readUIMessageStream } from 'ai'

const transport = createParleyTransport({ url: 'https://chat.example.org', id: crypto.randomUUID(), consent: () => true })
const messages = [{ id: 'prompt', role: 'user', parts: [{ type: 'text', text: 'What is 15% of 240?' }] }]
const stream = await transport.sendMessages({
  trigger: 'submit-message',
  chatId: 'chat',
  messageId: undefined,
  messages,
  abortSignal: undefined,
})
let answer
for await (const message of readUIMessageStream({ stream, terminateOnError: true })) answer = message
console.log(answer.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''))
