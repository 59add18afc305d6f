import type { FoundPassage } from '../../knowledge/retrieval/search.ts'
import type { WordMatch } from '../../knowledge/retrieval/word-matches.ts'
import { tokensOf } from '../../knowledge/index/analyzer.ts'
import { formsOf, plainWord } from '../../../text/word-forms.ts'
import { type AnswerPiece, SentenceSplitter } from '../../../text/sentence-splitter.ts'
import { trimmedAtSentence } from '../../../text/sentences.ts'

const MAX_SENTENCES = 3
const MAX_CHARACTERS = 600
/** A passage is read up to here; those of the index are shorter. */
const MAX_READ_CHARACTERS = 20_000
/** An introduction ("You need:") brings its list or code along, up to this length. */
const MAX_WITH_LIST_CHARACTERS = 900
/** A word that the heading or keywords have says less about which sentence answers. */
const NAMED_WORTH = 0.3
const MIN_STEM_CHARACTERS = 4
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{2}/u
const MAX_ENDING_CHARACTERS = 3

export interface Quotation {
  /** One to three sentences, as Markdown. */
  text: string
  /** 0 to 1: how much of the words, rare ones counting more, they, the headings and the keywords have. */
  coverage: number
}

/** The sentences of a passage that have most of these words of the prompt; of a PDF, whose blocks are guessed, no others beside them. */
export function quotationFrom(
  { text, breadcrumb, place: page = '' }: Pick<FoundPassage, 'text' | 'breadcrumb' | 'place'>,
  words: readonly WordMatch[],
): Quotation {
  const pieces = piecesOf(text)
  const above = wordsIn(breadcrumb)
  const found = pieces.map((piece) => {
    const tokens = wordsIn(piece.text)
    return words.map(({ word }) => tokens.some((token) => isAlike(token, word)) || isInRun(word, piece.text))
  })
  const has = (from: number, to: number, index: number) => found.slice(from, to).some((one) => one[index])
  const isNamed = ({ word, place }: WordMatch) => place === 'heading' || place === 'keywords' || above.some((token) => isAlike(token, word))
  const worthOf = (from: number, to: number) =>
    sum(words.map((word, index) => (has(from, to, index) ? word.weight * (isNamed(word) ? NAMED_WORTH : 1) : 0)))
  let best = { from: 0, to: 0, worth: -1 }
  for (let from = 0; from < pieces.length; from += 1) {
    const to = endFrom(pieces, from)
    const worth = worthOf(from, to)
    if (worth > best.worth + 1e-9) best = { from, to, worth }
  }
  if (page.startsWith('page ')) {
    while (best.from + 1 < best.to && worthOf(best.from + 1, best.to) >= best.worth - 1e-9) best.from += 1
    while (best.from + 1 < best.to && worthOf(best.from, best.to - 1) >= best.worth - 1e-9) best.to -= 1
  }
  const covered = sum(words.map((word, index) => (isNamed(word) || has(best.from, best.to, index) ? word.weight : 0)))
  const total = sum(words.map(({ weight }) => weight))
  return {
    text: trimmedAtSentence(textOf(pieces.slice(best.from, withList(pieces, best.to))), MAX_WITH_LIST_CHARACTERS),
    coverage: total === 0 ? 0 : covered / total,
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** The end of at most three sentences from one on. A line of code counts as a sentence. */
function endFrom(pieces: readonly AnswerPiece[], from: number): number {
  let to = from + 1
  let characters = lengthOf(pieces[from])
  while (to < pieces.length && to - from < MAX_SENTENCES && characters + lengthOf(pieces[to]) <= MAX_CHARACTERS) {
    characters += lengthOf(pieces[to])
    to += 1
  }
  return to
}

function withList(pieces: readonly AnswerPiece[], end: number): number {
  const isPart = (piece: AnswerPiece | undefined) => piece !== undefined && (piece.prefix !== '' || piece.kind === 'code')
  const last = pieces[end - 1]
  if (!isPart(pieces[end]) || !(isPart(last) || /[:：]\s*$/.test(last?.text ?? ''))) return end
  let to = end
  let characters = 0
  while (isPart(pieces[to]) && characters + lengthOf(pieces[to]) <= MAX_WITH_LIST_CHARACTERS - MAX_CHARACTERS) {
    characters += lengthOf(pieces[to])
    to += 1
  }
  return to
}

const lengthOf = (piece: AnswerPiece | undefined) => (piece ? piece.prefix.length + piece.text.length : 0)

/** Sentences in order; a block of code is one piece, and headings are left out. */
function piecesOf(text: string): AnswerPiece[] {
  const splitter = new SentenceSplitter()
  const pieces: AnswerPiece[] = []
  for (const piece of [...splitter.write(text.slice(0, MAX_READ_CHARACTERS)), ...splitter.end()]) {
    const last = pieces.at(-1)
    if (piece.kind === 'code' && last?.kind === 'code' && !/\n\s*\n$/.test(piece.gap)) {
      last.text += `${piece.gap}${piece.text}`
    } else if (piece.kind !== 'heading' && (piece.kind === 'code' || /[\p{L}\p{N}]{2}/u.test(piece.text))) pieces.push({ ...piece })
  }
  return pieces
}

function textOf(pieces: readonly AnswerPiece[]): string {
  return pieces
    .map(({ gap, prefix, text }, index) => `${index === 0 ? '' : gap}${prefix}${text}`)
    .join('')
    .trim()
}

const wordsIn = (text: string) => tokensOf(text).map(plainWord)
/** Whether a word of a script without spaces is in a text, wherever a dictionary ends the words there. */
const isInRun = (word: string, text: string) => UNSPACED.test(word) && plainWord(text).includes(word)

/** Stems by script, and the word without German's spelled-out umlauts. */
const spellingsOf = (word: string) => [...formsOf(word), word.replaceAll(/([aou])e/g, '$1')]

/** Whether two words differ only in their endings, in spelled-out umlauts, or in prefixes where a script tells them. */
function isAlike(one: string, other: string): boolean {
  if (one === other || spellingsOf(one).some((form) => spellingsOf(other).includes(form))) return true
  const shortest = Math.min(one.length, other.length)
  let shared = 0
  while (shared < shortest && one[shared] === other[shared]) shared += 1
  return shared >= MIN_STEM_CHARACTERS && Math.max(one.length, other.length) - shared <= MAX_ENDING_CHARACTERS
}
