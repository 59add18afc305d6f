import { withoutCitations } from '../../../../contract/citation.ts'
import { t } from '../../../language/translate.ts'

/** Everything that is not meant to be read aloud of Markdown: fences and their code, marks, link targets, table rules. */
function spoken(markdown: string): string {
  return (
    withoutCitationsInText(markdown.replace(/^(?=(`{3,}|~{3,}))\1[^\n]*\n[\s\S]*?(?:^\1[ \t]*$|$(?![\s\S]))/gm, `${t('Code block.')}\n`))
      // No further than the next bracket, and no address without end: the search would take the square of a hostile text's length.
      .replace(/!?\[([^[\]]*)\]\([^)\n]{0,500}\)/g, '$1')
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\|[-:| ]+\|?$)[ \t]*/gm, '')
      .replace(/[*`~]+/g, '')
      .replace(/[_|]+/g, ' ')
  )
}

/** Inline code may hold what looks like a citation. */
const withoutCitationsInText = (markdown: string): string =>
  markdown
    .split(/(`[^`\n]+`)/)
    .map((piece, index) => (index % 2 === 0 ? withoutCitations(piece) : piece))
    .join('')

const SENTENCE_END = /[.!?؟।]["'”’)*_]*(?:\[[\d,; ]{1,40}\])*\s+(?=[^\s\p{Ll}\d])|[。！？](?:【[\d,; ]{1,40}】)*|\n/gu
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/**
 * The whole sentences of a streaming Markdown text from an offset on, and the offset to go on from. While it `isStreaming`,
 * the last sentence is held back (it may not be at its end), and so is a code block that is still open.
 */
export function wholeSentences(markdown: string, from: number, isStreaming: boolean): { sentences: string[]; end: number } {
  const rest = markdown.slice(from)
  const settled = isStreaming ? rest.slice(0, lastBoundary(rest)) : rest
  const sentences = spoken(settled)
    .split(/\n+/)
    .flatMap((line) => [...SEGMENTER.segment(line)].map(({ segment }) => segment.replace(/\s+/g, ' ').trim()))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  return { sentences, end: from + settled.length }
}

/** Where the last sentence or line that is surely complete ends (not after “e.g.”: no capital follows); an open code block is not complete. */
function lastBoundary(markdown: string): number {
  const last = [...markdown.matchAll(SENTENCE_END)].at(-1)
  const end = last ? last.index + last[0].length : 0
  const fences = [...markdown.slice(0, end).matchAll(/^(?:`{3,}|~{3,})/gm)]
  return fences.length % 2 === 1 ? fences.at(-1)!.index : end
}
