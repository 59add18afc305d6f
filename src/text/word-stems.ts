import { fold } from './fold.ts'

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const MIN_CHARACTERS = 4
/** Characters that inflections keep. */
const STEM_CHARACTERS = 6

/** Words that say what a text is about, for comparing: beginnings of long words, numbers, and pairs of characters in scripts without spaces. */
export function wordStems(text: string): Set<string> {
  const words = fold(text).match(WORD) ?? []
  return new Set(
    words.flatMap((word) => {
      const characters = [...word]
      if (UNSPACED.test(word)) return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
      return characters.length >= MIN_CHARACTERS || /^\p{N}+$/u.test(word) ? [characters.slice(0, STEM_CHARACTERS).join('')] : []
    }),
  )
}
