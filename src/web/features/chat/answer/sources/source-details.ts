import {
  type Citation,
  citationOf,
  usesSource,
  type SourcePart,
  sourceNumber,
  sourcesOf,
  webAddress,
} from '../../../../../contract/citation.ts'
import { type ChatMessagePart, textOf } from '../../../../../contract/message.ts'
import { plainQuote } from './plain-quote.ts'
import { excerptOf } from './source-excerpt.ts'
import { sourceLabels } from './source-labels.ts'
import { addressOfQuote } from './text-fragment.ts'

/** Sources of one answer that are shown. */
const MAX_SOURCES = 200
/** Sections of a breadcrumb that a list shows. */
const SHORT_SECTIONS = 2
const SEPARATOR = ' › '

/** A source as the page shows it. All of it is untrusted text, except `href`, which is an http or https address. */
export interface SourceDetails {
  /** What the answer calls it by. */
  number: number
  /** Whether the answer cites it or was taken from it. */
  isUsed: boolean
  /** Unique within the answer. */
  label: string
  /** The sections below the title, all of them and the last ones; empty if there are none. */
  sections: string
  shortSections: string
  /** Plain text; empty if there is none. */
  quote: string
  asOf: string | null
  href: string | null
  /** Host of the page or path of the file; empty if neither is known. */
  origin: string
}

/** `cited`: what the answer cites or was taken from. `searched`: what else was found for it. */
export interface ShownSources {
  cited: SourceDetails[]
  searched: SourceDetails[]
}

/** The sources of an answer, in the order of their numbers. */
export function shownSources(parts: readonly ChatMessagePart[]): ShownSources {
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

/** Tells apart what is shown twice: the same passage may have been found by several searches. */
const passageOf = ({ label, quote, origin }: SourceDetails): string => (quote === '' ? label : `${origin}\n${quote}`)

/** The sources of an answer as they arrived. Those that the server did not number get the numbers after its own. */
export function sourceDetails(parts: readonly ChatMessagePart[]): SourceDetails[] {
  const sources = sourcesOf(parts).slice(0, MAX_SOURCES)
  let last = Math.max(0, ...sources.map((source) => sourceNumber(source) ?? 0))
  const described = sources.map((source) => describe(source, parts))
  const used = sources.map(usesSource(textOf({ parts: [...parts] }), sources))
  const labels = sourceLabels(described)
  return described.map(({ number, details }, index) => {
    const label = labels[index] ?? ''
    // What the label says is not said again.
    const sections = label.includes(details.sections) ? '' : details.sections
    const shortSections = label.includes(details.shortSections) ? '' : details.shortSections
    return { ...details, number: number ?? (last += 1), isUsed: used[index] ?? false, label, sections, shortSections }
  })
}

function describe(source: SourcePart, parts: readonly ChatMessagePart[]) {
  const citation = citationOf(source)
  const quote = plainQuote(citation?.quote || excerptOf(source, parts) || '')
  const address = source.type === 'source-url' ? webAddress(source.url) : (citation?.address ?? null)
  const sections = sectionsOf(source.title ?? '', citation)
  const shortSections = sections.slice(-SHORT_SECTIONS).join(SEPARATOR)
  const origin = address ? new URL(address).host : source.type === 'source-document' ? (source.filename ?? '') : ''
  return {
    number: sourceNumber(source),
    title: source.title || (source.type === 'source-url' ? source.url : source.filename) || '',
    place: citation?.place ?? '',
    shortSections,
    origin,
    details: {
      sections: sections.join(SEPARATOR),
      shortSections,
      quote,
      asOf: citation?.asOf ?? null,
      // What a web search shows of a page is its own summary, which the page may not have word for word.
      href: address && addressOfQuote(address, citation ? quote : ''),
      origin,
    },
  }
}

/** A breadcrumb without the title that it begins with. */
function sectionsOf(title: string, citation: Citation | undefined): string[] {
  const crumbs = (citation?.breadcrumb ?? '').split('›').map((crumb) => crumb.trim())
  return crumbs.filter((crumb, index) => crumb !== '' && !(index === 0 && title.startsWith(crumb)))
}
