import { Lexer, Tokenizer, type Tokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { lexBlocks } from './blocks.ts'
import { completeMarkdown } from './streaming-markdown.ts'

const DOCUMENT = [
  '# Title', 'A paragraph with **bold**, `code` and [a link](https://example.org).', '- one\n- two\n\n  more of two\n\n- three',
  '```ts\nconst a = `x`\n\nconst b = 2\n```', '| a | b |\n|---|---|\n| 1 | 2 |', '> quoted\n> on', 'The end.',
].join('\n\n') // biome-ignore format: one block a line

const kinds = (blocks: { type: string }[]) => blocks.map(({ type }) => type)

describe('blocks', () => {
  test('are the same however the text arrives', () => {
    let lexed = lexBlocks('')
    for (let length = 1; length <= DOCUMENT.length; length += 7) lexed = lexBlocks(DOCUMENT.slice(0, length), lexed)
    lexed = lexBlocks(DOCUMENT, lexed)
    expect(kinds(lexed.blocks)).toEqual(['heading', 'paragraph', 'list', 'code', 'table', 'blockquote', 'paragraph'])
    expect(lexed.blocks.map(({ raw }) => raw).join('')).toBe(DOCUMENT)
  })

  test('keep their identity while text is appended', () => {
    const before = lexBlocks(DOCUMENT)
    const after = lexBlocks(`${DOCUMENT} And on.\n\nNew`, before)
    expect(after.blocks.slice(0, before.blocks.length - 1)).toEqual(before.blocks.slice(0, -1))
    for (const [index, block] of before.blocks.slice(0, -1).entries()) expect(after.blocks[index]).toBe(block)
  })

  test('of a streaming text equal those of the complete text, though only its last block is parsed again', () => {
    const marks = ['**bold**', '*a b*', '`code`', '[a](https://b.org "c")', '~~no~~', '<i>', '$1$', 'www.a.org', 'x@y.org', '&amp;', '\\*', '**', '`', '[', '[1]', '[1, 2]', '[1](https://b.org)', 'snake_case', '_', '- ', '\n', '!'] // biome-ignore format: a table
    for (let seed = 1; seed <= 60; seed += 1) {
      const source = Array.from(
        { length: 14 },
        (_, index) => `word ${marks[(seed * 7 + index * seed) % marks.length]}${index % 3 === 0 ? '' : ' '}`,
      ).join('')
      let extended = lexBlocks('')
      let whole = lexBlocks('')
      for (let length = 1; length <= source.length; length += 1 + (seed % 4)) {
        const shown = completeMarkdown(source.slice(0, length))
        extended = lexBlocks(shown, extended)
        whole = lexBlocks(shown)
        expect(extended, shown).toEqual(whole)
      }
    }
  })

  test('are rebuilt when the text is replaced', () => {
    expect(kinds(lexBlocks('# Other', lexBlocks(DOCUMENT)).blocks)).toEqual(['heading'])
  })

  test.each([['['], ['*'], ['> '], ['- '], ['$$'], ['| a | b |\n|---|---|\n| 1 | 2 |\n\n']])(
    'take linear time for a long answer of %j',
    (mark) => {
      const source = mark.repeat(Math.min(2_000, 65_536 / mark.length))
      expect(lexBlocks(source).blocks.length).toBeGreaterThan(0)
    },
  )
})

test('a paragraph too long to be parsed is shown as text, and others are parsed', () => {
  const long = '_a* '.repeat(2_500).trim()
  const [shown, marked] = lexBlocks(`${long}\n\nSome **bold** text`).blocks
  expect(shown).toMatchObject({ type: 'paragraph', tokens: [{ type: 'escape', text: long }] })
  expect(kinds((marked as { tokens: { type: string }[] }).tokens)).toEqual(['text', 'strong', 'text'])
})

describe('a list, table or quote that is too long for one block', () => {
  const items = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, index) => item(index)).join('')
  const TABLE = '| a | b |\n|---|--:|\n'
  test.each([
    ['list', items(5_000, () => '- x\n')],
    ['list', items(2_000, () => '- x\n\n  y\n\n')],
    ['list', items(4_000, () => '1. x\n')],
    ['list', `- x\n${'  - y\n'.repeat(3_000)}`],
    ['table', TABLE + items(1_500, (index) => `| ${index} | *x* |\n`)],
    ['blockquote', '> x\n'.repeat(5_000)],
  ])('is split into several of its kind, however the text arrives: %s', (kind, source) => {
    const { blocks } = lexBlocks(source)
    expect(blocks.map(({ raw }) => raw).join('')).toBe(source)
    expect(Math.max(...blocks.map(({ raw }) => raw.length))).toBeLessThanOrEqual(6_100)
    expect(new Set(kinds(blocks))).toEqual(new Set([kind]))
    let lexed = lexBlocks('')
    for (let length = 2_003; length < source.length; length += 2_003) lexed = lexBlocks(source.slice(0, length), lexed)
    expect(lexBlocks(source, lexed).blocks.map(({ raw }) => raw)).toEqual(blocks.map(({ raw }) => raw))
  })

  test('of short or loose items is split after some hundreds, and no other is', () => {
    const lengths = (source: string) =>
      lexBlocks(source).blocks.flatMap((block) => (block.type === 'list' ? [(block as Tokens.List).items.length] : []))
    expect(lengths('- x\n'.repeat(600))).toEqual([250, 250, 100])
    expect(lengths('1. x\n\n'.repeat(600))).toEqual([250, 250, 100])
    expect(lengths('- x\n'.repeat(250))).toEqual([250])
    expect(lexBlocks('x\n'.repeat(600)).blocks).toHaveLength(1)
  })

  test('continues its numbers, and repeats its head', () => {
    const source = `${'1. x\n'.repeat(4_000)}\n${TABLE}${'| 1 | 2 |\n'.repeat(2_000)}\n1. one\n`
    const { blocks } = lexBlocks(source)
    const lists = blocks.filter(({ type }) => type === 'list') as Tokens.List[]
    const other = lists.pop()
    expect(lists.length).toBeGreaterThan(1)
    expect(lists.reduce((next, { start, items: { length } }) => (start === next ? next + length : Number.NaN), 1)).toBe(4_001)
    expect(other?.start).toBe(1)
    const tables = blocks.filter(({ type }) => type === 'table') as Tokens.Table[]
    expect(tables.length).toBeGreaterThan(1)
    const heads = tables.map(({ header, align }) => [...header.map(({ text }) => text), ...align])
    expect(heads).toEqual(tables.map(() => ['a', 'b', null, 'right']))
    expect(tables.reduce((sum, { rows }) => sum + rows.length, 0)).toBe(2_000)
  })
})

