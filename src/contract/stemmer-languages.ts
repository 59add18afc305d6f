/** Languages that the knowledge search can stem. */
export const STEMMER_LANGUAGES = [
  'english',
  'german',
  'french',
  'spanish',
  'italian',
  'portuguese',
  'dutch',
  'swedish',
  'norwegian',
  'danish',
  'finnish',
  'russian',
  'turkish',
] as const
export type StemmerLanguage = (typeof STEMMER_LANGUAGES)[number]
