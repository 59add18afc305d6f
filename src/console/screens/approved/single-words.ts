const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })

export function singleWords({ question, matches }: { question: string; matches: readonly string[] }): string[] {
  return [question, ...matches].filter((wording) => [...WORDS.segment(wording)].filter(({ isWordLike }) => isWordLike).length === 1)
}
