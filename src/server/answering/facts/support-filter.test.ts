import { expect, test } from 'vitest'
import { SupportCheck, type Unsupported } from './support-filter.ts'

const PASSAGES = new Map([
  [1, 'The fee is 10 euros.'],
  [2, 'The office opens at 8:30. Dr. Amara Okoye heads it since 1. Oktober 2020.'],
])

const RULES = { unsupported: 'drop', comparesFacts: true, needsSource: false } as const

function filtered(
  text: string,
  { unsupported = 'drop', size = 1, results = [] }: { unsupported?: Unsupported; size?: number; results?: object[] } = {},
) {
  const sources = {
    passage: (number: number) => PASSAGES.get(number) ?? null,
    passages: () => [...PASSAGES.values()],
  }
  const check = new SupportCheck({ ...sources, numbers: new Set<number>(), cite: (number) => number }, { ...RULES, unsupported })
  for (const output of results) check.addToolResult({ input: { factor: 3 }, output })
  const filter = check.openFilter()
  let written = ''
  for (let at = 0; at < text.length; at += size) written += filter.write(text.slice(at, at + size))
  return { text: written + filter.end(), count: check.count, isEmpty: check.isEmpty, reply: check.emptyReply }
}

test.each([
  ['sentences', 'The fee is 10 euros. [1] The office opens at 8:30 [2]. Is that clear?'],
  ['abbreviations, ordinals and decimals', 'Dr. Amara Okoye has headed it since 1. Oktober 2020 [2]. The fee is 10.00 euros!'],
  ['lists, quotations and hard breaks', '- The fee is 10 euros.\n  - It opens at 8:30.\n\n> 1. The fee\n> is 10 euros.  \nHello\n'],
  ['headings and code', '## 5 things\n\n```sh\nsleep 99\n# 77\n```\n\n    echo 3\n'.replace('    echo 3\n', 'The end.')],
  ['code that does not end', 'Run this:\n\n```sh\nsleep 99'],
  ['tables', '| what | fee |\n|---|---|\n| card | 10 euros |\n\nThat is all.'],
  ['text without spaces', '费用是10欧元。八点半开门。'],
  ['white space at the end', 'The fee is 10 euros.\n\n'],
])('passes supported %s unchanged, whatever pieces they arrive in', (_, text) => {
  for (const size of [1, 3, 1_000]) expect(filtered(text, { size })).toMatchObject({ text, count: 0 })
})

test.each([
  ['a sentence with its citation', 'The fee is 10 euros [1]. It was 12 euros. [1] Bring it.', 'The fee is 10 euros [1]. Bring it.', 1],
  ['the first sentence', 'It was 12 euros. Bring your card.', 'Bring your card.', 1],
  ['a sentence over two lines', 'The fee was\n12 euros. Bring your card.', 'Bring your card.', 1],
  ['an item of a list', '- 10 euros now.\n- 12 euros later.\n- Bring it.', '- 10 euros now.\n- Bring it.', 1],
  ['the first sentence of an item', '- It was 12 euros. Bring it.', '- Bring it.', 1],
  ['a paragraph', 'Bring it.\n\nIt was 12 euros.\n\nGood bye.', 'Bring it.\n\nGood bye.', 1],
  ['the last paragraph', 'Bring it.\n\nIt was 12 euros.\n', 'Bring it.', 1],
  [
    'a row of a table',
    '| what | fee |\n|---|---|\n| old | 12 euros |\n| new | 10 euros |',
    '| what | fee |\n|---|---|\n| new | 10 euros |',
    1,
  ],
  ['a table whose head is not supported', '| what | in 1999 |\n|---|---|\n| new | 10 euros |\n\nBring it.', 'Bring it.', 1],
  ['a sentence after code with an empty line', '```\na\n\nb\n```\nIt was 12 euros. Bring it.', '```\na\n\nb\n```\nBring it.', 1],
  ['an exclamation before a small letter', 'It was 12 euros! bring it.', 'bring it.', 1],
  ['a number that only another passage than the cited one has', 'It opens at 8:30 [1]. It opens at 8:30 [2].', 'It opens at 8:30 [2].', 1],
])('drops %s', (_, text, shown, count) => {
  for (const size of [1, 7, 1_000]) expect(filtered(text, { size })).toMatchObject({ text: shown, count })
})

test('marks instead, in the language of the answer', () => {
  const german = 'Die Gebühr ist 12 Euro [1]. Bitte bringen Sie die Karte mit.'
  expect(filtered(german, { unsupported: 'mark' })).toMatchObject({
    text: 'Die Gebühr ist 12 Euro [1]. (nicht durch die Quellen bestätigt) Bitte bringen Sie die Karte mit.',
    count: 1,
    isEmpty: false,
  })
  expect(filtered('| a | 99 |\n', { unsupported: 'mark' }).text).toMatch(/^\| a \| 99 \(.+\) \|\n?$/)
})

test('says when nothing that answers is left, and replies in the language of the answer', () => {
  expect(filtered('Gern! Die Gebühr ist 12 Euro.')).toMatchObject({
    text: 'Gern!',
    isEmpty: true,
    reply: expect.stringContaining('Quellen'),
  })
  expect(filtered('The fees:\n- 12 euros\n- 13 euros')).toMatchObject({ isEmpty: true, count: 2 })
  expect(filtered('The fee is 10 euros. It was 12.')).toMatchObject({ isEmpty: false })
  expect(filtered('')).toMatchObject({ isEmpty: false })
})

test('counts the results of tools as sources, beside a citation too', () => {
  expect(filtered('Three times that is 37.5 euros [1].', { results: [{ result: 37.5 }] }).count).toBe(0)
})

test('cuts a sentence that is too long between words', () => {
  const text = `${'word '.repeat(298)}a and 10.00 euros`
  // The limit is within the number.
  expect(text.slice(0, 1_500)).toMatch(/ 10\.0$/)
  expect(filtered(text, { size: 1_000 })).toMatchObject({ text, count: 0 })
  const unbroken = 'x'.repeat(4_000)
  expect(filtered(unbroken, { size: 1_000 })).toMatchObject({ text: unbroken, count: 0 })
})

test('shows code line by line, empty lines too', () => {
  const filter = new SupportCheck(
    { passage: () => null, passages: () => [], numbers: new Set<number>(), cite: () => undefined },
    RULES,
  ).openFilter()
  expect(filter.write('```\nsleep 1\n\nsleep 2\n')).toContain('sleep 2')
})

test('buffers no more than a long sentence', () => {
  const filter = new SupportCheck(
    { passage: () => null, passages: () => [], numbers: new Set<number>(), cite: () => undefined },
    RULES,
  ).openFilter()
  const written = filter.write('word '.repeat(1_000))
  expect(written.length).toBeGreaterThan(3_000)
})
