import { beforeEach, describe, expect, test } from 'vitest'
import { KnowledgeIndex } from '../index/knowledge-index.ts'
import { readMarkdown } from '../ingestion/markdown.ts'
import { passagesOf } from '../ingestion/passages.ts'
import { neighboursOf, searchKnowledge, type SearchOptions } from './search.ts'

let index: KnowledgeIndex
beforeEach(() => {
  index = new KnowledgeIndex()
})

const add = (file: string, markdown: string) => index.add(passagesOf(file, readMarkdown(markdown)))
const search = (query: string, options: Partial<SearchOptions> = {}) =>
  searchKnowledge(index, query, { folders: ['.'], caller: 'model', ...options }).passages
const headings = (query: string, options?: Partial<SearchOptions>) => search(query, options).map(({ heading }) => heading)

describe('ranking', () => {
  test.each([
    ['another form of a word', 'cleaning filters', 'Filter'],
    ['a typo in a word that nothing has', 'kettel', 'Kettle'],
    ['the beginning of a word', 'refrig', 'Cold'],
    ['an umlaut written in two letters', 'Schlüssel', 'Door'],
    ['a compound of known words', 'Filterreinigung', 'Filter'],
    ['a part of an identifier', 'connections', 'Limit'],
    ['an identifier', 'max_connections', 'Limit'],
    ['an identifier in camel case', 'document root', 'Root'],
    ['the first part of an identifier', 'max', 'Limit'],
  ])('finds %s', (_, query, heading) => {
    add(
      'a.md',
      '# Home\n\n## Filter\n\nClean the filter. Die Reinigung.\n\n## Kettle\n\nBoils water.\n\n## Cold\n\nThe refrigerator.\n\n## Door\n\nDer Schluessel.\n\n## Limit\n\nSet max_connections.\n\n## Root\n\nSet DocumentRoot.',
    )
    expect(headings(query)[0]).toBe(heading)
  })

  test('does not replace a known word with a similar one', () => {
    add('a.md', '# A\n\n## Plane\n\nA plane flies.\n\n## Planet\n\nA planet turns.')
    expect(headings('plane')).toEqual(['Plane'])
  })

  test('searches short unknown words as they are', () => {
    add('a.md', '# A\n\n## Port\n\nThe port.')
    expect(headings('prot')).toEqual([])
  })

  test('adjacent words outweigh the same words apart', () => {
    const filler = 'and then some other thing is said about it all day long. '.repeat(3)
    add(
      'a.md',
      `# A\n\n## One\n\nReset the ${filler} password.\n\n## Two\n\nPassword reset ${filler}.\n\n## Three\n\nReset password ${filler} the.`,
    )
    expect(headings('reset password')[0]).toBe('Three')
  })

  test('a heading that equals the query comes first, even with common words only', () => {
    add('a.md', '# A\n\n## Who are you?\n\nA program.\n\n## Where?\n\nWho you are is said there: who, you, are.')
    expect(headings('who are you')[0]).toBe('Who are you?')
  })

  test('finds the headings of the short sections that a passage joins', () => {
    const [passage] = passagesOf('a.md', readMarkdown('# Care\n\nNothing is needed.'))
    index.add([{ ...passage!, heading: 'care', subheadings: ['filters', 'lids'] }])
    for (const query of ['care', 'filters', 'lids']) expect(headings(query), query).toEqual(['care'])
  })

  test('always returns the nearest passages to a model, with scores from 1 downwards', () => {
    add('a.md', '# A\n\n## Kettle\n\nBoils water.\n\n## Tea\n\nNeeds water and more.')
    const passages = search('does water remember the history of the universe')
    expect(passages.map(({ score }) => score)).toEqual([1, expect.any(Number)])
    expect(passages.every(({ relevance }) => relevance < 0.57)).toBe(true)
  })

  test('returns at most two passages of a section before those of others', () => {
    const long = Array.from({ length: 40 }, (_, at) => `The pump number ${at} has a pump filter that is cleaned by hand.`).join(' ')
    add('a.md', `# Manual\n\n## Pumps\n\n${long.repeat(4)}\n\n## Other?\n\nA pump.`)
    expect(headings('pump filter').slice(0, 3)).toEqual(['Pumps', 'Pumps', 'Other?'])
  })
})

describe('duplicates', () => {
  const TEXT = `Warranty. ${'The warranty covers all parts of the machine for two years. '.repeat(5)}`

  test('finds the same passage in two files once, at the first place that is searched', () => {
    add('a/one.md', `# One\n\n${TEXT}`)
    add('b/two.md', `# Two\n\n${TEXT}`)
    expect(index.size).toBe(1)
    expect(search('warranty')).toMatchObject([{ file: 'a/one.md', title: 'One' }])
    expect(search('warranty', { folders: ['b'] })).toMatchObject([{ file: 'b/two.md', title: 'Two' }])
  })

  test('keeps it, under the other title, when one file is deleted', () => {
    add('a/one.md', `# Onefold\n\n${TEXT}`)
    add('b/two.md', `# Twofold\n\n${TEXT}`)
    index.remove('a/one.md')
    expect(search('twofold')).toMatchObject([{ file: 'b/two.md' }])
    expect(search('onefold')).toEqual([])
    index.remove('b/two.md')
    expect([index.size, search('warranty')]).toEqual([0, []])
    expect(index.frequencyOf('warranti')).toBe(0)
  })

  test('treats the same text under different headings as different passages', () => {
    add('a.md', `# Machines\n\n## Pumps?\n\n${TEXT}\n\n## Lamps?\n\n${TEXT}`)
    expect(index.size).toBe(2)
    expect(headings('lamps')[0]).toBe('Lamps?')
  })

  test('treats short answers under different titles as different passages', () => {
    add('a.md', '# Is it free?\n\nYes.')
    add('b.md', '# Is it safe?\n\nYes.')
    expect(index.size).toBe(2)
  })
})

