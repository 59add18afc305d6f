import type { FinishReason, LanguageModelStreamPart } from 'ai'
import { expect, test } from 'vitest'
import { type ThinkingFormat, ThinkTags } from './think-tags.ts'

/** The output of a step that a model wrote in these pieces. */
function seen(pieces: readonly string[], habit: ThinkingFormat = { opensThoughts: false }, finishReason: FinishReason = 'stop') {
  const tags = new ThinkTags(habit)
  const parts: LanguageModelStreamPart[] = [
    { type: 'text-start', id: 't' },
    ...pieces.map((text) => ({ type: 'text-delta' as const, id: 't', text })),
    { type: 'text-end', id: 't' },
    { type: 'model-call-end', finishReason, rawFinishReason: finishReason } as LanguageModelStreamPart,
  ]
  const state = { reasoning: '', text: '', resets: 0 }
  const open = new Set<string>()
  for (const part of parts.flatMap((each) => tags.read(each))) {
    if (part.type === 'reset-step') {
      open.clear()
      Object.assign(state, { reasoning: '', text: '', resets: state.resets + 1 })
    }
    if (part.type === 'text-start' || part.type === 'reasoning-start') open.add(part.type + part.id)
    if (part.type === 'text-end' || part.type === 'reasoning-end') open.delete(part.type.replace('end', 'start') + part.id)
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      if (!open.has(part.type.replace('delta', 'start') + part.id)) throw new Error(`${part.id} is not open`)
      state[part.type === 'text-delta' ? 'text' : 'reasoning'] += part.text
    }
  }
  expect([...open]).toEqual([])
  return state
}

const CASES: [name: string, written: string, reasoning: string, text: string][] = [
  ['thoughts before the answer', '<think>Hm, 42.</think>It is 42.', 'Hm, 42.', 'It is 42.'],
  ['white space around both', '\n<think>\nHm.\n</think>\n\nYes.', '\nHm.\n', 'Yes.'],
  ['<thinking>', '<thinking>a </think> b</thinking>c', 'a </think> b', 'c'],
  ['<thought>', '<thought>a</thought>c', 'a', 'c'],
  ['empty thoughts', '<think>\n\n</think>\n\nYes.', '\n\n', 'Yes.'],
  ['thoughts that are never closed', '<think>and on and on', 'and on and on', ''],
  ['thoughts that the template opened', 'Hm, 42.\n</think>\n\nIt is 42.', 'Hm, 42.\n', 'It is 42.'],
  ['a plain answer', 'It is < 42 and </b>.', '', 'It is < 42 and </b>.'],
  ['a tag within the answer', 'Write <think> and </think> around it.', '', 'Write <think> and </think> around it.'],
  ['a closing tag in code', 'Close it with `</think>`.', '', 'Close it with `</think>`.'],
  ['a closing tag in a block of code', 'So:\n```\nx\n</think>\n```\n', '', 'So:\n```\nx\n</think>\n```\n'],
  ['a second tag behind the thoughts', '<think>a</think>Say </think>.', 'a', 'Say </think>.'],
  ['the beginning of a tag', '<thi', '', '<thi'],
  ['nothing but space', ' \n', '', ' \n'],
]

test.each(CASES)('recognises %s however the text is split', (_, written, reasoning, text) => {
  expect(seen([written])).toMatchObject({ reasoning, text })
  expect(seen([...written])).toMatchObject({ reasoning, text })
  for (let cut = 1; cut < written.length; cut += 1)
    expect(seen([written.slice(0, cut), written.slice(cut)])).toMatchObject({ reasoning, text })
})

test('emits a plain answer as it arrives, without a reset', () => {
  const tags = new ThinkTags({ opensThoughts: false })
  tags.read({ type: 'text-start', id: 't' })
  expect(tags.read({ type: 'text-delta', id: 't', text: 'It' })).toEqual([
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', text: 'It' },
  ])
  expect(tags.read({ type: 'text-delta', id: 't', text: ' is' })).toEqual([{ type: 'text-delta', id: 't', text: ' is' }])
})

test('learns whether a template opens the reasoning, and corrects itself', () => {
  const habit = { opensThoughts: false }
  expect(seen([...'Hm.</think>Yes.'], habit)).toEqual({ reasoning: 'Hm.', text: 'Yes.', resets: 1 })
  expect(habit.opensThoughts).toBe(true)
  expect(seen([...'Hm.</think>Yes.'], habit)).toEqual({ reasoning: 'Hm.', text: 'Yes.', resets: 0 })
  expect(seen([...'Without thoughts.'], habit)).toEqual({ reasoning: '', text: 'Without thoughts.', resets: 1 })
  expect(habit.opensThoughts).toBe(false)
})

test('reasoning cut off by the token limit does not count as an answer', () => {
  const habit = { opensThoughts: true }
  expect(seen([...'Hm, let me think'], habit, 'length')).toEqual({ reasoning: 'Hm, let me think', text: '', resets: 0 })
  expect(habit.opensThoughts).toBe(true)
})

test('does not change the text of a model that reasons in the protocol', () => {
  const tags = new ThinkTags({ opensThoughts: true })
  tags.read({ type: 'reasoning-start', id: 'r' })
  tags.read({ type: 'text-start', id: 't' })
  expect(tags.read({ type: 'text-delta', id: 't', text: 'It is </think>.' })).toContainEqual({
    type: 'text-delta',
    id: 't',
    text: 'It is </think>.',
  })
})
