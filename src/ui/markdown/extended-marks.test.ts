import { describe, expect, test } from 'vitest'
import { type Block, lexBlocks } from './blocks.ts'
import * as marks from './extended-marks.ts'

interface Found {
  type: string
  raw: string
  text?: string
  tokens?: Found[]
  items?: Found[]
  rows?: Found[][]
}

const all = (tokens: Found[]): Found[] =>
  tokens.flatMap((token) => [token, ...all([...(token.tokens ?? []), ...(token.items ?? []), ...(token.rows ?? []).flat()])])
const found = (source: string) => all(lexBlocks(source, undefined, marks).blocks as Found[])
const formulas = (source: string) => found(source).flatMap(({ type, text }) => (type === 'formula' ? text : []))
const kinds = (blocks: Block[]) => blocks.map(({ type }) => type)

describe('a formula', () => {
  test.each([
    ['so $x^2$.', ['$x^2$']],
    ['from $a_1 * b_1 * c$ and $b_1$ on', ['$a_1 * b_1 * c$', '$b_1$']],
    ['**Note: $a^*$ and $b^*$**', ['$a^*$', '$b^*$']],
    ['**Note: \\(a^*\\) and \\(b^*\\)**', ['\\(a^*\\)', '\\(b^*\\)']],
    ['the price is \\$5, and $n = \\$5$', ['$n = \\$5$']],
    ['is \\(a < b\\) so', ['\\(a < b\\)']],
    ['is \\[a\\] so', ['\\[a\\]']],
    ['$$\nx\n- y\n= z\n$$', ['$$\nx\n- y\n= z\n$$']],
    ['so\n$$\nx\n- y\n$$\nand on', ['$$\nx\n- y\n$$']],
    [
      'so\n\\[\n\\begin{aligned} a &= b \\\\[2pt]\n+ c \\end{aligned}\n\\]',
      ['\\[\n\\begin{aligned} a &= b \\\\[2pt]\n+ c \\end{aligned}\n\\]'],
    ],
    ['- one\n  $$\n  x\n  $$\n- $y$', ['$$\nx\n$$', '$y$']],
    ['| a | b |\n|---|---|\n| $x$ | y |', ['$x$']],
    ['> $$x$$', ['$$x$$']],
  ])('is found in %j', (source, expected) => {
    expect(formulas(source)).toEqual(expected)
  })

  test.each([
    'It costs $5 or $6.', 'between $5 and $10, or US$5/US$6', '$20,000 and USD$30,000', '5$ and 6$', '$5-$6', 'a $ b $ c', '$$', '$$$$', '$',
    'echo $HOME/bin:$PATH', '`$x$`', '```\n$$x$$\n```', '    $x$', '$x\ny$', '$$x\n\ny$$', '\\$x$', '[a](https://example.org/$x$)', '\\(', '\\[ a',
  ])('is none in %j', (source) => {
    expect(formulas(source)).toEqual([])
  }) // biome-ignore format: a list

  test('keeps the source intact however it arrives', () => {
    const source = 'A $x$ b.\n\nso\n$$\nx\n- y\n$$\nand\n\n\\[ z \\]\n\n- $y$\n\nEnd[^1].\n\n[^1]: A *note*.\n[^2]: Another.'
    let lexed = lexBlocks('', undefined, marks)
    for (let length = 1; length <= source.length; length += 3) lexed = lexBlocks(marks.complete(source.slice(0, length)), lexed, marks)
    lexed = lexBlocks(source, lexed, marks)
    expect(lexed.blocks.map(({ raw }) => raw).join('')).toBe(source)
    const expected = ['paragraph', 'paragraph', 'formula', 'paragraph', 'formula', 'list', 'paragraph', 'footnote', 'footnote']
    expect(kinds(lexed.blocks)).toEqual(expected)
  })
})

