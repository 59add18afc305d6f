import { fold } from './fold.ts'

const SEPARATORS = /[^\p{L}\p{M}\p{N}\p{S}]+/gu

/** A wording for exact comparison: folded, without punctuation, with single spaces. */
export function foldWording(text: string): string {
  return fold(text).replace(SEPARATORS, ' ').trim()
}
