import type { StemmerLanguage } from '../../../contract/stemmer-languages.ts'

/** A language's Snowball stemmer and its function words. */
export interface Grammar {
  language: StemmerLanguage
  stem: (word: string) => string
  stopWords: readonly string[]
}

type Modules = Promise<[{ stemmer: (word: string) => string }, { stopwords: string[] }]>

const GRAMMARS: Record<StemmerLanguage, () => Modules> = {
  english: async () => [await import('@orama/stemmers/english'), { stopwords: [] }],
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

/** Loads the grammar of one language. The English function words are in stop-words.ts. */
export async function loadGrammar(language: StemmerLanguage): Promise<Grammar> {
  const [{ stemmer }, { stopwords }] = await GRAMMARS[language]()
  return { language, stem: stemmer, stopWords: stopwords }
}
