/** A text returned by a search. */
export interface FoundText {
  text: string
  /** Comparable within one system only, to separate questions with an answer from those without. */
  score: number
}

/** A measured search over one collection. */
export interface RetrievalSystem {
  name: string
  /** Texts, best first. The bench truncates them at MAX_CHARACTERS. */
  search(query: string): Promise<FoundText[]>
  close?(): Promise<void>
}

/** Opens a system over the files of a folder. */
export type OpenSystem = (folder: string) => Promise<RetrievalSystem>

/** Maximum characters that a model receives from any system: passages with their titles. */
export const MAX_CHARACTERS = 8_000
/** More texts than can fit. */
export const MAX_TEXTS = 40

/** The first texts that fit, the last one truncated. */
export function withinBudget(texts: readonly FoundText[], maxCharacters = MAX_CHARACTERS): FoundText[] {
  const fitting: FoundText[] = []
  let left = maxCharacters
  for (const found of texts) {
    if (left <= 0) break
    fitting.push({ ...found, text: found.text.slice(0, left) })
    left -= found.text.length
  }
  return fitting
}
