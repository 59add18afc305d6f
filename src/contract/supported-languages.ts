/** Languages that the knowledge search can stem. */
export const LANGUAGES = [
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
export type Language = (typeof LANGUAGES)[number]
