import { Fragment, type ReactNode } from 'react'
import type { Cite } from './citations.ts'

interface CitationParts {
  /** Splits a text at its citations: a string is text, an object a citation. */
  split(text: string): (string | { numbers: number[]; text: string })[]
  /** The mark of a source; undefined for a number that no source has. */
  mark(number: number): ReactNode | undefined
}

/** What draws the citations of a text. A number that no source has stays text. */
export function drawCitations({ split, mark }: CitationParts): Cite {
  return (text) => {
    const pieces = split(text).map((piece) => (typeof piece === 'string' ? piece : marksOf(piece, mark)))
    return pieces.every(isText) ? undefined : pieces.map((piece, index) => withMargins(piece, pieces[index + 1], index))
  }
}

const isText = (piece: ReactNode): piece is string => typeof piece === 'string'

/** A piece; a mark has a margin in place of the space before it. */
function withMargins(piece: ReactNode, after: ReactNode, key: number): ReactNode {
  const isBeforeMark = isText(piece) && after !== undefined && !isText(after)
  return <Fragment key={key}>{isBeforeMark ? piece.trimEnd() : piece}</Fragment>
}

/** The marks of a citation, with the numbers of unknown sources as text; all as text if none is known. */
function marksOf({ numbers, text }: { numbers: number[]; text: string }, mark: CitationParts['mark']): ReactNode {
  const marks = numbers.map(mark)
  if (marks.every((drawn) => drawn === undefined)) return text
  // oxlint-disable-next-line react/no-array-index-key -- a text that changes is another token
  return numbers.map((number, index) => <Fragment key={index}>{marks[index] ?? `[${number}]`}</Fragment>)
}
