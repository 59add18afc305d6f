import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../store/engine/database.ts'
import { searchChats } from './search-chats.ts'
import { DATABASES } from '../../../test/support/databases.ts'
import { accessOf, storeChat, storeMore } from '../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../test/support/test-database.ts'

const NOW = Date.UTC(2026, 10, 21)

type SearchPage = Awaited<ReturnType<typeof searchChats>>

describe.each(DATABASES)('searching chats on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const search = (owner: string, query: string, rest: { limit?: number; after?: SearchPage['next'] } = {}) =>
    searchChats(database, { access: accessOf(owner, NOW), query, limit: rest.limit, after: rest.after ?? undefined })
  const keysOf = ({ chats }: SearchPage) => chats.map(({ session }) => session.key)

  /** A chat of these texts, prompts and answers in turn. */
  async function storeTexts(id: string, owner: string, texts: readonly string[]): Promise<void> {
    await storeChat(database, { id, owner, at: NOW, prompt: texts[0] ?? '', answer: texts[1] ?? null })
    for (let index = 2; index < texts.length; index += 2)
      await storeMore(database, { id, owner, at: NOW, prompt: texts[index] ?? '', answer: texts[index + 1] ?? null }, `${id}-${index}`)
  }

  /** Every page, one after the other. */
  async function pagesOf(owner: string, query: string, limit?: number): Promise<SearchPage[]> {
    const pages = [await search(owner, query, { ...(limit !== undefined && { limit }) })]
    for (let next = pages[0]?.next; next && pages.length < 20; next = pages.at(-1)?.next)
      pages.push(await search(owner, query, { ...(limit !== undefined && { limit }), after: next }))
    return pages
  }

  test('finds words in titles, prompts and answers of the caller alone, newest activity first', async () => {
    await storeChat(database, { id: 'title', owner: 'c_words', at: NOW - 3, title: 'About needles' })
    await storeChat(database, { id: 'prompt', owner: 'c_words', at: NOW - 2, title: 'x', prompt: 'a needle', answer: 'no' })
    await storeChat(database, { id: 'answer', owner: 'c_words', at: NOW - 1, title: 'x', answer: 'the **needle** [1]' })
    await storeChat(database, { id: 'nothing', owner: 'c_words', at: NOW, title: 'x' })
    await storeChat(database, { id: 'temporary', owner: 'c_words', at: NOW, title: 'needle', temporary: true })
    await storeChat(database, { id: 'theirs', owner: 'c_them', at: NOW, title: 'needle', prompt: 'needle', answer: 'needle' })
    const page = await search('c_words', 'needle')
    expect([keysOf(page), page.next]).toEqual([['answer', 'prompt', 'title'], null])
    expect(page.chats.map(({ excerpt }) => excerpt)).toEqual([
      [
        { text: 'the ', marked: false },
        { text: 'needle', marked: true },
      ],
      [
        { text: 'a ', marked: false },
        { text: 'needle', marked: true },
      ],
      [],
    ])
    expect(await searchChats(database, { access: accessOf(null, NOW), query: 'needle' })).toEqual({ chats: [], next: null })
    expect(await search('c_words', '…')).toEqual({ chats: [], next: null })
  })

  test('an excerpt begins shortly before the first match of the newest message that has all words, and is cut', async () => {
    const long = `${'hay '.repeat(50)}**Crème** brûlée ${'straw '.repeat(50)}`
    await storeTexts('excerpt', 'c_excerpt', [long, 'creme only', 'nothing', 'nothing'])
    const [chat] = (await search('c_excerpt', 'CREME bru')).chats
    const text = chat?.excerpt.map(({ text: piece, marked }) => (marked ? `[${piece}]` : piece)).join('')
    expect(text).toMatch(/^…(?:hay ){5,10}\[Crème\] \[brû\]lée straw [^…]{100,160}…$/)
  })

  test('a word matches the beginning of a word, or anywhere in a script without spaces', async () => {
    await storeTexts('spaces', 'c_scripts', ['unneedled 東京の天気は', 'Straße'])
    expect(keysOf(await search('c_scripts', 'needle'))).toEqual([])
    expect(keysOf(await search('c_scripts', '天気'))).toEqual(['spaces'])
    expect(keysOf(await search('c_scripts', 'strasse'))).toEqual(['spaces'])
  })

  test('reads long chats to their first message', async () => {
    await storeTexts('long', 'c_long', ['the needle', ...Array.from({ length: 60 }, () => 'hay')])
    expect(keysOf(await search('c_long', 'needle'))).toEqual(['long'])
  })

  test('ends when its caller has left', async () => {
    await storeTexts('left', 'c_left', ['needle'])
    const leaving = searchChats(database, { access: accessOf('c_left', NOW), query: 'needle', signal: AbortSignal.abort() })
    await expect(leaving).rejects.toThrow('aborted')
  })

  test('pages list each chat once, also more than one query reads', async () => {
    for (let index = 0; index < 55; index += 1) await storeTexts(`page-${index}`, 'c_pages', [index % 10 === 0 ? 'needle' : 'hay'])
    const all = ['page-0', 'page-10', 'page-20', 'page-30', 'page-40', 'page-50']
    expect(keysOf(await search('c_pages', 'needle')).toSorted()).toEqual(all)
    const pages = await pagesOf('c_pages', 'needle', 2)
    expect(pages.flatMap(keysOf).toSorted()).toEqual(all)
    expect(pages.every(({ chats }) => chats.length <= 2)).toBe(true)
  })

  test('a page reads a bounded amount, and the next goes on with the next chat', async () => {
    for (const id of ['huge-1', 'huge-2']) await storeTexts(id, 'c_huge', ['needle', 'hay '.repeat(1024 * 1024)])
    const pages = await pagesOf('c_huge', 'needle')
    expect(pages.map(keysOf)).toEqual([['huge-2'], ['huge-1'], []])
  })
})
