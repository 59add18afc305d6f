import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_FOUND_IN_CHAT } from '../../../contract/size-limits.ts'
import type { Database } from '../../store/engine/database.ts'
import { insertImportedChat } from '../../store/sessions/import.ts'
import { searchChats, type SearchPage } from './search-chats.ts'
import { DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'

const NOW = Date.UTC(2026, 10, 21)

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
    const messages = texts.map((text, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      parts: JSON.stringify([{ type: 'text', text }]),
      metadata: '{}',
      createdAt: NOW,
    }))
    const session = { id, owner, agent: 'assistant', title: id, createdAt: NOW, updatedAt: NOW, importedAt: NOW }
    let number = 0
    await insertImportedChat(database, session, { contentHash: id, messages, lastShown: texts.length }, () => `${id}-${(number += 1)}`)
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
    expect(page.chats.map(({ found }) => found.map(({ message, role }) => [message, role]))).toEqual([
      [['answer-answer', 'assistant']],
      [['prompt-prompt', 'user']],
      [],
    ])
    expect(page.chats[0]?.found[0]?.snippet).toEqual([
      { text: 'the ', marked: false },
      { text: 'needle', marked: true },
    ])
    expect(page.chats[2]).toMatchObject({
      title: [{ text: 'About ', marked: false }, { text: 'needle', marked: true }, { text: 's' }],
      more: false,
    })
    expect(await searchChats(database, { access: accessOf(null, NOW), query: 'needle' })).toEqual({ chats: [], next: null })
    expect(await search('c_words', '…')).toEqual({ chats: [], next: null })
  })

  test('a prompt is shown as it was typed, and an answer with its marks where the word is in hidden text alone', async () => {
    await storeTexts('marks', 'c_marks', ['*needle*', 'see [this](https://example.org/needle)'])
    const [chat] = (await search('c_marks', 'needle')).chats
    const shown = chat?.found.map(({ snippet }) => snippet.map(({ text }) => text).join(''))
    expect(shown).toEqual(['see [this](https://example.org/needle)', '*needle*'])
  })

  test('shows the newest matches of a chat, and says whether there are more', async () => {
    await storeTexts(
      'many',
      'c_many',
      Array.from({ length: 50 }, (_, index) => `needle ${index}`),
    )
    await storeTexts(
      'enough',
      'c_enough',
      Array.from({ length: MAX_FOUND_IN_CHAT }, (_, index) => `needle ${index}`),
    )
    const [many] = (await search('c_many', 'needle')).chats
    expect(many?.found.map(({ message }) => message)).toEqual(['many-50', 'many-49', 'many-48', 'many-47', 'many-46'])
    const [enough] = (await search('c_enough', 'needle')).chats
    expect([many?.more, enough?.more, enough?.found.length]).toEqual([true, false, MAX_FOUND_IN_CHAT])
  })

  test('reads long chats to their first message', async () => {
    await storeTexts('long', 'c_long', ['the needle', ...Array.from({ length: 60 }, () => 'hay')])
    const [chat] = (await search('c_long', 'needle')).chats
    expect(chat?.found.map(({ message }) => message)).toEqual(['long-1'])
  })

  test('pages list each chat once, also more than one query reads', async () => {
    for (let index = 0; index < 55; index += 1) await storeTexts(`page-${index}`, 'c_pages', [index % 10 === 0 ? 'needle' : 'hay'])
    const all = ['page-0', 'page-10', 'page-20', 'page-30', 'page-40', 'page-50']
    expect(keysOf(await search('c_pages', 'needle')).toSorted()).toEqual(all)
    const pages = await pagesOf('c_pages', 'needle', 2)
    expect(pages.flatMap(keysOf).toSorted()).toEqual(all)
    expect(pages.every(({ chats }) => chats.length <= 2)).toBe(true)
  })

  /** More than a page reads, and as many messages as one query does. */
  const LONG = [...Array.from({ length: 2 }, () => 'hay '.repeat(1024 * 1024)), ...Array.from({ length: 17 }, () => 'hay')]

  test('a page reads a bounded amount, and the next goes on in the middle of a chat', async () => {
    await storeTexts('huge', 'c_huge', ['the needle', ...LONG, 'a needle'])
    const pages = await pagesOf('c_huge', 'needle')
    expect(pages.map(({ chats }) => chats.flatMap(({ found }) => found.map(({ message }) => message)))).toEqual([['huge-21'], ['huge-1']])
    expect(pages.map(keysOf)).toEqual([['huge'], ['huge']])
  })

  test('a title that matches is listed once, however many pages its chat takes', async () => {
    await storeTexts('needle', 'c_title', ['hay', ...LONG, 'hay'])
    const pages = await pagesOf('c_title', 'needle')
    expect(pages.map(keysOf)).toEqual([['needle'], []])
  })
})
