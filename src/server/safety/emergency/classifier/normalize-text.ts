/** Characters that are not seen: joiners, directions, soft hyphens. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5/gu
const ARABIC_MARKS = /(?<=\p{Script=Arabic})\p{M}+|\u0640/gu
const SEPARATORS = /[^\p{L}\p{M}\p{N}.!?。！？؟।\n;]+/gu
const LATIN_WITH_MARKS = /[\u00c0-\u024f\u1e00-\u1eff]/g
const LEET: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '@': 'a', $: 's' }
/** Cyrillic letters that look like Latin ones, in words that are otherwise Latin. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
}

/**
 * Text for comparing: lower case, without accents of Latin letters, vowel signs of Arabic, invisible characters and apostrophes, with
 * sentence ends kept and other punctuation as spaces. Words in digits and letters are read as letters.
 */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replace(ARABIC_MARKS, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ى/g, 'ي')
    .replace(/ё/g, 'е')
    .replace(LATIN_WITH_MARKS, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''))
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replace(/(?<![\p{L}])(\p{Script=Latin}|qu)['’ʼ`´](?=\p{L})/gu, '$1 ')
    .replace(/['’ʼ`´]/g, '')
    .replace(/[\p{L}\p{N}@$]+/gu, readable)
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(SEPARATORS, ' ')
}

/** A word with digits or look-alikes for letters, read as letters. */
function readable(word: string): string {
  const isMixed = /\p{Script=Latin}/u.test(word) && /\p{Script=Cyrillic}/u.test(word)
  const latin = isMixed ? [...word].map((letter) => LOOKALIKES[letter] ?? letter).join('') : word
  return /[a-z]/.test(latin) && /[01345@$]/.test(latin) && /^[a-z01345@$]+$/.test(latin) && !/^\d+[a-z]{1,2}$|^[a-z]\d+$/.test(latin)
    ? [...latin].map((letter) => LEET[letter] ?? letter).join('')
    : latin
}
