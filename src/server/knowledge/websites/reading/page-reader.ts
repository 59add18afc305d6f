import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { charactersIn, type ExtractedDocument } from '../../ingestion/document.ts'
import { formatOf, webTextOf } from '../../ingestion/extract/extract.ts'
import { DOCUMENT_TYPES } from '../../../../contract/chat/files.ts'
import { documentOf } from '../../ingestion/extract/html.ts'
import { parsePage, XML_PROLOG } from '../../ingestion/extract/html-tree.ts'
import { pageAddress, SourceScope } from '../page-address.ts'
import type { SourceDefinition } from '../source-definition.ts'
import { type BrowserAccess, DrawingFailed, drawPage } from './draw-page.ts'
import { NO_SIGNS, type PageSigns, signsOf } from './page-signs.ts'
import { isAllowed, readRobots } from './robots.ts'
import { readSitemap, type Sitemap } from './sitemap.ts'

const MAX_DOCUMENT_CHARACTERS = 4_000_000
/** A page whose scripts fill it has less text before. */
const MAX_SHELL_CHARACTERS = 200
const NO_TYPE = 'It is of no type that can be read.'

/** A fetched body in a file, and what is known about it. */
export type ReadingRequest =
  | {
      kind: 'page'
      path: string
      address: string
      contentType: string
      scope: ScopeDefinition
      /** Whether links to pages count, not only those to documents. */
      crawl: boolean
      /** Draws pages that scripts fill; `null` for none. */
      browser: BrowserAccess | null
    }
  | { kind: 'sitemap'; path: string; address: string; scope: ScopeDefinition }
  /** Asks robots.txt about a page, or only for what it says of the site. */
  | { kind: 'robots'; path: string; page: string | null }

type ScopeDefinition = Pick<SourceDefinition, 'website' | 'include' | 'exclude'>

export interface ReadPage extends PageSigns {
  kind: 'page'
  /** `ExtractedDocument` as JSON, without address and date. */
  document: string
  hash: string
  characters: number
  /** ISO date that the page states. */
  asOf: string | null
  canonical: string | null
  /** Whether its text was made by scripts, so that neither its date nor its ETag says when it changed. */
  isDrawn: boolean
}

export type ReadResult =
  | ReadPage
  | Sitemap
  | { kind: 'robots'; isAllowed: boolean; delayS: number; sitemaps: readonly string[] }
  /** A sentence for the operator. */
  | { kind: 'unreadable'; reason: string }

/** Reads a fetched page, document, sitemap or robots.txt. Throws for what can't be parsed. */
export async function readFetched(request: ReadingRequest): Promise<ReadResult> {
  if (request.kind === 'robots') return askRobots(request.path, request.page)
  const bytes = await readFile(request.path)
  const { address } = request
  const scope = new SourceScope(request.scope)
  if (request.kind === 'sitemap') {
    const sitemap = readSitemap(bytes, address, scope)
    return typeof sitemap === 'string' ? { kind: 'unreadable', reason: sitemap } : sitemap
  }
  const { contentType, crawl, browser } = request
  const ending = endingOf(contentType, address)
  if (ending === null) return { kind: 'unreadable', reason: NO_TYPE }
  if (ending !== '.html') {
    const isEncoded = /^\.(?:csv|md|txt)$/.test(ending) && !isUtf8(bytes)
    const document = await formatOf(`page${ending}`)?.read(isEncoded ? Buffer.from(webTextOf(bytes, contentType)) : bytes)
    return document ? pageOf(document, NO_SIGNS) : { kind: 'unreadable', reason: NO_TYPE }
  }
  const readPage = (html: string) => pageOf(documentOf(parsePage(html), address), signsOf(html, address, { scope, crawl }))
  const html = `${/^\s*application\/xhtml\+xml\b/i.test(contentType) ? XML_PROLOG : ''}${webTextOf(bytes, contentType)}`
  const page = readPage(html)
  if (page.kind !== 'page' || !page.isEmptyShell || browser === null) return page
  try {
    const drawn = readPage(await drawPage({ html, address }, browser))
    return drawn.kind === 'page' ? { ...drawn, isEmptyShell: false, isDrawn: true } : drawn
  } catch (error) {
    if (!(error instanceof DrawingFailed)) throw error
    return { kind: 'unreadable', reason: error.message }
  }
}

async function askRobots(path: string, page: string | null): Promise<ReadResult> {
  const robots = readRobots(await readFile(path, 'utf8'))
  const { delayS, sitemaps } = robots
  return { kind: 'robots', isAllowed: page === null || isAllowed(robots, page), delayS, sitemaps: sitemaps.slice(0, 100) }
}

function pageOf(document: ExtractedDocument, signs: PageSigns): ReadPage | Extract<ReadResult, { kind: 'unreadable' }> {
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
  const characters = charactersIn(sections)
  return {
    kind: 'page',
    document: json,
    hash: createHash('sha256').update(json).digest('hex'),
    characters,
    asOf: document.asOf,
    canonical: document.address === null ? null : pageAddress(document.address),
    ...signs,
    isEmptyShell: signs.isEmptyShell && characters < MAX_SHELL_CHARACTERS,
    isDrawn: false,
  }
}

/** A site must not be filled in with the operator's own facts. */
function withoutPlaceholders(text: string): string {
  return text.replaceAll('{{', '{ {')
}

const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  ...DOCUMENT_TYPES,
  'text/csv': '.csv',
  'text/plain': '.txt',
  'text/markdown': '.md',
}

/** By the stated type; by the end of the name where that says nothing, or names a type that is read by its ending. */
function endingOf(contentType: string, address: string): string | null {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (Object.hasOwn(ENDINGS, type)) return ENDINGS[type] ?? null
  const ending = extname(new URL(address).pathname)
    .toLowerCase()
    .replace(/^\.htm$/, '.html')
  // A stored page has no place on the web.
  if (ending !== '' && ending !== '.page' && formatOf(`page${ending}`)) return ending
  return type === '' || type.endsWith('/octet-stream') ? '.html' : null
}
