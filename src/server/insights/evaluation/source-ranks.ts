/** The sources of a search or an answer, in order. */
interface GivenSource {
  file: string
  text: string
}

/** Rank of each expected source of one prompt, from 1; null if it is missing. */
export type SourceRanks = (number | null)[]

/** `privacy.md`, or a longer path, names a file; anything else is a quotation. */
const FILE = /^[^\s]+\.\w{1,5}$/

/** Position of each expected source among the given ones, from 1; `null` if missing. */
export function ranksOf(expected: readonly string[], given: readonly GivenSource[]): SourceRanks {
  return expected.map((one) => {
    const isFile = FILE.test(one)
    const at = given.findIndex(({ file, text }) => (isFile ? file === one : normalized(text).includes(normalized(one))))
    return at === -1 ? null : at + 1
  })
}

/** Text with normalised white space, for comparing quotations. */
export function normalized(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
