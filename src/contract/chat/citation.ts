import { isApprovedAnswer } from './approved-folder.ts'
import type { ChatMessagePart } from './message.ts'

// Node and browsers both have `URL`, but the contract compiles without their types.
declare const URL: { new (address: string): { protocol: string; href: string }; canParse(address: string): boolean }

/** Limits of the text that describes a source, in UTF-16 code units. */
const MAX_BREADCRUMB_CHARACTERS = 500
export const MAX_QUOTE_CHARACTERS = 1_000
const MAX_ADDRESS_CHARACTERS = 2_000
const MAX_PLACE_CHARACTERS = 200

/** Details of a `source-document` part, in `providerMetadata.parley`. All of it is untrusted text. */
export type Citation = {
  /** `Title › Section › Subsection`. */
  breadcrumb: string
  /** The passage itself, Markdown. */
  quote: string
  /** ISO date of the content (`2026-11-22`); null if unknown. */
  asOf: string | null
  /** Address of the page, http or https; null if none. */
  address: string | null
  /** Location in the file, such as "page 3". */
  place?: string
  /** Number by which the model knows the passage throughout the chat, from 1 to 999; visitors see `sourceId`. */
  modelNumber?: number
}

export type SourcePart = Extract<ChatMessagePart, { sourceId: string }>

/** The sources of an answer, in the order in which they arrived. */
export const sourcesOf = (parts: readonly ChatMessagePart[]): SourcePart[] =>
  parts.filter((part) => part.type === 'source-url' || part.type === 'source-document')

/** The number that the server assigned to a source, from 1; undefined if it has none. */
export function sourceNumber({ type, sourceId }: Pick<SourcePart, 'type' | 'sourceId'>): number | undefined {
  return type === 'source-document' && /^[1-9]\d{0,2}$/.test(sourceId) ? Number(sourceId) : undefined
}

/** A source's file as visitors read it: without the source that it came with, and empty for an approved answer, whose title says where it is from. */
export function shownFile(file = ''): string {
  return isApprovedAnswer(file) ? '' : file.replace(/^source:[^/]+\//, '')
}

/** `providerMetadata` of a source with this citation. */
export const citationMetadata = (citation: Citation): { parley: Citation } => ({ parley: citation })

/** A source's citation, validated and bounded; undefined if the part has none. */
export function citationOf({ type, providerMetadata }: { type: string; providerMetadata?: unknown }): Citation | undefined {
  const fields = isObject(providerMetadata) ? providerMetadata['parley'] : undefined
  return type === 'source-document' && isObject(fields) ? boundedCitation(fields) : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A valid citation from untrusted fields: long text is cut, an invalid date or address becomes null. */
export function boundedCitation(fields: { readonly [name in keyof Citation]?: unknown }): Citation {
  const place = bounded(fields.place, MAX_PLACE_CHARACTERS)
  return {
    breadcrumb: bounded(fields.breadcrumb, MAX_BREADCRUMB_CHARACTERS),
    quote: bounded(fields.quote, MAX_QUOTE_CHARACTERS),
    asOf: isoDate(fields.asOf),
    address: webAddress(fields.address),
    ...(place && { place }),
    ...(Number.isInteger(fields.modelNumber) && { modelNumber: Number(fields.modelNumber) }),
  }
}

/** The normalised form of an http or https address; null for anything else. */
export function webAddress(address: unknown): string | null {
  if (typeof address !== 'string' || address.length > MAX_ADDRESS_CHARACTERS || !URL.canParse(address)) return null
  const { protocol, href } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

function isoDate(date: unknown): string | null {
  return typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date)) ? date : null
}

function bounded(text: unknown, maxCharacters: number): string {
  return typeof text === 'string' ? text.slice(0, maxCharacters).replaceAll('\0', '').toWellFormed().trim() : ''
}

/** `[1]`, `[1, 2]` or `【1】`; the address of a link does not follow. */
const CITATION = /[[【]([1-9]\d{0,2}(?:\s{0,3}[,;]\s{0,3}[1-9]\d{0,2}){0,19})[\]】](?!\()/g

/** Splits plain text at its citations: a string is text, a list holds the numbers of one citation and its text. */
export function splitCitations(text: string): (string | { numbers: number[]; text: string })[] {
  const pieces: ReturnType<typeof splitCitations> = []
  let end = 0
  for (const { 0: raw, 1: numbers = '', index } of text.matchAll(CITATION)) {
    if (index > end) pieces.push(text.slice(end, index))
    pieces.push({ numbers: numbers.split(/[,;]/).map(Number), text: raw })
    end = index + raw.length
  }
  if (end < text.length) pieces.push(text.slice(end))
  return pieces
}

/** Plain text without its citations and the spaces before them. */
export function withoutCitations(text: string): string {
  const pieces = splitCitations(text)
  const isCitation = (index: number) => pieces[index] !== undefined && typeof pieces[index] !== 'string'
  return pieces
    .map((piece, index) => (typeof piece !== 'string' ? '' : isCitation(index + 1) ? piece.replace(/[ \t]$/, '') : piece))
    .join('')
}

/** The numbers that a Markdown text cites outside of code. */
export function citedNumbers(markdown: string): Set<number> {
  const pieces = splitOutsideCode(markdown).flatMap(splitCitations)
  return new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : piece.numbers)))
}

/**
 * Returns whether an answer with this text uses a source: it cites its number, or the source has none. An answer that cites nothing
 * uses its only source, as the answers of the built-in assistant do.
 */
export function usesSource(
  text: string,
  sources: readonly Pick<SourcePart, 'type' | 'sourceId'>[],
): (source: Pick<SourcePart, 'type' | 'sourceId'>) => boolean {
  const cited = citedNumbers(text)
  const numbers = sources.map(sourceNumber)
  const isOnlyOne = sources.length === 1 && !numbers.some((number) => number !== undefined && cited.has(number))
  return (source) => {
    const number = sourceNumber(source)
    return isOnlyOne || number === undefined || cited.has(number)
  }
}

/** The segments of a Markdown text outside code, which is enclosed in two backtick runs of equal length. Linear in the text's length. */
function splitOutsideCode(markdown: string): string[] {
  const runs = [...markdown.matchAll(/`+/g)].map(({ 0: run, index }) => ({ start: index, end: index + run.length, length: run.length }))
  const closing = new Map<number, number>()
  const closedBy = runs.map(() => -1)
  for (const [index, { length }] of [...runs.entries()].toReversed()) {
    closedBy[index] = closing.get(length) ?? -1
    closing.set(length, index)
  }
  const prose: string[] = []
  let from = 0
  for (let index = 0; index < runs.length; index += 1) {
    const close = closedBy[index] ?? -1
    if (close < 0) continue
    prose.push(markdown.slice(from, runs[index]?.start))
    from = runs[close]?.end ?? from
    index = close
  }
  return [...prose, markdown.slice(from)]
}

/** Escapes text for a single line of Markdown: no links, images, code or HTML. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`[\]<>]/g, '\\$&')
