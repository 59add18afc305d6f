import { expect, test } from 'vitest'
import { MAX_ANSWER_CHARACTERS } from '../../../contract/size-limits.ts'
import { plainText } from './plain-text.ts'

test.each([
  ['## A *heading*', 'A heading'],
  ['> 1. **strong _and_ more** of it', 'strong and more of it'],
  ['- [x] warm the ~~cup~~ pot', 'warm the cup pot'],
  ['see [the **page**](https://example.org/a_b "A title")![x](y)[^1]', 'see the pagex'],
  ['You have 30 days [1][2]. Take `list[1]`.', 'You have 30 days. Take list[1].'],
  ['call `**kwargs` of snake_case_name', 'call **kwargs of snake_case_name'],
  ['2 * 3 * 4 = 24, 5\\*6', '2 * 3 * 4 = 24, 5*6'],
  ['| tea | *water* |\n|---|--:|\n| green | 75 °C |', 'tea · water;\ngreen · 75 °C'],
  ['above\n\n---\n```js\n# const **x** = 1\n```\nbelow', 'above\n\n# const **x** = 1\nbelow'],
  ['****', ''],
  ['a | b, a_b_c, [x] and (y)', 'a | b, a_b_c, [x] and (y)'],
])('turns %j into %j', (markdown, plain) => {
  expect(plainText(markdown)).toBe(plain)
})

// With a scan of the rest for each mark, this would take minutes.
test.each(['*', '_a', '[', '[a](', '[a](b "', '`', '\\', '> ', '|', '[^', '~~a', '**a* ', ' '])(
  'takes linear time for the longest answer of %j',
  (mark) => {
    expect(plainText(mark.repeat(MAX_ANSWER_CHARACTERS / mark.length)).length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS)
  },
)
