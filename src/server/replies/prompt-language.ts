import type { PageLanguage } from '../../contract/page-languages.ts'

/** Only the beginning of a long prompt is read. */
const MAX_READ_CHARACTERS = 1_000

/** Scripts that decide the language, the most distinctive first. */
const SCRIPTS: readonly (readonly [PageLanguage, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
]
/** Share of the letters in a script that decides the language: Japanese and Chinese prompts may contain Latin names. */
const SCRIPT_SHARE = 0.1

/** Frequent words that the other languages of the list don't have, or rarely. */
const WORDS: Partial<Record<PageLanguage, string>> = {
  en: 'the is are was do does did i my you your what how where when who why can could would will to of and in for with this that it have has not',
  de: 'der die das ist sind ich mein meine meinen wie wo wann wer warum kann können und nicht ein eine einen für mit auf im zu den dem was wird habe haben gibt bitte',
  es: 'el la los las es son yo mi mis tu usted qué que cómo como dónde cuándo quién por para puedo puede y no un una con en del al hay tengo quiero',
  fr: 'le la les est sont je mon ma mes vous votre que quoi comment où quand qui pourquoi peux puis peut et ne pas un une des du pour avec dans au ai voudrais',
  it: 'il lo gli è sono io mio mia che cosa come dove quando chi perché posso può e non un una di del della per con in al ho vorrei quanto',
  pt: 'o os as é são eu meu minha você que como onde quando quem porque posso pode e não um uma do da dos das para com em no na tenho quero quanto custa qual você',
}
const FREQUENT = Object.entries(WORDS).map(([language, words]) => [language as PageLanguage, new Set(words.split(' '))] as const)

/** Letters that only one of the languages in Latin script has. */
const LETTERS: readonly (readonly [PageLanguage, RegExp])[] = [
  ['de', /[äöüß]/i],
  ['es', /[ñ¿¡]/],
  ['fr', /[œêûîëï]/i],
  ['pt', /[ãõ]/i],
  ['it', /[òì]/i],
]

/** The language of a prompt, for a reply that isn't written by a model; `null` if its letters and words don't tell. */
export function promptLanguage(text: string): PageLanguage | null {
  const start = text.slice(0, MAX_READ_CHARACTERS)
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  for (const [language, letter] of SCRIPTS) {
    const found = start.match(letter)?.length ?? 0
    if (found > 0 && found >= letters * SCRIPT_SHARE) return language
  }
  const words = start.toLowerCase().match(/\p{L}+/gu) ?? []
  const scores = FREQUENT.map(([language, frequent]) => {
    const marked = LETTERS.some(([own, letter]) => own === language && letter.test(start))
    return { language, score: words.filter((word) => frequent.has(word)).length + (marked ? 1.5 : 0) }
  })
  const [best, second] = scores.toSorted((one, other) => other.score - one.score)
  return best && best.score > 0 && best.score > (second?.score ?? 0) ? best.language : null
}
