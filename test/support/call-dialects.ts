import { expect } from 'vitest'
import { ANSWER, type Dialect, DONE, errorReply, line, raw, textReply } from './dialect.ts'

const call = (name: string, args: unknown, more: object = {}) =>
  line({ tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name, arguments: args }, ...more }] })

const results = (...contents: string[]) => ({
  messages: expect.arrayContaining(
    contents.map((content) => expect.objectContaining({ role: 'tool', content: expect.stringContaining(content) })),
  ),
})
const RESULT = expect.objectContaining({ role: 'tool', content: expect.stringContaining('42') })
const ran: Omit<Dialect, 'replies'> = { text: ANSWER, requests: 2, sent: { messages: expect.arrayContaining([RESULT]) } }
const calling = (...pieces: string[]): Dialect => ({
  replies: [raw(...pieces, line({}, 'tool_calls'), DONE)],
  ...ran,
})

/** Calls of tools with something odd about them, which run all the same. */
export const CALLS: Record<string, Dialect> = {
  'it is written as text in tags': {
    replies: [textReply('<tool', '_call>\n{"name": "calculator", "arguments": {"expression": "6*7"}}\n</tool_call>')],
    ...ran,
  },
  'it is written as text, with an invented result': {
    replies: [textReply('{"name": "calculator", ', '"arguments": {"expression": "6*7"}}', '\n\nThe result is 41.')],
    ...ran,
  },
  'it is written as text to a tool that is not offered': {
    replies: [textReply('<tool_call>{"name": "browser", "arguments": {"url": "x"}}</tool_call>')],
    text: ANSWER,
    requests: 2,
    sent: { messages: expect.arrayContaining([expect.objectContaining({ role: 'tool', content: expect.stringContaining('browser') })]) },
  },
  'it is one among the channels of the harmony format': {
    replies: [
      textReply(
        '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant',
        '<|channel|>commentary to=functions.calculator <|constrain|>json<|message|>{"expression":"6*7"}<|call|>',
      ),
    ],
    reasoning: 'Hm.',
    ...ran,
  },
  'the name has a prefix': calling(call('functions.calculator', '{"expression":"6*7"}')),
  'the name has a channel behind it': calling(call('calculator<|channel|>commentary', '{"expression":"6*7"}')),
  'the arguments are JSON in a string of JSON': calling(call('calculator', JSON.stringify('{"expression":"6*7"}'))),
  'the arguments are in a code block': calling(call('calculator', '```json\n{"expression":"6*7"}\n```')),
  'the arguments have a comma too many': calling(call('calculator', '{"expression":"6*7",}')),
  'the arguments have a key too many': calling(call('calculator', '{"expression":"6*7","precision":2}')),
  'there are no arguments': { ...calling(call('calculator', null)), sent: results('expression') },
  'the key is another': { ...calling(call('calculator', '{"sum":"6*7"}')), sent: results('expression') },
  'the argument is a list': { ...calling(call('calculator', '{"expression":["6*7"]}')), sent: results('expression') },
  'two have one id': {
    ...calling(call('calculator', '{"expression":"6*7"}'), call('calculator', '{"expression":"2*8"}', { index: 1 })),
    sent: results('42', '16'),
  },
  'the stream ends as an answer does': { replies: [raw(call('calculator', '{"expression":"6*7"}'), line({}, 'stop'), DONE)], ...ran },
  'a template has no place for results': {
    replies: [
      raw(call('calculator', '{"expression":"6*7"}'), line({}, 'tool_calls'), DONE),
      errorReply({ message: 'Only user and assistant roles are supported!' }),
    ],
    text: ANSWER,
    requests: 3,
    sent: { messages: [expect.anything(), { role: 'user', content: expect.stringMatching(/^How are you\?\n\n\[Untrusted[^]*42/) }] },
  },
  'a template wants no prompt after a result': {
    replies: [
      raw(call('calculator', '{"expression":"6*7"}'), line({}, 'tool_calls'), DONE),
      errorReply({ message: "Unexpected role 'user' after role 'tool'", type: 'invalid_request_message_order' }),
    ],
    text: ANSWER,
    requests: 3,
    sent: { messages: [expect.anything(), { role: 'user', content: expect.stringMatching(/^How are you\?[^]*42/) }] },
  },
  'a template wants roles to alternate': {
    replies: [
      raw(call('calculator', '{"expression":"6*7"}'), line({}, 'tool_calls'), DONE),
      errorReply({ message: 'Conversation roles must alternate user/assistant/user/assistant/...' }),
      errorReply({ message: 'Conversation roles must alternate user/assistant/user/assistant/...' }),
    ],
    text: ANSWER,
    requests: 4,
    sent: { messages: [{ role: 'user', content: expect.stringMatching(/^Be kind\.[^]*How are you\?[^]*42/) }] },
  },
}
