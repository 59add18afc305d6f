/** Buckets of the table that says whether a text is an emergency, and of each table that says of which kind. */
export const EMERGENCY_BUCKETS = 196_608
export const KIND_BUCKETS = 24_576

/** Keeps the few features of a very short text from deciding alone. */
const SMOOTHING = 30

/** At most so much of a text is read. */
export const MAX_WINDOW_CHARACTERS = 720
const MAX_WORDS = 120
const MAX_WORD_CHARACTERS = 24
/** Letters of a word that stand for all of its endings, and lengths of sequences of letters; in Hangul a syllable is a character. */
const LETTERS = { stem: 5, shortest: 4, longest: 5 }
const SYLLABLES = { stem: 2, shortest: 1, longest: 3 }
const HANGUL = /\p{Script=Hangul}/u
/** Words between which a pair is formed. */
const PAIR_DISTANCE = 4
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** E-mail addresses and links say nothing; their parts look like words. */
const ADDRESSES = /\S{1,64}@\S{1,64}|https?:\S{1,200}/g
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}\p{N}]+/gu

/**
 * Hashes of the features of a text that `normalizeText` has normalised: words, pairs of stems, and sequences of letters; in scripts
 * without spaces sequences of characters and pairs of them. Linear in the length of the text, which is read up to 120 words or 720 characters.
 */
export function featuresOf(normalText: string): number[] {
  const found = new Set<number>()
  const stems: string[] = []
  let previous = '^'
  for (const [word] of normalText.slice(0, MAX_WINDOW_CHARACTERS).replace(ADDRESSES, ' ').matchAll(WORDS)) {
    if (stems.length >= MAX_WORDS) break
    if (WITHOUT_SPACES.test(word)) {
      addCharacters(word.slice(0, MAX_WORDS), found, stems)
      continue
    }
    const read = /^\p{N}+$/u.test(word) ? '#' : word.slice(0, MAX_WORD_CHARACTERS)
    found.add(hashOf(`w${read}`))
    found.add(hashOf(`b${previous} ${read}`))
    previous = read
    const { stem, shortest, longest } = HANGUL.test(read) ? SYLLABLES : LETTERS
    stems.push(read.slice(0, stem))
    const edged = `_${read}_`
    for (let length = shortest; length <= longest; length += 1)
      for (let at = 0; at + length <= edged.length; at += 1) found.add(hashOf(`c${edged.slice(at, at + length)}`))
  }
  addPairs(stems, found)
  return [...found]
}

/** With what the sum of the weights of so many features is multiplied. */
export function scaleOfSum(features: number): number {
  return 1 / Math.sqrt(features + SMOOTHING)
}

function addCharacters(word: string, found: Set<number>, stems: string[]): void {
  for (let at = 0; at < word.length; at += 1) {
    for (let length = 1; length <= 4 && at + length <= word.length; length += 1) found.add(hashOf(`c${word.slice(at, at + length)}`))
    if (at + 2 <= word.length) stems.push(word.slice(at, at + 2))
  }
}

function addPairs(stems: readonly string[], found: Set<number>): void {
  for (const [at, stem] of stems.entries()) {
    found.add(hashOf(`s${stem}`))
    for (let next = at + 1; next <= at + PAIR_DISTANCE && next < stems.length; next += 1) found.add(hashOf(`p${stem} ${stems[next]}`))
  }
}

/** FNV-1a over UTF-16 units, with a last mix because buckets are its low bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
