import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import type { ExtractedDocument } from '../ingestion/document.ts'
import { formatOf, htmlTextOf } from '../ingestion/extract/extract.ts'
import { documentOf } from '../ingestion/extract/html.ts'
import { type Element, type ParsedPage, parsePage } from '../ingestion/extract/html-tree.ts'
import { isoDateOf } from '../ingestion/extract/page-facts.ts'
import { pageAddress } from './page-address.ts'

const MAX_LINKS = 2_000
const MAX_DOCUMENT_CHARACTERS = 4_000_000
const MAX_SITEMAP_BYTES = 50_000_000
const MAX_SITEMAP_ADDRESSES = 50_000
/** A page with a password field and less text is a page to sign in. */
const MAX_LOGIN_CHARACTERS = 1_000
/** A page whose title reads like an error and has less text is one. */
const MAX_ERROR_CHARACTERS = 600
const ERROR_TITLE =
  /\b(?:[45]\d\d|not found|page not found|error|access denied|forbidden|unavailable|maintenance|gone|nicht gefunden|fehler|wartung|nicht verf.gbar|introuvable|erreur|no encontrad[ao]|non trovat[ao]|niet gevonden)\b/i
const ROBOTS_META = /^(?:robots|parleybot)$/i

/** A fetched body in a file, and what is known about it. */
export interface ReadingRequest {
  kind: 'page' | 'sitemap'
  path: string
  /** Where it was fetched from. */
  address: string
  contentType: string
}

export interface ReadPage {
  kind: 'page'
  /** `ExtractedDocument` as JSON, without address and date. */
  document: string
  /** Hash of `document`. */
  hash: string
  /** Length of its text. */
  characters: number
  /** ISO date that the page states. */
  asOf: string | null
  /** The address that the page states as its own. */
  canonical: string | null
  /** Addresses of linked pages, at most `MAX_LINKS`. */
  links: string[]
  /** Links that were too many. */
  linksLeftOut: number
  /** Robots directives of the page. */
  robots: string[]
  isLogin: boolean
  isError: boolean
}

export type ReadResult =
  | ReadPage
  | { kind: 'sitemap'; pages: string[]; sitemaps: string[] }
  /** A sentence for the operator. */
  | { kind: 'unreadable'; reason: string }

/** Reads a fetched page, document or sitemap. Throws for what can't be parsed. */
export async function readFetched({ kind, path, address, contentType }: ReadingRequest): Promise<ReadResult> {
  const bytes = await readFile(path)
  if (kind === 'sitemap') return readSitemap(bytes, address)
  const ending = endingOf(contentType, address)
  if (ending === null) return { kind: 'unreadable', reason: 'It is of no type that can be read.' }
  if (ending !== '.html') {
    const document = await formatOf(`page${ending}`)?.read(bytes)
    return document
      ? pageOf(document, { links: [], leftOut: 0, robots: [], hasPassword: false })
      : { kind: 'unreadable', reason: 'It is of no type that can be read.' }
  }
  const page = parsePage(decoded(bytes, contentType))
  return pageOf(documentOf(page, address), factsOf(page, address))
}

interface PageFacts {
  links: string[]
  leftOut: number
  robots: string[]
  hasPassword: boolean
}

function pageOf(document: ExtractedDocument, { links, leftOut, robots, hasPassword }: PageFacts): ReadResult {
  const { title, hasStandaloneSections } = document
  const sections = document.sections.map((section) => ({
    ...section,
    heading: withoutPlaceholders(section.heading),
    // Comments of a site's page are no keywords of ours.
    keywords: '',
    blocks: section.blocks.map((block) => ({ ...block, text: withoutPlaceholders(block.text) })),
  }))
  const json = JSON.stringify({ title, sections, ...(hasStandaloneSections && { hasStandaloneSections }) })
  if (json.length > MAX_DOCUMENT_CHARACTERS) return { kind: 'unreadable', reason: 'It is too long.' }
  const characters = sections.reduce((sum, { blocks }) => sum + blocks.reduce((length, { text }) => length + text.length, 0), 0)
  const headings = [title, ...sections.filter(({ level }) => level === 1).map(({ heading }) => heading)]
  return {
    kind: 'page',
    document: json,
    hash: createHash('sha256').update(json).digest('hex'),
    characters,
    asOf: document.asOf,
    canonical: document.address === null ? null : pageAddress(document.address),
    links,
    linksLeftOut: leftOut,
    robots,
    isLogin: hasPassword && characters < MAX_LOGIN_CHARACTERS,
    isError: characters < MAX_ERROR_CHARACTERS && headings.some((heading) => ERROR_TITLE.test(heading ?? '')),
  }
}

