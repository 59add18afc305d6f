import { expect, test } from 'vitest'
import { AttributionFilter } from './attribution-filter.ts'

const PASSAGES = new Map([
  [1, 'Parking › Permits\nA resident’s first permit costs 30 euros a year, a second permit costs 120 euros a year.'],
  [4, 'Pool › Prices\nChildren pay 2.50 euros, adults pay 5 euros. The pool opens at 9:00.'],
  [
    6,
    'Help › Files\nDelete the .LCK and .LNK files after a crash. Pictures are GIF or PNG. The tool cron-apt updates the system by itself.',
  ],
  [5, '停车 › 许可证\n第二张停车许可证每年收费120欧元。'],
])

/** The text as it is shown when it arrives in pieces of this size, and the numbers that were cited. */
function shown(text: string, size: number, prompt = '') {
  const cited: number[] = []
  const filter = new AttributionFilter(
    {
      numbers: new Set(PASSAGES.keys()),
      passage: (number) => PASSAGES.get(number) ?? null,
      cite: (number) => cited.push(number) && number,
    },
    prompt,
  )
  let written = ''
  for (let at = 0; at < text.length; at += size) written += filter.write(text.slice(at, at + size))
  return { written: written + filter.end(), cited }
}

test.each([1, 3, 1_000])('a sentence gets the number of the passage that it stands in, in pieces of %i', (size) => {
  const { written, cited } = shown('The second permit costs 120 euros a year. Children pay 2.50 euros at the pool!\n\nGoodbye.', size)
  expect(written).toBe('The second permit costs 120 euros a year [1]. Children pay 2.50 euros at the pool [4]!\n\nGoodbye.')
  expect(cited).toEqual([1, 4])
  expect(shown('第二张停车许可证每年收费120欧元。', size).written).toBe('第二张停车许可证每年收费120欧元 [5]。')
})

test.each([1, 1_000])('what its passage does not state gets none, in pieces of %i', (size) => {
  for (const text of [
    'The second permit costs 150 euros a year.',
    'The mayor of the town is elected by its citizens.',
    'Yes, it does.',
    '# The second permit costs 120 euros a year',
    '| The second permit | costs 120 euros a year |',
    '```\nThe second permit costs 120 euros a year.\n```\n',
  ])
    expect(shown(text, size)).toEqual({ written: text, cited: [] })
})

test('what a sentence repeats of the prompt says nothing about its source', () => {
  const prompt = 'Is the pool of the town open at nine?'
  expect(shown('Yes, the pool of the town opens at 9:00.', 1_000, prompt).cited).toEqual([4])
  expect(shown('The pool of the town is open all night long.', 1_000, prompt).cited).toEqual([])
})

test.each([
  ['Which files can I delete after a crash?', 'You can delete the .LCK and .LNK files.', [6]],
  ['And which pictures can I use?', 'You can use GIF or PNG pictures.', [6]],
  ['Is there a tool that updates the system?', 'Yes, you can use cron-apt.', [6]],
  ['Is there a tool that updates the system?', 'Yes, you can use cron-dnf.', []],
  ['Which files can I delete after a crash?', 'You can delete the TMP files.', []],
  ['Is cron-apt a tool?', 'Yes, cron-apt is.', []],
])('to "%s", "%s" is said by the passage with its acronyms and compounds: %j', (prompt, answer, numbers) => {
  expect(shown(answer, 1_000, prompt).cited).toEqual(numbers)
})

test.each([1, 1_000])('an answer that cites is left alone from there on, in pieces of %i', (size) => {
  for (const text of [
    'The second permit costs 120 euros a year [1]. Children pay 2.50 euros at the pool.',
    'The second permit costs 120 euros a year. [1] Children pay 2.50 euros at the pool.',
  ])
    expect(shown(text, size)).toEqual({ written: text, cited: [] })
})

test.each([1, 1_000])('items of a list and the end of a text without a full stop count, in pieces of %i', (size) => {
  expect(shown('- Second permit costs 120 euros a year\n- children pay 2.50 euros', size).written).toBe(
    '- Second permit costs 120 euros a year [1]\n- children pay 2.50 euros [4]',
  )
})

test('a sentence in another language than the passages gets the number of the passage that states its facts', () => {
  const prompt = 'Was kostet das Schwimmbad für Kinder am Wochenende?'
  expect(shown('Kinder zahlen 2,50 Euro. Es ist schön dort. Kinder zahlen 7,10 Euro.', 1_000, prompt).written).toBe(
    'Kinder zahlen 2,50 Euro [4]. Es ist schön dort. Kinder zahlen 7,10 Euro.',
  )
})