test('a quote whose first line is too long is shown as text, and the rest is unaffected', () => {
  const quotes = '> '.repeat(20_000)
  const { blocks } = lexBlocks(`# Before\n\n${quotes}\n\n# After`)
  expect(kinds(blocks)).toEqual(['heading', 'paragraph', 'heading'])
})

/** Tokens within tokens, on the first path of each. */
function pathOf(token: Tokens.Generic): string[] {
  const inner = token.tokens?.[0] ?? token['items']?.[0]
  return [token.type, ...(inner ? pathOf(inner) : [])]
}

test.each([
  ['> ', 1, 'blockquote'],
  ['1) ', 2, 'list,list_item'],
])('what %j nests more than twenty times is shown as written, with its lines', (mark, tokensALevel, kind) => {
  const source = `${mark.repeat(30)}**a**\n${mark.trim() === '>' ? mark.repeat(30) : ' '.repeat(90)}b`
  const path = pathOf(lexBlocks(source).blocks[0]!)
  expect(path.slice(0, 20 * tokensALevel).join()).toBe(Array(20).fill(kind).join())
  expect(path.slice(20 * tokensALevel)).toEqual(['html'])
  expect(JSON.stringify(lexBlocks(source).blocks)).toContain(`"text":"${mark.repeat(10)}**a**\\n`)
})

describe('a table', () => {
  const table = (columns: number, rows: string) => `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${rows}`
  test('can have a hundred columns, and is text beyond', () => {
    expect(kinds(lexBlocks(table(100, '|1'.repeat(100))).blocks)).toEqual(['table'])
    expect(kinds(lexBlocks(table(101, '|1'.repeat(101))).blocks)).toEqual(['paragraph'])
  })

  test('is text where its rows leave most cells empty', () => {
    expect(kinds(lexBlocks(table(3, '|1|\n'.repeat(4))).blocks)).toEqual(['table'])
    expect(kinds(lexBlocks(table(90, '|1|\n'.repeat(1_000))).blocks)).not.toContain('table')
  })

  test('has at most 1,500 cells in a part', () => {
    const { blocks } = lexBlocks(table(30, `${'|1'.repeat(30)}|\n`.repeat(200)))
    const cells = blocks.map((block) => (block as Tokens.Table).rows.length * 30)
    expect(cells.reduce((sum, count) => sum + count)).toBe(6_000)
    expect(Math.max(...cells)).toBeLessThanOrEqual(1_500)
  })
})

/** Marked as it merges paragraphs with an override. */
class ReferenceTokenizer extends Tokenizer {
  override paragraph(source: string): Tokens.Paragraph | undefined {
    return super.paragraph(source)
  }
}

const comparable = (tokens: Tokens.Generic[]): unknown =>
  tokens
    .filter(({ type }) => type !== 'space')
    .map((token) => {
      const cells = (token['rows'] as Tokens.TableCell[][] | undefined)?.flat().map(({ text, tokens: inner }) => [text, comparable(inner)])
      return [token.type, token.raw.trimEnd(), token['start'], comparable(token.tokens ?? []), comparable(token['items'] ?? []), cells]
    })