describe('a footnote', () => {
  test('is a mark in the text and a note that can have several paragraphs', () => {
    const tokens = found('One[^1] and[^long].\n\n[^1]: The *first*\nand more.\n[^long]: https://example.org')
    expect(tokens.flatMap(({ type, raw }) => (type.startsWith('footnote') ? [[type, raw]] : []))).toEqual([
      ['footnote-mark', '[^1]'],
      ['footnote-mark', '[^long]'],
      ['footnote', '[^1]: The *first*\nand more.\n'],
      ['footnote', '[^long]: https://example.org'],
    ])
    expect(tokens.some(({ type }) => type === 'em')).toBe(true)
  })

  test('can follow its text directly', () => {
    expect(kinds(lexBlocks('One[^1].\n[^1]: Note.', undefined, marks).blocks)).toEqual(['paragraph', 'footnote'])
  })
})

describe('streaming text', () => {
  test.each([
    ['so $x^2 + ', 'so '],
    ['so $x$ and **bo', 'so $x$ and **bo**'],
    ['so **bold $a^*$ and', 'so **bold $a^*$ and**'],
    ['it costs $5 and', 'it costs $5 and'],
    ['so\n\n$$\nx = ', 'so\n\n'],
    ['so\n\\[\nx = ', 'so\n'],
    ['so \\(x', 'so '],
    ['so \\[ a[1] \\]', 'so \\[ a[1] \\]'],
    ['```sh\necho $HOM', '```sh\necho $HOM'],
    ['run `echo $x` and $y', 'run `echo $x` and '],
    [`so $x ${'and on '.repeat(20)}`, `so $x ${'and on '.repeat(20)}`],
  ])('%j is shown as %j', (source, shown) => {
    expect(marks.complete(source)).toBe(shown)
  })
})

test('renders a thousand of them, and shows the rest as text', () => {
  expect(formulas(`${'$x$ '.repeat(500)}\n\n`.repeat(6))).toHaveLength(1_000)
})

test.each([['$'], ['$ '], ['$x '], ['$$x '], ['\\('], ['\\['], ['\\(\\['], ['$x\\('], ['$x$ '], ['[^1]'], ['[^1]: '], ['$x\n'], ['$$\n']])(
  'takes linear time for a long answer of %j, and keeps all of it',
  (mark) => {
    const source = mark.repeat(100_000 / mark.length)
    expect(
      lexBlocks(source, undefined, marks)
        .blocks.map(({ raw }) => raw)
        .join(''),
    ).toHaveLength(source.length)
    expect(marks.complete(source).length).toBeLessThanOrEqual(source.length)
  },
)

describe('a diagram', () => {
  const diagrams = (source: string) => found(source).flatMap(({ type, text }) => (type === 'diagram' ? text : []))

  test.each([
    ['```mermaid\npie\n```', ['pie']],
    ['so\n```mermaid\npie\n\n"a": 1\n```\nand on', ['pie\n\n"a": 1']],
    ['~~~~Mermaid theme\npie\n~~~~~\n\n```mermaid\ngantt\n```\n', ['pie', 'gantt']],
    ['- one\n  ```mermaid\n  pie\n  ```\n- two', ['pie']],
    ['> ```mermaid\n> pie\n> ```', ['pie']],
    ['```mermaid\n```', ['']],
  ])('is found in %j', (source, expected) => {
    expect(diagrams(source)).toEqual(expected)
  })

  test.each([
    '```mermaid\npie',
    '```mermaid\npie\n``',
    '```mermaid',
    '````mermaid\npie\n```',
    '```mermaids\npie\n```',
    '```js\nmermaid\n```',
    '`mermaid`',
  ])('is not found in %j', (source) => {
    expect(diagrams(source)).toEqual([])
  })

  test('stays unchanged while text is appended', () => {
    const before = lexBlocks('```mermaid\npie\n```\n\nOne', undefined, marks)
    expect(lexBlocks('```mermaid\npie\n```\n\nOne and two', before, marks).blocks[0]).toBe(before.blocks[0])
  })
})
