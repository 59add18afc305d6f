/** Everything that is not meant to be read aloud of Markdown: fences and their code, marks, link targets, table rules. */
function spoken(markdown: string): string {
  return markdown
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[ \t]*$|$(?![\s\S]))/gm, 'Code block.\n')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\|[-:| ]+\|?$)[ \t]*/gm, '')
    .replace(/[*_`~|]+/g, ' ')
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/**
 * The whole sentences of a growing text, in order. While `isGrowing`, the last one is held back: it may not be at its end.
 * For each longer text the list begins with what it gave before, so that a reader can go on by count.
 */
export function wholeSentences(markdown: string, isGrowing: boolean): string[] {
  const settled = isGrowing ? markdown.slice(0, lastBoundary(markdown)) : markdown
  const sentences = spoken(settled)
    .split(/\n+/)
    .flatMap((line) => [...SEGMENTER.segment(line)].map(({ segment }) => segment.replace(/\s+/g, ' ').trim()))
  return sentences.filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Where the last sentence or line that is surely complete ends; an open code block is not complete. */
function lastBoundary(markdown: string): number {
  const end = Math.max(0, ...[...markdown.matchAll(/[.!?。！？؟।]["'”’)]*\s|\n/g)].map((match) => match.index + match[0].length))
  const fences = [...markdown.slice(0, end).matchAll(/^(?:`{3,}|~{3,})/gm)]
  return fences.length % 2 === 1 ? fences.at(-1)!.index : end
}