test('reads Markdown within its limits as marked does', () => {
  const marks = ['[a](b "c")', '**', '*', '_', '`', '\n', '\n\n', '> ', '- ', '1. ', '  ', '# ', '|a|b|\n|-|:-:|\n', '1|2|\n', '<b>', 'www.a.org ', '[ ] ', '```', '\\', '![', 'word ', '---', '[a]: /b\n', '    ', 'a\n', '> > ', `${'long '.repeat(40)}\n`] // biome-ignore format: a table
  for (let seed = 1; seed <= 600; seed += 1) {
    const source = Array.from(
      { length: 16 },
      (_, index) => marks[(seed * 31 + index * (seed + 7) + ((index * index * seed) % 5)) % marks.length],
    ).join('')
    const reference = new Lexer({ gfm: true, tokenizer: new ReferenceTokenizer() }).lex(source)
    expect(comparable(lexBlocks(source).blocks), source).toEqual(comparable(reference))
  }
})

describe('incomplete Markdown', () => {
  test.each([
    ['some **bold te', 'some **bold te**'],
    ['some **bold**', 'some **bold**'],
    ['some *it', 'some *it*'],
    ['2 * 3', '2 * 3'],
    ['run `npm in', 'run `npm in`'],
    ['run `a * b` and **c', 'run `a * b` and **c**'],
    ['see [the pa', 'see the pa'],
    ['see [the page](https://exa', 'see the page'],
    ['see [the page](https://example.org)', 'see [the page](https://example.org)'],
    ['look ![alt](https://ex', 'look '],
    ['30 days [', '30 days '],
    ['30 days [1', '30 days'],
    ['30 days [1]', '30 days'],
    ['30 days [1].', '30 days [1].'],
    ['30 days [1, 2', '30 days'],
    ['30 days [1][2', '30 days [1]'],
    ['30 days [1](https://ex', '30 days 1'],
    ['30 天【1', '30 天'],
    ['**30 days [1', '**30 days**'],
    ['take `list[1', 'take `list[1`'],
    ['take `list[1]', 'take `list[1]`'],
    ['Title\n=', 'Title\n'],
    ['text\n-', 'text\n'],
    ['text\n\n##', 'text\n\n'],
    ['text\n\n``', 'text\n\n'],
    ['```js\nlet a\n``', '```js\nlet a'],
    ['```js\nlet **a', '```js\nlet **a'],
    ['| a | b', ''],
    ['so\n| a | b |\n', 'so\n'],
    ['| a | b |\n|--', ''],
    ['| a | b |\n|---|---|', '| a | b |\n|---|---|'],
    ['| a | b |\n|---|---|\n| 1 |', '| a | b |\n|---|---|\n| 1 |'],
    ['done\n\n- a\n- [', 'done\n\n- a\n'],
  ])('%j is shown as %j', (source, shown) => {
    expect(completeMarkdown(source)).toBe(shown)
  })
})

describe('a broken table', () => {
  const tableOf = (source: string) => {
    const [block] = lexBlocks(source).blocks as [Tokens.Table]
    return block.type === 'table' ? [block.header, ...block.rows].map((row) => row.map(({ text }) => text)) : block.type
  }
  const TABLE = [
    ['Criterion', 'A', 'B'],
    ['Price', '1', '2'],
  ]

  test.each([
    ['without a rule', '| Criterion | A | B |\n| Price | 1 | 2 |'],
    ['with a rule that is too short', '| Criterion | A | B |\n|---|---|\n| Price | 1 | 2 |'],
    ['with a rule that is too long', '| Criterion | A | B |\n|---|---|---|---|\n| Price | 1 | 2 |'],
  ])('%s is a table', (_, source) => {
    expect(tableOf(source)).toEqual(TABLE)
    expect(tableOf(`${source}\n\nAnd on.`)).toEqual(TABLE)
    expect(
      lexBlocks(`${source}\n\nAnd on.`)
        .blocks.map(({ raw }) => raw)
        .join(''),
    ).toBe(`${source}\n\nAnd on.`)
  })

  test('with a row that is wider than its head has room for it', () => {
    expect(tableOf('| Criterion | A |\n| Price | 1 | 2 |')).toEqual([['Criterion', 'A', ''], TABLE[1]])
  })

  test.each(['| Criterion', '| Criterion | A', '| Criterion | A | B |', '| Criterion | A |\n|--'])(
    'that was cut off shows no bars: %s',
    (source) => {
      expect(JSON.stringify(tableOf(source))).not.toContain('|')
      expect(tableOf(source)).toContainEqual(expect.arrayContaining(['Criterion']))
    },
  )

  test.each(['|x| < 1', '|x| and |y|\nare lengths', '| Not a row\n\nand on', '|---|'])('is not seen in %s', (source) => {
    expect(tableOf(source)).toBe('paragraph')
  })
})
