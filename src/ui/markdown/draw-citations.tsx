import { Fragment, type ReactNode } from 'react'
import type { Cite } from './citations.ts'

interface CitationParts {
  /** Splits a text into strings and citations. */
  split(text: string): (string | { numbers: number[]; text: string })[]
  /** The mark of a source; undefined for unknown numbers. */
  mark(number: number): ReactNode | undefined
}

/** Creates a renderer of citations. Unknown numbers stay text. */
export function drawCitations({ split, mark }: CitationParts): Cite {
  return (text) => {
    const pieces = split(text).map((piece) => (typeof piece === 'string' ? piece : marksOf(piece, mark)))
    return pieces.every(isText) ? undefined : pieces.map((piece, index) => withMargins(piece, pieces[index + 1], index))
  }
}

const isText = (piece: ReactNode): piece is string => typeof piece === 'string'

/** A piece of text. Marks get a margin instead of the preceding space. */
function withMargins(piece: ReactNode, after: ReactNode, key: number): ReactNode {
  const isBeforeMark = isText(piece) && after !== undefined && !isText(after)
  return <Fragment key={key}>{isBeforeMark ? piece.trimEnd() : piece}</Fragment>
}

/** The marks of a citation. Unknown numbers stay text. */
function marksOf({ numbers, text }: { numbers: number[]; text: string }, mark: CitationParts['mark']): ReactNode {
  const marks = numbers.map(mark)
  if (marks.every((drawn) => drawn === undefined)) return text
  // oxlint-disable-next-line react/no-array-index-key -- tokens are immutable
  return numbers.map((number, index) => <Fragment key={index}>{marks[index] ?? `[${number}]`}</Fragment>)
}
