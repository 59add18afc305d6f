import { createHash } from 'node:crypto'
import type { Passage } from '../ingestion/passages.ts'

/** Models read a few hundred to some thousand tokens. */
const MAX_TEXT_CHARACTERS = 4_000

/** The passage's text plus its keywords. */
export function embeddedTextOf(passage: Passage): string {
  return [textOf(passage), passage.keywords].filter(Boolean).join('\n').slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
}

/** The passage text that is sent to the model. */
export function textOf({ title, heading, text }: Passage): string {
  return [...new Set([title, heading]), text].join('\n').slice(0, MAX_TEXT_CHARACTERS).toWellFormed()
}

/** Identifies an embedded text: passages with the same one share a vector. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
