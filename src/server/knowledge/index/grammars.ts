import { createRequire } from 'node:module'
import { plainWord } from '../../../text/word-forms.ts'
import { ENGLISH_STOP_WORDS, LITHUANIAN_STOP_WORDS, SCRIPT_STOP_WORDS, VIETNAMESE_STOP_WORDS, WEAK_WORDS } from './stop-words.ts'

/** Languages with a Snowball stemmer, by script; the first of each is assumed where the text doesn't tell. */
const LANGUAGES = {
  Latin: [
    ...(['english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch', 'swedish', 'danish', 'norwegian'] as const),
    ...(['finnish', 'hungarian', 'romanian', 'turkish', 'indonesian', 'irish', 'lithuanian', 'serbian'] as const),
  ],
  Cyrillic: ['russian', 'bulgarian', 'ukrainian'],
  Greek: ['greek'],
  Armenian: ['armenian'],
  Tamil: ['tamil'],
} as const
type Script = keyof typeof LANGUAGES
type StemmedLanguage = (typeof LANGUAGES)[Script][number]
/** `other`: one without a stemmer, or that the text doesn't tell. */
export type Language = StemmedLanguage | 'other'
const STEMMED: readonly StemmedLanguage[] = Object.values(LANGUAGES).flat()
export const ALL_LANGUAGES: readonly Language[] = [...STEMMED, 'other']

const SCRIPTS = Object.entries(LANGUAGES).map(([name, languages]) => ({
  letter: new RegExp(`\\p{Script=${name}}`, 'u'),
  languages: languages as readonly StemmedLanguage[],
}))
const require = createRequire(import.meta.url)
const stemmers = new Map<StemmedLanguage, (word: string) => string>()

function stemmerOf(language: StemmedLanguage): (word: string) => string {
  let stemmer = stemmers.get(language)
  if (!stemmer) {
    ;({ stemmer } = require(`@orama/stemmers/${language}`) as { stemmer: (word: string) => string })
    stemmers.set(language, stemmer)
  }
  return stemmer
}

function stopWordsOf(language: StemmedLanguage): readonly string[] {
  if (language === 'english') return ENGLISH_STOP_WORDS
  if (language === 'lithuanian') return LITHUANIAN_STOP_WORDS
  return (require(`@orama/stopwords/${language}`) as { stopwords: string[] }).stopwords
}

const lowerCase = (word: string) => word.toLowerCase().normalize('NFC')

/** A bit for each language that has a word, in lower case or in plain letters, as a function word: thousands of lists would take megabytes. */
let functionWords: ReadonlyMap<string, number> | undefined
const languagesOfBits = new Map<number, readonly Language[]>()

function readFunctionWords(): ReadonlyMap<string, number> {
  const bits = new Map<string, number>()
  const add = (word: string, at: number) => bits.set(word, (bits.get(word) ?? 0) | (1 << at))
  for (const [at, language] of STEMMED.entries())
    for (const word of stopWordsOf(language)) {
      add(lowerCase(word), at)
      add(plainWord(word), at)
    }
  for (const word of VIETNAMESE_STOP_WORDS) add(word, STEMMED.length)
  return bits
}

function languagesWith(form: string): readonly Language[] {
  const bits = (functionWords ??= readFunctionWords()).get(form) ?? 0
  let languages = languagesOfBits.get(bits)
  if (!languages) languagesOfBits.set(bits, (languages = ALL_LANGUAGES.filter((_, at) => (bits & (1 << at)) !== 0)))
  return languages
}

/** The share of a text's words that tell its language. */
const MIN_SHARE = 0.08
/** Letters that Russian and Bulgarian lack. */
const UKRAINIAN = /[іїєґ]/iu
/** Enough words to tell. */
const MAX_READ_WORDS = 200
/** Single letters don't tell in Latin script. */
const WORD = /[\p{L}\p{M}]{2,}|\p{Script=Cyrillic}/gu

/** The language with most function words in a text; `other` where it has too few. As good as a detector that takes 90 MB. */
export function stemmerLanguageOf(text: string): Language {
  const scores = new Map<Language, number>()
  const read = (text.match(WORD) ?? []).slice(0, MAX_READ_WORDS)
  for (const word of read) {
    const languages: readonly Language[] = UKRAINIAN.test(word) ? ['ukrainian'] : languagesWith(lowerCase(word))
    for (const language of languages) scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length)
  }
  const [best] = [...scores].toSorted(([, one], [, other]) => other - one)
  return best && best[1] >= read.length * MIN_SHARE ? best[0] : 'other'
}

/** Snowball stems in the languages that have the word's script; null without a stemmer. Without the language, accents count too. */
export function snowballStems(word: string, languages: readonly Language[]): string[] | null {
  const script = SCRIPTS.find(({ letter }) => letter.test(word))
  if (!script) return null
  const likely = script.languages.filter((language) => languages.includes(language))
  const lower = lowerCase(word)
  const plain = plainWord(word)
  const forms = lower === plain ? [plain] : [lower, plain]
  const stems = likely.flatMap((language) => {
    const stem = stemmerOf(language)
    if (language === 'english') return stem(plain)
    return forms.map((form) => plainWord(stem(language === 'german' ? withUmlauts(form) : form)))
  })
  if (likely.length > 0 && !languages.includes('other')) return stems
  return [...stems, ...forms.filter((form) => form !== plain), stemmerOf(script.languages[0] as StemmedLanguage)(plain)]
}

/** Writes `ae`, `oe` and `ue` as umlauts, as Snowball's German2 does, so both spellings match. */
function withUmlauts(word: string): string {
  return word
    .replaceAll('ae', '\u00e4')
    .replaceAll('oe', '\u00f6')
    .replace(/(?<![qa\u00e4e])ue/g, '\u00fc')
}

/** Whether a word is a function word in one of these languages, or in one that has a script of its own. */
export function isStopWord(word: string, languages: readonly Language[]): boolean {
  const plain = plainWord(word)
  return SCRIPT_STOP_WORDS.has(plain) || languagesWith(plain).some((language) => languages.includes(language))
}

export function isWeakWord(word: string): boolean {
  const lower = lowerCase(word)
  return WEAK_WORDS.has(lower) || languagesWith(lower).includes('other')
}
