import { type Element, hasDescendant, rawTextOf } from './html-tree.ts'

/** Names of parts around the content, when they are short or consist of links. */
const FRAME_NAME =
  /^(?:nav(?:bar|igation|header|footer|panel|links?|menu)?|nav[-_].*|.*[-_]nav(?:bar|igation)?|bread-?crumbs?|related|pag(?:er|ination)|prev-?next|(?:prev|next)|skip(?:nav|-.*)?|(?:site|page|global)-?(?:header|footer)|header|footer|top-?lang|bottom-?lang|cookie.*|share|social.*|search-?(?:box|form)?|edit-?(?:link|this-?page)|up|top)$/i
/** Names that content has too; only a list of links under such a name is left out. */
const LIST_NAME = /^(?:.*side-?bar.*|.*menu.*|toc.*|.*[-_]toc|table-?of-?contents?|contents|quick-?view|index-?list|languages?)$/i
const FRAME_ROLES = new Set(['navigation', 'search', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar'])
const FRAME_ELEMENTS = new Set(['nav', 'menu'])
const BLOCKS = new Set(['div', 'p', 'ul', 'ol', 'table', 'tr', 'section', 'aside', 'header', 'footer', 'form', 'dl', 'details', 'center'])
const RELATIONS = /^(?:prev|previous|next|up|index|contents|start|home|top)$/i
/** Marks that link a heading to itself. */
const ANCHOR_MARK = /^[\s\u00b6#\u00a7\u2693\u{1f517}\u2191\u2197]*$/u
const MAX_FRAME_CHARACTERS = 300
const MANY_LINKS = 0.4
const ONLY_LINKS = 0.9
const MIN_LIST_LINKS = 3
/** Share of the text outside links that must remain. Otherwise only certain non-content is removed. */
const MIN_KEPT = 0.75
const MAIN_SHARE = 0.5
const ARTICLE_SHARE = 0.8

/** Decides which elements are not content. */
export type IsLeftOut = (element: Element) => boolean

export interface MainContent {
  element: Element
  isLeftOut: IsLeftOut
}

/**
 * The content of a page, without navigation. Removal by name and choosing the main element are skipped where they would lose more than
 * a small share of the text outside links.
 */
export function mainContentOf(root: Element): MainContent {
  const whole = proseOf(root, isCertainlyNone)
  const isFrame: IsLeftOut = (element) => isCertainlyNone(element) || isFrameByName(element) || isTableOfContents(element)
  const isLeftOut = proseOf(root, isFrame) >= whole * MIN_KEPT ? isFrame : isCertainlyNone
  const kept = proseOf(root, isLeftOut)
  const main = mainElements(root).find(({ element, share }) => proseOf(element, isLeftOut) >= kept * share)
  return { element: main?.element ?? root, isLeftOut }
}

function mainElements(root: Element): { element: Element; share: number }[] {
  const found: { element: Element; share: number }[] = []
  collect(root, (element) => {
    if (element.name === 'main' || element.attributes['role'] === 'main') found.push({ element, share: MAIN_SHARE })
    else if (element.name === 'article' || /^(?:content|main|main-content|page-content)$/i.test(element.attributes['id'] ?? ''))
      found.push({ element, share: ARTICLE_SHARE })
  })
  return found.toSorted((one, other) => one.share - other.share)
}

function collect(element: Element, visit: (element: Element) => void): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    visit(child)
    collect(child, visit)
  }
}

/** Characters outside links in what is kept. */
function proseOf(element: Element, isLeftOut: IsLeftOut): number {
  let characters = 0
  for (const child of element.children) {
    if (typeof child === 'string') characters += child.replace(/\s+/g, ' ').trim().length
    else if (child.name !== 'a' && !isLeftOut(child)) characters += proseOf(child, isLeftOut)
  }
  return characters
}

function isCertainlyNone(element: Element): boolean {
  const { name, attributes } = element
  if (name === 'button' || name === 'input' || FRAME_ELEMENTS.has(name) || FRAME_ROLES.has(attributes['role'] ?? '')) return true
  if (attributes['hidden'] !== undefined && attributes['hidden'] !== 'until-found') return true
  // The site's wish that search engines don't quote it, https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
  if (attributes['data-nosnippet'] !== undefined) return true
  if (name === 'a') return attributes['href'] !== undefined && element.characters <= 2 && ANCHOR_MARK.test(rawTextOf(element))
  return BLOCKS.has(name) && element.characters <= MAX_FRAME_CHARACTERS && element.links > 0 && isSteps(element)
}

/** "Previous", "Up", "Next" as elements that consist of links with a relation. */
function isSteps(element: Element): boolean {
  const isStep = ({ name, attributes }: Element) =>
    name === 'a' && (RELATIONS.test(attributes['rel'] ?? '') || /^[pnuhPNUH]$/.test(attributes['accesskey'] ?? ''))
  return element.linkCharacters >= element.characters * MANY_LINKS && hasDescendant(element, isStep)
}

function isFrameByName(element: Element): boolean {
  const { name, attributes, characters, linkCharacters } = element
  if (!BLOCKS.has(name) && name !== 'span' && name !== 'a') return false
  const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`.split(/\s+/)
  const hasManyLinks = linkCharacters >= characters * MANY_LINKS
  if (names.some((one) => FRAME_NAME.test(one))) return hasManyLinks || (BLOCKS.has(name) && characters <= MAX_FRAME_CHARACTERS)
  if (name === 'footer') return hasManyLinks
  return BLOCKS.has(name) && hasManyLinks && names.some((one) => LIST_NAME.test(one))
}

/** A list of links to places in the same page. */
function isTableOfContents(element: Element): boolean {
  if (element.name !== 'ul' && element.name !== 'ol' && element.name !== 'dl' && element.name !== 'div') return false
  if (element.links < MIN_LIST_LINKS || element.linkCharacters < element.characters * ONLY_LINKS) return false
  return !hasDescendant(element, ({ name, attributes }) => name === 'a' && !(attributes['href'] ?? '#').startsWith('#'))
}
