import type { JSONSchema7 } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { chatHistory } from './local-model.ts'
import { functionForms, withoutNulls } from './function-forms.ts'

const paramsOf = (inputSchema: JSONSchema7) => functionForms([{ type: 'function', name: 'tool', inputSchema }])['tool']?.params

test('puts tool calls and their results into their answer', () => {
  const history = chatHistory([
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'A file.' },
        { type: 'text', text: 'How much?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool-call', toolCallId: '1', toolName: 'calculator', input: { x: 1 } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: '1', toolName: 'calculator', output: { type: 'json', value: { result: 1 } } }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'One.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
  ])
  const call = { type: 'functionCall', name: 'calculator', params: { x: 1 }, result: { result: 1 } }
  expect(history).toEqual([
    { type: 'system', text: 'Be kind.' },
    { type: 'user', text: 'A file.\n\nHow much?' },
    { type: 'model', response: ['Let me see.', call, 'One.'] },
    { type: 'user', text: 'Thanks' },
    { type: 'model', response: [] },
  ])
})

test('supports optional properties, which the grammar lacks', () => {
  const params = paramsOf({
    type: 'object',
    properties: { place: { type: 'string', description: 'A city' }, day: { type: 'integer' } },
    required: ['day'],
  })
  expect(params).toEqual({
    type: 'object',
    properties: { place: { oneOf: [{ type: 'string', description: 'A city' }, { type: 'null' }] }, day: { type: 'integer' } },
  })
  expect(withoutNulls({ place: null, day: 3 })).toEqual({ day: 3 })
  expect(withoutNulls(undefined)).toEqual({})
})

test('supports choices, lists and references, and accepts anything for recursive schemas', () => {
  const schema: JSONSchema7 = {
    type: 'object',
    properties: {
      unit: { enum: ['m', 'km'] },
      many: { type: 'array', items: { anyOf: [{ const: 1 }, { type: ['string', 'null'] }] } },
      tree: { $ref: '#/definitions/tree' },
    },
    required: ['unit', 'many', 'tree'],
    definitions: { tree: { type: 'object', properties: { next: { $ref: '#/definitions/tree' } }, required: ['next'] } },
  }
  const params = paramsOf(schema) as { properties: Record<string, unknown> }
  expect(params.properties['unit']).toEqual({ enum: ['m', 'km'] })
  expect(params.properties['many']).toEqual({ type: 'array', items: { oneOf: [{ const: 1 }, { type: ['string', 'null'] }] } })
  expect(JSON.stringify(params.properties['tree'])).toMatch(/\{"next":\{"type":\["string","number","integer","boolean","null"\]\}\}/)
})
