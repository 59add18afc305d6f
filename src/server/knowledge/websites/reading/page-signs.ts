import { Parser } from 'htmlparser2'
import { isXhtml } from '../../ingestion/extract/html-tree.ts'
import { isDocument, pageAddress, type SourceScope } from '../page-address.ts'

const MAX_LINKS = 2_000
/** Text beside the fields of a page to sign in. */
const MAX_LOGIN_CHARACTERS = 300
/** Text of a page that only scripts fill. */
const MAX_EMPTY_CHARACTERS = 30
/** A page that shows another one after this time at most has no text of its own. */
const MAX_REFRESH_S = 10
const REFRESH = /^\s*(\d+)(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?\s*([^"'\s]+)/i
const ROBOTS_META = /^(?:robots|parleybot)$/i
/** Parts around the content, also as roles. */
const FRAME = new Set(['nav', 'aside', 'dialog', 'search', 'banner', 'navigation', 'contentinfo', 'complementary'])
const UNSEEN = new Set(['title', 'style', 'template', 'noscript', 'svg', 'iframe', 'select', 'textarea'])
const HEADING = /^h[1-6]$/

export interface PageSigns {
  /** Addresses of linked pages and documents of the source, at most `MAX_LINKS`. */
  links: string[]
  linksLeftOut: number
  /** Where it leads a visitor at once. */
  refresh: string | null
  robots: string[]
  /** Whether a form with a password field is all that its content has. */
  isLogin: boolean
  /** Whether it states an error status for crawlers. */
  isError: boolean
  /** Whether it has scripts and hardly any text. */
  isEmptyShell: boolean
}

/** Those of a page without links and wishes. */
export const NO_SIGNS: PageSigns = {
  links: [],
  linksLeftOut: 0,
  refresh: null,
  robots: [],
  isLogin: false,
  isError: false,
  isEmptyShell: false,
}

interface Open {
  name: string
  isFrame: boolean
  isMain: boolean
  isUnseen: boolean
  /** Characters of its text, without what is in a form with a password field. */
  characters: number
  /** Those that are neither in headings nor in links. */
  plain: number
  /** `form`: has a password field. `around`: the element around such a form. */
  login: 'form' | 'around' | null
}

/**
 * Reads links, wishes and the kind of a page. Links to documents count, and with `crawl` those to pages. Takes time linear in its length, if
 * its elements aren't nested without end.
 */
export function signsOf(html: string, address: string, { scope, crawl }: { scope: SourceScope; crawl: boolean }): PageSigns {
  const signs: PageSigns = { ...NO_SIGNS, robots: [] }
  const links = new Set<string>()
  const root: Open = { name: '', isFrame: false, isMain: false, isUnseen: false, characters: 0, plain: 0, login: null }
  const open: Open[] = [root]
  const main = { isThere: false, characters: 0, plain: 0 }
  const login: { isIn: 'main' | 'page' | null; besides: number } = { isIn: null, besides: 0 }
  let base = address
  let hasScript = false
  let hasHeading = false
  const last = () => open.at(-1) as Open

  const openTag = (name: string, attributes: Readonly<Record<string, string>>) => {
    const within = last()
    const role = attributes['role'] ?? name
    const isFooter = (role === 'header' || role === 'footer') && !within.isMain
    const isMain = within.isMain || role === 'main' || name === 'article'
    if (role === 'main') main.isThere = true
    open.push({
      name,
      isFrame: within.isFrame || isFooter || FRAME.has(role),
      isMain,
      isUnseen: within.isUnseen || UNSEEN.has(name) || name === 'script',
      characters: 0,
      plain: 0,
      login: null,
    })
    if (name === 'base' && attributes['href']) base = URL.parse(attributes['href'], address)?.href ?? address
    else if (name === 'meta') readMeta(attributes, within.isUnseen)
    else if (name === 'a') readLink(attributes)
    else if (name === 'script') hasScript ||= attributes['type'] !== 'application/ld+json'
    else if (name === 'input' && attributes['type']?.toLowerCase() === 'password' && !within.isFrame && !within.isUnseen) {
      ;(open.findLast((one) => one.name === 'form') ?? within).login = 'form'
      login.isIn = within.isMain ? 'main' : 'page'
    }
  }

  const readMeta = (attributes: Readonly<Record<string, string>>, isUnseen: boolean) => {
    const { name = '', content = '', 'http-equiv': header = '' } = attributes
    if (header.toLowerCase() === 'refresh' && !isUnseen) readRefresh(content)
    if (ROBOTS_META.test(name)) signs.robots.push(...content.toLowerCase().split(/[\s,]+/))
    if (name.toLowerCase() === 'prerender-status-code') signs.isError = /^\s*[45]\d\d\s*$/.test(content)
  }

  const readRefresh = (content: string) => {
    const [, seconds, href = ''] = REFRESH.exec(content) ?? []
    const to = pageAddress(href, base)
    if (Number(seconds) <= MAX_REFRESH_S && href !== '' && to !== address) signs.refresh = to
  }

  const readLink = ({ href, rel = '' }: Readonly<Record<string, string>>) => {
    if (href === undefined || /\bnofollow\b/i.test(rel)) return
    const link = pageAddress(href, base)
    if (link === null || links.has(link) || !(isDocument(link) ? scope.mayLinkTo(link) : crawl && scope.has(link))) return
    if (links.size >= MAX_LINKS) signs.linksLeftOut += 1
    else links.add(link)
  }

  const closeTag = (name: string) => {
    // A page may end within the tag that opens an element.
    if (last().name !== name) return
    const { isFrame, isUnseen, isMain, characters, plain, login: part } = open.pop() as Open
    const parent = last()
    if (isFrame || isUnseen) return
    if (HEADING.test(name) && characters > 0) hasHeading = true
    // A box to sign in stands above what the page is about.
    if (name === 'h1' && characters > 0) for (const one of open) one.login = null
    if (part !== null) login.besides += plain
    const isAround = part === 'form' && parent !== root && !['html', 'body'].includes(parent.name)
    if (isAround) parent.login = 'around'
    else if (part === null) {
      parent.characters += characters
      parent.plain += HEADING.test(name) ? 0 : plain
    }
    if (isMain && !parent.isMain && part === null) {
      main.characters += characters
      main.plain += plain
    }
  }

  const readText = (text: string) => {
    const within = last()
    within.characters += text.trim().length
    within.plain += text.trim().length
  }

  new Parser({ onopentag: openTag, ontext: readText, onclosetag: closeTag }, { recognizeSelfClosing: isXhtml(html) }).end(html)
  signs.links = [...links]
  const content = main.isThere ? main : root
  const isOnlyLogin = content.plain === 0 && login.besides < MAX_LOGIN_CHARACTERS
  signs.isLogin = isOnlyLogin && (login.isIn === 'main' || (login.isIn === 'page' && !main.isThere))
  signs.isEmptyShell = hasScript && !hasHeading && content.characters < MAX_EMPTY_CHARACTERS && login.isIn === null
  return signs
}
