import { expect, test } from 'vitest'
import { wholeSentences } from './sentences.ts'

const ANSWER =
  'Hello there. This is **bold**, all 3.5 of it! See [the page](https://example.org/a.b).\n\n```ts\nconst a = 1. \n```\n\n- First\n- Second one'

test('waits until a sentence is complete', () => {
  expect(wholeSentences('Hello there. This is', 0, true)).toEqual({ sentences: ['Hello there.'], end: 13 })
  expect(wholeSentences('Hello there. ', 0, true)).toEqual({ sentences: [], end: 0 })
  expect(wholeSentences('Hello there. This is', 13, false)).toEqual({ sentences: ['This is'], end: 20 })
})

test.each([1, 2, 5, 17])('returns each sentence once when the text grows by %i characters', (step) => {
  const said: string[] = []
  let end = 0
  const listen = (text: string, isStreaming: boolean) => {
    const next = wholeSentences(text, end, isStreaming)
    said.push(...next.sentences)
    end = next.end
  }
  for (let length = 1; length < ANSWER.length; length += step) listen(ANSWER.slice(0, length), true)
  listen(ANSWER, false)
  const parts = ['Hello there.', 'This is bold, all 3.5 of it!', 'See the page.', 'Code block.', 'First', 'Second one']
  expect(said).toEqual(parts)
})

test.each([
  ['You have 30 days [1]. It is free [2, 3][4].', ['You have 30 days.', 'It is free.']],
  ['You have 30 days.[1] It is free. [2] Really.', ['You have 30 days.', 'It is free.', 'Really.']],
  ['您有三十天【1】。免费。', ['您有三十天。', '免费。']],
  ['Take `list[1]` or [1](https://example.org/) of [2026].', ['Take list[1] or 1 of [2026].']],
])('omits citation numbers: %s', (text, sentences) => {
  expect(wholeSentences(text, 0, false).sentences).toEqual(sentences)
})

test.each([
  ['The area is $\\frac{a + b}{2} \\cdot h$, in short.', ['The area is Formula , in short.']],
  ['So:\n$$\n\\sqrt{x^2} \\le \\left( 3 \\right)\n$$\nDone.', ['So:', 'Formula', 'Done.']],
  ['It is \\(\\alpha \\neq 1\\) and \\[\\sin x\\]', ['It is Formula and Formula']],
  ['It costs $5 or $6 a month.', ['It costs $5 or $6 a month.']],
  ['Keep `$\\frac{1}{2}$`.', ['Keep $\\frac{1}{2}$.']],
  ['It is free[^1] for all [^note].\n\n[^1]: Since 2020.', ['It is free for all.', 'Since 2020.']],
])('names formulas, and omits the marks of footnotes: %s', (text, sentences) => {
  expect(wholeSentences(text, 0, false).sentences).toEqual(sentences)
})

test('names a formula of several lines once it is complete', () => {
  expect(wholeSentences('So:\n$$\n\\frac{1}{2}\n', 0, true)).toEqual({ sentences: ['So:'], end: 4 })
})

test('omits citation numbers while streaming', () => {
  const text = 'You have 30 days.[1] It is free [2]. And [3]\nso on.'
  const said: string[] = []
  let end = 0
  for (let length = 1; length <= text.length; length += 1) {
    const next = wholeSentences(text.slice(0, length), end, length < text.length)
    said.push(...next.sentences)
    end = next.end
  }
  expect(said).toEqual(['You have 30 days.', 'It is free.', 'And', 'so on.'])
})

test.each(['[', '![', '[a](', '<', '`', '$', '$a', '$$a', '\\(', '\\[', '[^', '\\frac{', '{'])(
  'take linear time for a long text of %s',
  (mark) => {
    const text = mark.repeat(200_000 / mark.length)
    expect(wholeSentences(text, 0, false).end).toBe(text.length)
  },
)
