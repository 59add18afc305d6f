import { withoutCitations } from '../../../../contract/chat/citation.ts'
import { t } from '../../../../ui/language/translate.ts'

/** Formulas between dollar signs, `\\(` and `\\[`; a dollar sign beside a space, or before a digit after the formula, is money. */
const FORMULAS = /\$\$[^$]{1,2000}\$\$|\\\[[^\]]{1,2000}?\\\]|\\\([^)]{1,500}?\\\)|\$(?!\s)[^$\n]{1,500}(?<!\s)\$(?!\d)/g
/** The mark of a footnote, in the text or before the note. */
const FOOTNOTES = /[ \t]?\[\^[^\][\s]{1,100}\]:?/g

/** Markdown as text to read aloud, without code blocks, formatting marks, footnote marks, link targets, table rules and TeX. */
function speakableText(markdown: string): string {
  return (
    spokenOutsideCode(markdown.replace(/^(?=(`{3,}|~{3,}))\1[^\n]*\n[\s\S]*?(?:^\1[ \t]*$|$(?![\s\S]))/gm, `${t('Code block.')}\n`))
      // Bounded, so hostile text cannot make the match quadratic.
      .replace(/!?\[([^[\]]*)\]\([^)\n]{0,500}\)/g, '$1')
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\|[-:| ]+\|?$)[ \t]*/gm, '')
      .replace(/[*`~]+/g, '')
      .replace(/[_|]+/g, ' ')
  )
}

/** Removes citations and footnotes and names formulas, except inside inline code, which may contain text that looks like them. */
const spokenOutsideCode = (markdown: string): string =>
  markdown
    .split(/(`[^`\n]+`)/)
    .map((piece, index) =>
      index % 2 === 0 ? withoutCitations(piece.replace(FORMULAS, ` ${t('Formula')} `).replace(FOOTNOTES, '')) : piece,
    )
    .join('')

const SENTENCE_END = /[.!?؟।]["'”’)*_]*(?:\[[\d,; ]{1,40}\])*\s+(?=[^\s\p{Ll}\d])|[。！？](?:【[\d,; ]{1,40}】)*|\n/gu
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/**
 * The complete sentences of a Markdown text from an offset on, and the offset to continue from. While the text is streaming,
 * excludes the last sentence, which may be incomplete, and an open code block.
 */
export function wholeSentences(markdown: string, from: number, isStreaming: boolean): { sentences: string[]; end: number } {
  const rest = markdown.slice(from)
  const complete = isStreaming ? rest.slice(0, lastBoundary(rest)) : rest
  const sentences = speakableText(complete)
    .split(/\n+/)
    .flatMap((line) => [...SEGMENTER.segment(line)].map(({ segment }) => segment.replace(/\s+/g, ' ').trim()))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  return { sentences, end: from + complete.length }
}

/** End of the last complete sentence or line. “e.g.” ends none, because no capital follows; an open code block or formula is incomplete. */
function lastBoundary(markdown: string): number {
  const last = [...markdown.matchAll(SENTENCE_END)].at(-1)
  const end = last ? last.index + last[0].length : 0
  const complete = markdown.slice(0, end)
  const open = [/^(?:`{3,}|~{3,})/gm, /\$\$|\\[[\]]/g].flatMap((mark) => {
    const marks = [...complete.matchAll(mark)]
    return marks.length % 2 === 1 ? marks.at(-1)!.index : []
  })
  return Math.min(end, ...open)
}
