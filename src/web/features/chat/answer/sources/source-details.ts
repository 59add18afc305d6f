import {
  type Citation,
  citationOf,
  shownFile,
  usesSource,
  type SourcePart,
  sourceNumber,
  sourcesOf,
  webAddress,
} from '../../../../../contract/chat/citation.ts'
import type { ChatMessagePart } from '../../../../../contract/chat/message.ts'
import { textOf } from '../../../../../contract/chat/message-text.ts'
import { plainQuote } from './plain-quote.ts'

/** Maximum number of sources shown per answer. */
const MAX_SOURCES = 200
const MAX_LABEL_CHARACTERS = 200
/** Number of breadcrumb sections that a list shows. */
const SHORT_SECTIONS = 2
const SEPARATOR = ' › '

/** A source as the page shows it. All of it is untrusted text, except `href`, which is an http or https address. */
export interface SourceDetails {
  number: number
  /** Whether the answer cites it or was taken from it. */
  isUsed: boolean
  label: string
  /** All sections below the title, and the last ones; empty if none. */
  sections: string
  shortSections: string
  /** Plain text; empty if none. */
  quote: string
  /** The answer in one line of plain text: sentences of the quote that are in it are marked. */
  said: string
  asOf: string | null
  href: string | null
  /** Host of the page or path of the file; empty if neither is known, and for an approved answer without a page. */
  origin: string
}

/** `cited`: sources that the answer uses. `searched`: other sources that were found. */
export function shownSources(parts: readonly ChatMessagePart[]): { cited: SourceDetails[]; searched: SourceDetails[] } {
  const sources = sourceDetails(parts).toSorted((one, other) => one.number - other.number)
  const cited = sources.filter(({ isUsed }) => isUsed)
  const shown = new Set(cited.map(passageOf))
  const searched = sources.filter((source) => {
    const passage = passageOf(source)
    const isNew = !shown.has(passage)
    shown.add(passage)
    return isNew
  })
  return { cited, searched }
}

/** Identifies a passage, which several searches may have found. */
const passageOf = ({ label, quote, origin, href }: SourceDetails): string => `${quote === '' ? `${label}\n${href}` : quote}\n${origin}`

/** The sources of an answer in order of arrival. Sources without a number get the numbers after the highest one. */
export function sourceDetails(parts: readonly ChatMessagePart[]): SourceDetails[] {
  const sources = sourcesOf(parts).slice(0, MAX_SOURCES)
  let last = Math.max(0, ...sources.map((source) => sourceNumber(source) ?? 0))
  const text = textOf({ parts: [...parts] })
  const said = oneLine(plainQuote(text))
  const used = sources.map(usesSource(text, sources))
  return sources.map((source, index) => ({
    ...describe(source),
    said,
    number: sourceNumber(source) ?? (last += 1),
    isUsed: used[index] ?? false,
  }))
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function describe(source: SourcePart) {
  const citation = citationOf(source)
  const quote = plainQuote(citation?.quote ?? '')
  const address = source.type === 'source-url' ? webAddress(source.url) : (citation?.address ?? null)
  const sections = sectionsOf(source.title ?? '', citation)
  const title = oneLine(source.title || (source.type === 'source-url' ? source.url : shownFile(source.filename)))
  return {
    label: title.length > MAX_LABEL_CHARACTERS ? `${title.slice(0, MAX_LABEL_CHARACTERS).toWellFormed()}…` : title,
    sections: sections.join(SEPARATOR),
    shortSections: sections.slice(-SHORT_SECTIONS).join(SEPARATOR),
    quote,
    asOf: citation?.asOf ?? null,
    href: address,
    origin: address ? new URL(address).host : source.type === 'source-document' ? shownFile(source.filename) : '',
  }
}

/** The sections of a breadcrumb, without the leading title. */
function sectionsOf(title: string, citation: Citation | undefined): string[] {
  const crumbs = (citation?.breadcrumb ?? '').split('›').map((crumb) => crumb.trim())
  return crumbs.filter((crumb, index) => crumb !== '' && !(index === 0 && title.startsWith(crumb)))
}