/** A site must not be filled in with the operator's own facts. */
function withoutPlaceholders(text: string): string {
  return text.replaceAll('{{', '{ {')
}

function factsOf({ root, facts }: ParsedPage, address: string): PageFacts {
  const base = facts.find(({ name, attributes }) => name === 'base' && attributes['href'])?.attributes['href']
  const from = (base && URL.parse(base, address)?.href) || address
  const robots = facts
    .filter(({ name, attributes }) => name === 'meta' && ROBOTS_META.test(attributes['name'] ?? ''))
    .flatMap(({ attributes }) => (attributes['content'] ?? '').toLowerCase().split(/[\s,]+/))
  const links = new Set<string>()
  let leftOut = 0
  let hasPassword = false
  visit(root, ({ name, attributes }) => {
    if (name === 'input' && attributes['type']?.toLowerCase() === 'password') hasPassword = true
    if (name !== 'a' || attributes['href'] === undefined || /\bnofollow\b/i.test(attributes['rel'] ?? '')) return
    const link = links.size < MAX_LINKS ? pageAddress(attributes['href'], from) : null
    if (link !== null) links.add(link)
    else if (links.size >= MAX_LINKS) leftOut += 1
  })
  return { links: [...links], leftOut, robots, hasPassword }
}

function visit(element: Element, see: (element: Element) => void): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    see(child)
    visit(child, see)
  }
}

const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'text/csv': '.csv',
  'text/plain': '.txt',
  'text/markdown': '.md',
}

/** By the stated type; by the end of the name where servers state none that says anything. */
function endingOf(contentType: string, address: string): string | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (Object.hasOwn(ENDINGS, type)) return ENDINGS[type] ?? null
  if (type !== '' && type !== 'application/octet-stream' && type !== 'binary/octet-stream') return null
  const [ending = '.html'] = /\.(?:pdf|docx|csv|txt|md|html?)$/i.exec(new URL(address).pathname) ?? []
  return ending.toLowerCase().replace(/^\.htm$/, '.html')
}

/** The header's encoding, then the page's, UTF-8, and what old pages are in: https://html.spec.whatwg.org/#determining-the-character-encoding */
function decoded(bytes: Buffer, contentType: string): string {
  const stated = /charset\s*=\s*["']?([\w-]{1,40})/i.exec(contentType)?.[1]
  try {
    if (stated !== undefined) return new TextDecoder(stated, { fatal: /^utf-?8$/i.test(stated) }).decode(bytes)
  } catch {
    // Unknown, or not true.
  }
  try {
    return htmlTextOf(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function readSitemap(bytes: Buffer, address: string): ReadResult {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  const text = (isCompressed ? gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES }) : bytes).toString('utf8')
  const pages: string[] = []
  const sitemaps: string[] = []
  let isRoot = false
  let parent = ''
  let location: string | null = null
  const parser = new Parser(
    {
      onopentag(name) {
        const local = name.replace(/^.*:/, '')
        if (local === 'urlset' || local === 'sitemapindex') isRoot = true
        if (local === 'url' || local === 'sitemap') parent = local
        if (local === 'loc' && parent !== '') location = ''
      },
      ontext(part) {
        if (location !== null && location.length < 4_000) location += part
      },
      onclosetag(name) {
        const local = name.replace(/^.*:/, '')
        if (local === 'url' || local === 'sitemap') parent = ''
        if (local !== 'loc' || location === null) return
        const found = pageAddress(location, address)
        location = null
        if (found !== null && pages.length + sitemaps.length < MAX_SITEMAP_ADDRESSES) (parent === 'sitemap' ? sitemaps : pages).push(found)
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  if (!isRoot) return { kind: 'unreadable', reason: 'It is no sitemap.' }
  return { kind: 'sitemap', pages, sitemaps }
}

/** The date of a `Last-Modified` header. */
export function dateOfHeader(value: string | null): string | null {
  return value === null ? null : isoDateOf(value)
}