describe('results', () => {
  test('offer prompts to the built-in assistant: headings of one document after the other', () => {
    add('a/one.md', '# One\n\n## Lids?\n\nBlue.\n\n## Boxes?\n\nRed.')
    add('a/two.md', '# Two\n\nNo heading.\n\n## Bags?\n\nGreen.')
    add('b/three.md', '# Three\n\n## Cups?\n\nWhite.')
    const topics = (query: string, folders: string[]) => searchKnowledge(index, query, { folders, caller: 'builtin' }).topics
    expect(topics('', ['a'])).toEqual(['Lids?', 'Bags?', 'Boxes?'])
    expect(topics('', ['.'])).toEqual(['Lids?', 'Bags?', 'Cups?', 'Boxes?'])
    expect(topics('boxes', ['.'])).toEqual([])
  })

  test('name for each passage a prompt that finds it first: its heading, or with the headings above where others have it too', () => {
    add('one.md', '# One\n\n## Who is it?\n\nAda.\n\n## §\n\nMoney.')
    add('two.md', '# Two\n\n## Who is it?\n\nBob.\n\n## Where?\n\nHere.')
    const found = (query: string) => search(query, { caller: 'builtin' })[0]
    expect(found('ada')?.topic).toBe('One › Who is it?')
    expect(found('bob')?.topic).toBe('Two › Who is it?')
    expect(found('here')?.topic).toBe('Where?')
    expect(found('money')?.topic).toBe('One › §')
    expect(found('Two › Who is it?')?.text).toBe('Bob.')
  })

  test('say to the built-in assistant where a passage has the words, mistyped or not', () => {
    add('a.md', '# A\n\n## Kettles?\n<!-- keywords: boiler -->\n\nThey boil water.\n\n## Cups?\n\nFor water.')
    const matches = (query: string) => search(query, { caller: 'builtin' })[0]?.matches
    expect(matches('kettle boiler water tea')).toEqual([
      { word: 'kettle', place: 'heading', passages: 1, weight: expect.any(Number) },
      { word: 'boiler', place: 'keywords', passages: 1, weight: expect.any(Number) },
      { word: 'water', place: 'text', passages: 2, weight: expect.any(Number) },
      { word: 'tea', place: null, passages: 0, weight: expect.any(Number) },
    ])
    expect(matches('ketlte')).toEqual([{ word: 'ketlte', place: 'heading', passages: 1, weight: expect.any(Number) }])
    expect(search('kettle')[0]).not.toHaveProperty('matches')
  })

  test('cover the query as far as they have its words', () => {
    add('a.md', '# A\n\n## Kettles?\n<!-- keywords: heater -->\n\nThey boil water.\n\n## Cups?\n\nFor water.')
    const relevance = (query: string) => search(query).map((passage) => passage.relevance)
    expect([relevance('kettles'), relevance('heater')]).toEqual([[1], [1]])
    expect(relevance('boil')).toEqual([0.7])
    const [both, one] = relevance('kettles water')
    expect([both! > 0.7 && both! < 1, one! < 0.5]).toEqual([true, true])
  })

  test('are nearer for the passages beside them and for their document', () => {
    add('a.md', '# A\n\n## One?\n\nA pump hums.\n\n## Two?\n\nThe filter of a pump.')
    add('b.md', '# B\n\n## Three?\n\nA pump hums.\n\n## Four?\n\nNothing else.')
    expect(headings('pump filter')).toEqual(['Two?', 'One?', 'Three?'])
  })

  test('contain as many passages as fit with their breadcrumbs, the last shortened at a sentence', () => {
    const text = 'The pump is behind the cover. '.repeat(30).trim()
    for (let file = 0; file < 10; file += 1) add(`${file}.md`, `# Manual ${file}\n\n## Pump ${file}?\n\n${text} It has number ${file}.`)
    const passages = search('pump cover', { maxCharacters: 2_500 })
    const characters = passages.reduce((sum, passage) => sum + passage.breadcrumb.length + passage.text.length, 0)
    expect(characters).toBeLessThanOrEqual(2_500)
    expect(characters).toBeGreaterThan(2_000)
    expect(passages.at(-1)?.text).toMatch(/cover\.$/)
    expect(search('pump cover', { maxCharacters: 50 })).toHaveLength(1)
    expect(search('pump cover', { maxPassages: 2 })).toHaveLength(2)
  })

  test('include the passages before and after one in its document and folders', () => {
    add('a/a.md', '# A\n\n## One?\n\nFirst.\n\n## Two?\n\nSecond.\n\n## Three?\n\nThird.\n\n## Four?\n\nFourth.')
    add('b.md', '# B\n\n## Five?\n\nFifth.')
    const id = search('second')[0]?.id ?? ''
    const texts = neighboursOf(index, id, { folders: ['a'], before: 5, after: 1 })
    expect(texts).toMatchObject({
      passage: { text: 'Second.' },
      before: [{ text: 'First.', breadcrumb: 'A › One?' }],
      after: [{ text: 'Third.' }],
    })
    expect(texts?.after).toHaveLength(1)
    expect(neighboursOf(index, id, { folders: ['c'], before: 1, after: 1 })).toBeNull()
    expect(neighboursOf(index, 'unknown', { folders: ['.'], before: 1, after: 1 })).toBeNull()
  })
})
