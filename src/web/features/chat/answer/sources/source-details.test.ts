import { describe, expect, test } from 'vitest'
import { type Citation, citationMetadata } from '../../../../../contract/chat/citation.ts'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'
import { shownSources, sourceDetails } from './source-details.ts'

const PASSAGE: Citation = {
  breadcrumb: 'Returns › Goods › Time limits',
  quote: 'You have **30 days** to return it.',
  asOf: '2026-11-22',
  address: 'https://shop.example/returns',
}
const source = (number: number, citation: Partial<Citation> = {}, title = 'Returns'): ChatMessagePart => ({
  type: 'source-document',
  sourceId: `${number}`,
  mediaType: 'text/html',
  title,
  filename: 'returns.html',
  providerMetadata: citationMetadata({ ...PASSAGE, quote: `You have ${number} days to return it.`, ...citation }),
})
const SOURCES = [1, 2, 3, 4, 5].map((number) => source(number))
const page: ChatMessagePart = { type: 'source-url', sourceId: 'u1', url: 'https://tea.example/a', title: 'Tea' }
const numbersOf = (text: string, sources: ChatMessagePart[]) => {
  const { cited, searched } = shownSources([{ type: 'text', text }, ...sources])
  return [cited.map(({ number }) => number), searched.map(({ number }) => number)]
}

describe('the sources of an answer', () => {
  test.each([
    ['It is 30 days [2].', [[2], [1, 3, 4, 5]]],
    ['Days [4], and more [1, 3]. See 【5】 too.', [[1, 3, 4, 5], [2]]],
    ['Twice [2] [2], and [99] and [0].', [[2], [1, 3, 4, 5]]],
    ['It is 30 days.', [[], [1, 2, 3, 4, 5]]],
    ['Take `list[2]` or\n```js\nlist[4]\n```\nSee [2](https://tea.example/).', [[], [1, 2, 3, 4, 5]]],
  ])('are split into cited and others: %s', (text, expected) => {
    expect(numbersOf(text, SOURCES)).toEqual(expected)
  })

  test('consist of the one source of an answer that cites nothing', () => {
    expect(numbersOf('It is 30 days.', SOURCES.slice(0, 1))).toEqual([[1], []])
  })

  test('that a model named itself are shown whether cited or not, numbered after those found', () => {
    expect(numbersOf('Thus.', [page])).toEqual([[1], []])
    expect(numbersOf('Thus [1].', [page, ...SOURCES.slice(0, 2)])).toEqual([[1, 3], [2]])
  })

  test('show a passage found twice once, and a cited one only as cited', () => {
    const again = source(6, { quote: 'You have 2 days to return it.' })
    expect(numbersOf('Thus [1].', [...SOURCES, again])).toEqual([[1], [2, 3, 4, 5]])
    expect(numbersOf('Thus [6].', [...SOURCES, again])).toEqual([[6], [1, 3, 4, 5]])
  })
})

describe('a source', () => {
  test('has a label, its sections, its quote as text and a link', () => {
    expect(sourceDetails([source(1, { quote: PASSAGE.quote })])).toEqual([
      {
        number: 1,
        isUsed: true,
        label: 'Returns',
        sections: 'Goods › Time limits',
        shortSections: 'Goods › Time limits',
        said: '',
        quote: 'You have 30 days to return it.',
        asOf: '2026-11-22',
        href: 'https://shop.example/returns',
        origin: 'shop.example',
      },
    ])
  })

  test('has the file if there is no page', () => {
    expect(sourceDetails([source(1, { address: null })])[0]).toMatchObject({ href: null, origin: 'returns.html' })
    const uploaded = { ...source(1, { address: null }), filename: 'source:uploads/returns.pdf' }
    expect(sourceDetails([uploaded])[0]).toMatchObject({ origin: 'returns.pdf' })
  })

  test('is named by its title alone if it is that of an approved answer', () => {
    const approved = {
      ...source(1, { address: null, breadcrumb: 'Dog tax statute', quote: '' }, 'Dog tax statute'),
      filename: 'approved/dog-tax.md',
    }
    expect(sourceDetails([approved])[0]).toMatchObject({ label: 'Dog tax statute', origin: '', href: null, sections: '' })
    const linked = { ...approved, providerMetadata: citationMetadata({ ...PASSAGE, quote: '' }) }
    expect(sourceDetails([linked])[0]).toMatchObject({ origin: 'shop.example', href: 'https://shop.example/returns' })
  })

  test('has a label of at most two hundred characters', () => {
    expect(sourceDetails([source(1, {}, 'a'.repeat(5_000))])[0]?.label).toBe(`${'a'.repeat(200)}…`)
  })

  test('has no link for a hostile address', () => {
    const hostile = 'javascript:alert(1)'
    const url: ChatMessagePart = { type: 'source-url', sourceId: 'u', url: hostile }
    expect(sourceDetails([source(1, { address: hostile }), url]).map(({ href }) => href)).toEqual([null, null])
  })
})

test('a hundred sources with one title are shown one by one', () => {
  const sources = Array.from({ length: 100 }, (_, index) => source(index + 1))
  expect(shownSources([{ type: 'text', text: 'a [100]' }, ...sources]).searched).toHaveLength(99)
})

test('more than two hundred are not shown', () => {
  expect(sourceDetails(Array.from({ length: 300 }, (_, index) => source(index + 1)))).toHaveLength(200)
})
