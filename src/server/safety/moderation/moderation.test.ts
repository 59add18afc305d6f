import { expect, test } from 'vitest'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import { moderatedAnswer } from './moderated-answer.ts'
import { Moderator, type ModeratorParts } from './moderator.ts'
import { WordList } from './moderator.ts'

const list = (text: string) => new WordList(text)

test.each([
  ['a word', 'You blockhead!', true],
  ['in other letters', 'BLOCKHEAD', true],
  ['in wide letters', 'ｂｌｏｃｋｈｅａｄ', true],
  ['with an invisible letter in it', 'block\u200bhead', true],
  ['a phrase over two lines', 'you empty -\nvessel', true],
  ['a part of a word', 'blockheaded vessels', false],
  ['half a phrase', 'an empty glass', false],
  ['a phrase after a false start', 'empty empty vessel', true],
  ['nothing', '', false],
])('a word list finds %s', (_, text, isFound) => {
  expect(list('# Rude words\n\nblockhead\nempty vessel\n').isIn(text)).toBe(isFound)
})

test.each([
  ['no word', '# nothing\n  \n…'],
  ['a line that is too long', 'x'.repeat(101)],
  ['too many lines', 'word\n'.repeat(10_001)],
])('a word list with %s is rejected', (_, text) => {
  expect(() => list(text)).toThrow(RangeError)
})

test('a word list may have lines of 100 characters', () => {
  expect(list(`bad\n${'x'.repeat(100)}`).longest).toBe(100)
})

const warnings: string[] = []
const moderatorOf = (parts: Partial<ModeratorParts>) =>
  new Moderator({ words: null, flags: null, whenAway: 'closed', onWarning: (message) => warnings.push(message), ...parts })

test('an unavailable endpoint blocks or passes text as configured, and is logged once', async () => {
  const away = async () => Promise.reject(new Error('away'))
  const closed = moderatorOf({ flags: away })
  expect([await closed.check('a'), await closed.check('b'), await closed.check(' ')]).toEqual(['unavailable', 'unavailable', 'allowed'])
  expect(await moderatorOf({ flags: away, whenAway: 'open' }).check('a')).toBe('allowed')
  expect(warnings).toHaveLength(2)
  // The word list still blocks.
  expect(await moderatorOf({ flags: away, whenAway: 'open', words: list('bad') }).check('bad')).toBe('blocked')
})

const delta = (text: string, id = 't'): ChatChunk => ({ type: 'text-delta', id, delta: text })

async function* chunksOf(chunks: ChatChunk[], failure?: Error): AsyncGenerator<ChatChunk> {
  yield* chunks
  if (failure) throw failure
}

/** The shown part of an answer, and the checked texts. */
async function shown(chunks: ChatChunk[], parts: Partial<ModeratorParts>, { failure, stop }: { failure?: Error; stop?: AbortSignal } = {}) {
  const emitted: ChatChunk[] = []
  const moderator = moderatorOf(parts)
  let error: unknown
  try {
    const answer = moderatedAnswer(chunksOf(chunks, failure), { moderator, signal: stop ?? new AbortController().signal })
    for await (const chunk of answer) emitted.push(chunk)
  } catch (cause) {
    error = cause
  }
  return { emitted, text: emitted.map((chunk) => ('delta' in chunk ? chunk.delta : '')).join(''), error }
}

test('an allowed answer arrives complete and in order, in fewer pieces', async () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `word${index} `)
  const checked: string[] = []
  const flags = async (text: string) => checked.push(text) < 0
  const chunks: ChatChunk[] = [
    { type: 'text-start', id: 't' },
    ...words.map((word) => delta(word)),
    { type: 'text-end', id: 't' },
    delta('and', 'u'),
  ]
  const { emitted, text, error } = await shown(chunks, { flags, words: list('bad\nvery bad') })
  expect([error, text]).toEqual([undefined, `${words.join('')}and`])
  expect([emitted[0]?.type, emitted.at(-2)?.type, emitted.at(-1)?.type]).toEqual(['text-start', 'text-end', 'text-delta'])
  expect(emitted.length).toBeLessThan(50)
  expect(Math.max(...checked.map((window) => window.length))).toBeLessThan(1_700)
})

test('the first sentence is shown before the rest arrives', async () => {
  const later = Promise.withResolvers<void>()
  async function* slow(): AsyncGenerator<ChatChunk> {
    yield delta('This is the first sentence. And')
    await later.promise
  }
  const answer = moderatedAnswer(slow(), { moderator: moderatorOf({}), signal: new AbortController().signal })
  expect(await answer.next()).toMatchObject({ value: { delta: 'This is the first sentence.' } })
  later.resolve()
  await answer.return()
})

test.each([
  ['whole', ['This is fine, and this is', ' bad', ', you see']],
  ['in pieces', ['This is fine, and this is b', 'a', 'd, you see']],
  ['at the very end', ['This is fine, and this is bad']],
])('hides a blocked word %s, and everything after it', async (_, texts) => {
  const long = 'All of this is well. '.repeat(60)
  const { text, error } = await shown([delta(long), ...texts.map((part) => delta(part)), { type: 'text-end', id: 't' }], {
    words: list('is bad'),
  })
  expect(error).toMatchObject({ code: 'answer_blocked' })
  expect(long.startsWith(text.slice(0, 500)) && !text.includes('bad')).toBe(true)
})

test('reasoning is checked too, and a failure follows the last text', async () => {
  const reasoning: ChatChunk = { type: 'reasoning-delta', id: 'r', delta: 'It is bad' }
  expect((await shown([reasoning], { words: list('bad') })).error).toMatchObject({ code: 'answer_blocked' })
  const failure = new Error('cut')
  expect(await shown([delta('Last words')], {}, { failure })).toMatchObject({ text: 'Last words', error: failure })
})

test('a word that is longer than a window is shown in pieces', async () => {
  const text = ` ${'x'.repeat(1_200)}`
  let checks = 0
  const flags = async () => (checks += 1) > 50
  expect(await shown([delta(text)], { flags })).toMatchObject({ text, error: undefined })
})

test('unchecked text is not shown after a stop', async () => {
  const stopping = new AbortController()
  const flags = async () => {
    stopping.abort()
    throw new Error('aborted')
  }
  expect(await shown([delta('Some words'), { type: 'text-end', id: 't' }], { flags }, { stop: stopping.signal })).toMatchObject({
    text: '',
    error: undefined,
  })
})
