import { expect, test } from 'vitest'
import { AnywherePhraseGroups, SentenceWords, WordPhraseGroups } from './phrase-groups.ts'

test.each([
  ['kill*_me', 'he is killing me', true],
  ['kill*_me', 'he kills only young me', true],
  ['kill*_me', 'he kills one two three me', false],
  ['kill*_me', 'me he kills', false],
  ['kill_me', 'he is killing me', false],
  ['a_b_c', 'a b x b y z c', true],
  ['other|kill_me', 'kill me', true],
  ['kill_my*', 'kill myself', true],
  ['kill_my', 'kill myself', false],
  ['kill_my*', 'kill of it my', true],
  ['no*', 'nobody', true],
  ['they_hurt*', 'they hurl stones', false],
])('the words "%s" in "%s": %s', (phrases, sentence, isFound) => {
  const groups = new WordPhraseGroups()
  const group = groups.add(phrases)
  expect(groups.foundIn(new SentenceWords(sentence)).has(group)).toBe(isFound)
})

test.each([
  ['飲_死', 'もう飲んだら死ぬ', true],
  ['飲_死', '飲んだ。あいうえおかきくけこさしすせそ死', false],
  ['死_飲', '飲んで死', false],
  ['毒', '毒', true],
  ['kud ', 'kudos', false],
])('the pieces "%s" in "%s": %s', (phrases, sentence, isFound) => {
  const groups = new AnywherePhraseGroups()
  const group = groups.add(phrases)
  expect(groups.foundIn(new SentenceWords(sentence)).has(group)).toBe(isFound)
})

test('the same phrases are one group', () => {
  const groups = new WordPhraseGroups()
  expect([groups.add('a|b'), groups.add('c'), groups.add('a|b')]).toEqual([0, 1, 0])
})
