import { type Change, diffLines as compareLines } from 'diff'

/** A line that both texts have, or one alone. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Texts with more changed lines are compared as a whole, to stay quick. */
const MAX_CHANGED_LINES = 2_000

/** The lines of two texts, removed ones before added ones. */
export function diffLines(before: string, after: string): DiffLine[] {
  // With an end, the last line equals the same line within a text.
  const [old, made] = [`${before}\n`, `${after}\n`]
  const changes: Pick<Change, 'value' | 'added' | 'removed'>[] = compareLines(old, made, { maxEditLength: MAX_CHANGED_LINES }) ?? [
    { value: old, added: false, removed: true },
    { value: made, added: true, removed: false },
  ]
  return changes.flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    const lines = value.slice(0, -1).split('\n')
    return lines.map((text): DiffLine => ({ kind, text }))
  })
}
