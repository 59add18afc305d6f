import { expect, test } from 'vitest'
import { plainQuote } from './plain-quote.ts'

test.each([
  ['# Returns\n\nYou have **30 *days*** to `return` it.', 'Returns\nYou have 30 days to return it.'],
  ['- one\n- two\n  - three\n\n1. four', '• one\n• two\n• three\n• four'],
  ['| a | b |\n|---|---|\n| 1 | **2** |', 'a · b\n1 · 2'],
  ['```js\nlet a = [1]\nlet b\n```', 'let a = [1]\nlet b'],
  ['> quoted\n> on\n\n---', 'quoted\non'],
  ['[the page](javascript:alert(1)) ![pixel](https://evil.example/p.png) <https://a.org>', 'the page  https://a.org'],
  ['<script>alert(1)</script> &lt;b&gt; &amp;', '<script>alert(1)</script> <b> &'],
  ['', ''],
])('%j reads %j', (markdown, text) => {
  expect(plainQuote(markdown)).toBe(text)
})

test.each(['> ', '- ', '[', '*', '| a |\n|---|\n'])('takes linear time for many %j', (mark) => {
  expect(plainQuote(mark.repeat(1_000)).length).toBeLessThanOrEqual(6_000)
})
