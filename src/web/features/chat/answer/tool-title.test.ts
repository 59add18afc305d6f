import { expect, test } from 'vitest'
import { textOfValue, toolTitle } from './tool-title.tsx'

const call = (toolName: string, title?: string) =>
  ({ type: 'dynamic-tool', toolName, toolCallId: 'c', state: 'input-available', input: {}, ...(title && { title }) }) as const

test('a tool is named by its title, or by its name as words', () => {
  expect(toolTitle(call('order_tea', 'Tea by post'))).toBe('Tea by post')
  expect(['order_tea', 'orderTea', 'calculator'].map((name) => toolTitle(call(name)))).toEqual(['Order tea', 'Order tea', 'Calculator'])
})

test('a value is shown as it is, or as JSON', () => {
  expect(textOfValue('two lines\nof text')).toBe('two lines\nof text')
  expect(textOfValue({ cups: 2 })).toBe('{\n  "cups": 2\n}')
  expect(textOfValue(undefined)).toBe('')
})
