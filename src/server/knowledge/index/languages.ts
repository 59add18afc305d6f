import type { Language } from '../../../contract/languages.ts'

/** A word's stem, and the words that say nothing about what a text is about. */
export interface Grammar {
  stem: (word: string) => string
  stopWords: readonly string[]
}

// Snowball's stemmers. English has its own in terms.ts.
const GRAMMARS: Record<Exclude<Language, 'english'>, () => Promise<[{ stemmer: (word: string) => string }, { stopwords: string[] }]>> = {
  german: () => Promise.all([import('@orama/stemmers/german'), import('@orama/stopwords/german')]),
  french: () => Promise.all([import('@orama/stemmers/french'), import('@orama/stopwords/french')]),
  spanish: () => Promise.all([import('@orama/stemmers/spanish'), import('@orama/stopwords/spanish')]),
  italian: () => Promise.all([import('@orama/stemmers/italian'), import('@orama/stopwords/italian')]),
  portuguese: () => Promise.all([import('@orama/stemmers/portuguese'), import('@orama/stopwords/portuguese')]),
  dutch: () => Promise.all([import('@orama/stemmers/dutch'), import('@orama/stopwords/dutch')]),
  swedish: () => Promise.all([import('@orama/stemmers/swedish'), import('@orama/stopwords/swedish')]),
  norwegian: () => Promise.all([import('@orama/stemmers/norwegian'), import('@orama/stopwords/norwegian')]),
  danish: () => Promise.all([import('@orama/stemmers/danish'), import('@orama/stopwords/danish')]),
  finnish: () => Promise.all([import('@orama/stemmers/finnish'), import('@orama/stopwords/finnish')]),
  russian: () => Promise.all([import('@orama/stemmers/russian'), import('@orama/stopwords/russian')]),
  turkish: () => Promise.all([import('@orama/stemmers/turkish'), import('@orama/stopwords/turkish')]),
}

/** Loads what is known of a language, and of no other. */
export async function loadGrammar(language: Exclude<Language, 'english'>): Promise<Grammar> {
  const [{ stemmer }, { stopwords }] = await GRAMMARS[language]()
  return { stem: stemmer, stopWords: stopwords }
}
