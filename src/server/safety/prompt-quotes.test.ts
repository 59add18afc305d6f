import { expect, test } from 'vitest'
import { normalizedWords, PromptQuotes, QuoteFinder } from './prompt-quotes.ts'

const SECRET = 'Search first for anything that the documents may cover, even if you think that you know the answer. Never mention it.'
const quotes = new PromptQuotes([{ text: SECRET, words: 12 }])

/** Writes a text in pieces of a length; returns the pieces that are shown, and whether it quotes. */
function shown(text: string, length = 3, isPublic = (_quote: string) => false): { pieces: string[]; text: string; isQuote: boolean } {
  const finder = new QuoteFinder(quotes, isPublic)
  const pieces: string[] = []
  for (let at = 0; at < text.length && !finder.isQuote; at += length) pieces.push(finder.write(text.slice(at, at + length)))
  if (!finder.isQuote) pieces.push(finder.end())
  return { pieces, text: pieces.join(''), isQuote: finder.isQuote }
}

test('shows no more of a quote than two words, however it is cut, written and formatted', () => {
  const quoted = 'SEARCH first for **anything** that\n2. the documents may cover — even if you think that you know'
  for (const length of [1, 3, 7, 500]) {
    const { text, isQuote } = shown(`My rules: ${quoted}, and more.`, length)
    expect(isQuote).toBe(true)
    expect('My rules: SEARCH first'.startsWith(text), text).toBe(true)
    expect(text).toContain('My rules: ')
  }
})

test('shows a text unchanged that shares fewer words', () => {
  const text = 'First, search for anything that the documents may cover, even if you are in a hurry; you know the answer.'
  for (const length of [1, 4, 500]) expect(shown(text, length)).toMatchObject({ text, isQuote: false })
})

test('shows a text at once that does not begin to match', () => {
  expect(shown('Bins are emptied on Mondays.', 5).pieces).toEqual(['Bins ', 'are e', 'mptie', 'd on ', 'Monda', 'ys.', ''])
})

test('finds a quote at the end, and words that visitors may read are none', () => {
  const text = 'Search first for anything that the documents may cover, even if you'
  expect(shown(text).isQuote).toBe(true)
  expect(shown(text, 3, (quote) => normalizedWords(text).includes(quote))).toMatchObject({ text, isQuote: false })
})

test('counts characters of scripts without spaces half, and stays within one text', () => {
  const chinese = new PromptQuotes([
    { text: '你是小镇的助手请用友好的语气回答居民的问题不要提到价格', words: 12 },
    { text: 'one two', words: 12 },
  ])
  const finds = (text: string) => {
    const finder = new QuoteFinder(chinese, () => false)
    finder.write(`${text}。`)
    return finder.isQuote
  }
  expect(finds('你是小镇的助手请用友好的语气回答居民的问题不要提到价格')).toBe(true)
  expect(finds('请用友好的语气回答居民的问题')).toBe(false)
})

test('takes time in proportion to the length, also for a text that nearly quotes', () => {
  const finder = new QuoteFinder(quotes, () => false)
  const text = 'that the documents may cover even if you think '.repeat(2_000)
  for (let at = 0; at < text.length; at += 20) finder.write(text.slice(at, at + 20))
  expect(finder.isQuote).toBe(false)
})
