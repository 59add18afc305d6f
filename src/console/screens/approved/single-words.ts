const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The wordings that are a single word. */
export function singleWords({ question, matches }: { question: string; matches: readonly string[] }): string[] {
  return [question, ...matches].filter((wording) => [...WORDS.segment(wording)].filter(({ isWordLike }) => isWordLike).length === 1)
}
