import { fold } from './fold.ts'
import { withAsciiDigits } from './normalize-text.ts'

/** Joiners inside words, the Arabic stretching mark, Indic nuktas, Thai tones. */
const IGNORED = /\u200c|\u200d|\u0640|\u093c|\u09bc|\u0a3c|\u0abc|\u0b3c|\u0cbc|[\u0e48-\u0e4b]/g
/** Letters that are typed in several ways. Their accents are gone by then. */
const VARIANTS = new Map(
  [
    ['\u0649\u06cc\u06d2', '\u064a'],
    ['\u06a9\u06aa', '\u0643'],
    ['\u0629\u06c1\u06be\u06d5', '\u0647'],
    ['\u0671', '\u0627'],
    ['\u05da', '\u05db'],
    ['\u05dd', '\u05de'],
    ['\u05df', '\u05e0'],
    ['\u05e3', '\u05e4'],
    ['\u05e5', '\u05e6'],
    ['\u0901', '\u0902'],
    ['\u20ac', 'euro'],
  ].flatMap(([variants = '', letter = '']) => [...variants].map((variant): [string, string] => [variant, letter])),
)
const VARIANT_LETTERS = new RegExp(`[${[...VARIANTS.keys()].join('')}]`, 'g')
const DOUBLE_HEBREW = /([\u05d5\u05d9])\1/g
/** A Devanagari nasal before another consonant is also written as a dot. */
const NASALS = /[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/g
const KATAKANA = /[\u30a1-\u30f6]/g
const KANA_DISTANCE = 0x60
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/

/** A word in the letters that it is compared by: folded, with one letter for each that people type in several ways, and ASCII digits. */
export function plainWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return fold(withAsciiDigits(word))
    .replace(IGNORED, '')
    .replace(VARIANT_LETTERS, (letter) => VARIANTS.get(letter) ?? letter)
    .replace(DOUBLE_HEBREW, '$1')
    .replace(NASALS, '\u0902')
    .replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - KANA_DISTANCE))
}

const ARABIC_ARTICLE = /^(?:[وف]?(?:[بك]?ال|لل)|و)(?=.{3})/
const ARABIC_SUFFIX = /(?<=.{3})(?:هايي|هاي|ها|ترين|تر|كم|نا|هم|ان|ات|ون|ين|اش|ام|ه|ي|(?<=.{4})[تك])$/
/** Prepositions, conjunctions and persons of verbs. */
const ARABIC_PREFIX = /^[بلكف](?=.{3})/
/** Persian pronouns. */
const PERSIAN_SUFFIX = /(?<=.{4})[مش]$/
const HEBREW_SUFFIX = /(?<=.{3})(?:יות|ות|ימ|יה|ה|ת|י)$/
const HEBREW_PREFIX = /^[הובלמשכ](?=.{3})/
/** Endings of Hindi by length, as in Ramanathan and Rao's light stemmer. */
const HINDI_SUFFIX =
  /(?<=.{2})(?:ाएंगी|ाएंगे|ाऊंगी|ाऊंगा|ाइयां|ाइयों|ाएगी|ाएगा|ाओगी|ाओगे|एंगी|ेंगी|एंगे|ेंगे|ूंगी|ूंगा|ातीं|नाओं|नाएं|ताओं|ताएं|ियां|ियों|ाकर|ाइए|ाईं|ाया|ेगी|ेगा|ोगी|ोगे|ाने|ाना|ाते|ाती|ाता|तीं|ाओं|ाएं|ुओं|ुएं|ुआं|कर|ाओ|िए|ाई|ाए|ने|नी|ना|ते|ीं|ती|ता|ां|ों|ें|ो|े|ू|ु|ी|ि|ा)$/
const KOREAN_ENDING =
  /(?<=.{2})(?:(?:하|되)(?:려면|나요|면|는|기|고|여|지|세요|십니까)|해야|해요|하러|했나요|(?:합|됩|입)니[다까]|인가요|이에요|예요|으로부터|(?:에서|에게|으로|까지|부터)(?:는|도|의|만)?|에[는도]|께서|한테|처럼|보다|이나|이랑|이란|하고|에|은|는|이|가|을|를|의|도|만|로|와|과|나|랑)$/
const KOREAN_PLURAL = /(?<=.{2})들$/
const SHORT_KOREAN_ENDING = /(?<=^.)[은는이가을를의에도로]$/

type Forms = (word: string) => string[]

const FORMS: readonly (readonly [RegExp, Forms])[] = [
  [/\p{Script=Arabic}/u, arabicForms],
  [/\p{Script=Hebrew}/u, hebrewForms],
  [/\p{Script=Devanagari}/u, (word) => [word.replace(HINDI_SUFFIX, '')]],
  [/\p{Script=Hangul}/u, koreanForms],
]

/** Stems that a plain word's script alone tells, the likeliest first; with and without prefixes that may belong to the word. */
export function formsOf(word: string): string[] {
  if (ASCII.test(word)) return [word]
  return FORMS.find(([script]) => script.test(word))?.[1](word) ?? [word]
}

function arabicForms(word: string): string[] {
  const stem = withoutEndings(word.replace(ARABIC_ARTICLE, ''), ARABIC_SUFFIX)
  return [...withRest(stem, ARABIC_PREFIX), ...withRest(stem, PERSIAN_SUFFIX).slice(1)]
}

function hebrewForms(word: string): string[] {
  const forms = [word]
  for (let rest = word; HEBREW_PREFIX.test(rest) && forms.length < 3; ) forms.push((rest = rest.slice(1)))
  return [...new Set(forms.map((form) => withoutEndings(form, HEBREW_SUFFIX)))]
}

function koreanForms(word: string): string[] {
  return withRest(word.replace(KOREAN_ENDING, '').replace(KOREAN_PLURAL, ''), SHORT_KOREAN_ENDING)
}

/** The word, and what is left of it without the affix. */
function withRest(word: string, affix: RegExp): string[] {
  const rest = word.replace(affix, '')
  return rest === word ? [word] : [word, rest]
}

function withoutEndings(word: string, ending: RegExp): string {
  const shorter = word.replace(ending, '')
  return shorter === word ? word : withoutEndings(shorter, ending)
}
