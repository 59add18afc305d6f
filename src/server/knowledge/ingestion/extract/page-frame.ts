import { type Element, hasDescendant, rawTextOf } from './html-tree.ts'
import type { Panels } from './panels.ts'

/** An article; a text, as systems also call pages of services, which may consist of links; or any other page. */
type Genre = 'article' | 'text' | 'page'

export interface PageKind {
  genre: Genre
  /** Whether the page is read from beginning to end: an article, or another page that consists of paragraphs. */
  isProse: boolean
}

/** Words of `class` and `id` that name parts around the content, by kind. */
const NAMES: Readonly<Record<string, string>> = {
  navigation:
    'nav navi navbar navigation subnav menu menubar breadcrumb breadcrumbs crumbs pagination pager paging pagenav prevnext toc of-contents skiplink skip-link toolbar topbar langs',
  frame:
    'sidebar side-bar sphinxsidebar footer foot masthead site-header page-header rightcol leftcol rail search searchform print noprint hide-print edit-link',
  share:
    'share shares sharing sharer social sharedaddy addtoany addthis sociable shariff shareaholic follow teilen partage compartir condividi',
  related:
    'related relateds relatedposts recommended recommendation recommendations recirc similar popular trending mostread most-read readmore read-more read-next up-next more-stories more-posts also-read yarpp outbrain taboola latest teaser teasers promo',
  comments: 'comment comments commentlist respond disqus reply replies kommentare commentaires comentarios commenti reacties',
  author: 'author authors byline bio about-author autor auteur',
  meta: 'meta tags tag-list taglist categories cat-links tagcloud postmetadata post-info article-info posted-on timestamp rating',
  sign: 'newsletter subscribe subscription signup sign-up optin login signin paywall donate',
  notice: 'cookie cookies consent gdpr onetrust cmplz cli cookiebar banner',
  layer: 'popup modal overlay lightbox',
  picture: 'caption captions figcaption photo-credit image-credit picture-credit photocredit',
  advertising: 'ad ads advert adverts advertisement advertising adsbygoogle sponsor sponsored dfp werbung anzeige publicite',
}
const KIND_OF = new Map(Object.entries(NAMES).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])))
/** Kinds that tell about the text rather than lead elsewhere. */
const ABOUT_TEXT = new Set(['author', 'comments', 'meta', 'navigation'])
const MAX_ABOUT_CHARACTERS = 60
const MAX_FORM_CHARACTERS = 400
const MAX_CAPTION_CHARACTERS = 600
const CONTENT = new Set(['article', 'body', 'content', 'page', 'text'])
/** Before a name, they tell of the page, or of a heading, rather than of the part. */
const STATES = new Set('has is no with h1 h2 h3 h4 h5 h6'.split(' '))

const FRAME_ROLES = new Set(['navigation', 'search', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar', 'complementary'])
const BLOCKS = new Set(
  'article aside center dd details dialog div dl fieldset figure footer form h2 h3 h4 header li ol p section table td tr ul'.split(' '),
)
const RELATIONS = /^(?:prev|previous|next|up|index|contents|start|home|top)$/i
/** Marks that link a heading to itself. */
const ANCHOR_MARK = /^(?:[\s\u00b6#\u00a7\u2693\u{1f517}\u2191\u2197\u21a9]|\ufe0e)*$/u
const BUTTON_NAME = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i
const MAX_BUTTON_CHARACTERS = 60
const MAX_STEPS_CHARACTERS = 300
const HEADING = /^h[1-6]$/
const MANY_LINKS = 0.4
const ONLY_LINKS = 0.9
const MIN_LIST_LINKS = 3
/** Share of a teaser's text that is its link; the rest is a label. */
const TEASER_LINKS = 0.6
/** "Apply online" and the like have no more. */
const MAX_CALL_WORDS = 4
/** Between two links of a list of teasers. */
const MAX_TEASER_CHARACTERS = 200
/** A part with more of the page's text than this is none around it. */
const MAX_FRAME_SHARE = 0.4
/** Names of the element with all of the content. */
export const MAIN_NAME = /^(?:content|main)$|content-?main|main-?content|content[-_]*body|page-?content/i

/** Where an element is: in `main` or an article, and in a part that something on the page opens. */
interface Place {
  isInMain: boolean
  isOpened: boolean
}

/** The parts of a page that stand around its content. */
export class Frame {
  readonly left = new Set<Element>()
  readonly #panels: Panels
  readonly #page: PageKind
  readonly #keptKinds: readonly string[]
  commentCharacters = 0
  /** Characters outside links. */
  readonly total: number

  constructor(root: Element, panels: Panels, page: PageKind, keptKinds: readonly string[] = []) {
    this.#panels = panels
    this.#page = page
    this.#keptKinds = keptKinds
    this.total = root.characters - root.linkCharacters
    this.#markBelow(root, { isInMain: false, isOpened: false })
  }

  #markBelow(element: Element, { isInMain, isOpened }: Place): void {
    for (const child of element.children) {
      if (typeof child === 'string') continue
      const place = {
        isInMain:
          isInMain ||
          child.name === 'main' ||
          child.name === 'article' ||
          child.attributes['role'] === 'main' ||
          MAIN_NAME.test(child.attributes['id'] ?? ''),
        isOpened: isOpened || this.#panels.targets.has(child),
      }
      if (this.#isCertainlyNone(child) || this.#isFrame(child, { isInMain, isOpened: place.isOpened })) this.left.add(child)
      else this.#markBelow(child, place)
    }
  }

  #isCertainlyNone(element: Element): boolean {
    const { name, attributes } = element
    if (this.#panels.hidden.has(element) || name === 'nav' || name === 'menu') return true
    // An accordion may be a list of tabs with the panels in it.
    if (attributes['role'] === 'tablist') return !hasDescendant(element, (one) => one.attributes['role'] === 'tabpanel')
    if (FRAME_ROLES.has(attributes['role'] ?? '')) return true
    if (name === 'button') return !this.#panels.openers.has(element)
    // The site's wish that search engines don't quote it, https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
    if (attributes['data-nosnippet'] !== undefined) return true
    if (name === 'a' && element.characters <= 2) return attributes['href'] !== undefined && isAnchorMark(element)
    if (name === 'a') return this.#page.genre === 'article' && element.links > 0 && isButton(element)
    return BLOCKS.has(name) && element.characters <= MAX_STEPS_CHARACTERS && element.links > 0 && isSteps(element)
  }

  #isFrame(element: Element, { isInMain, isOpened }: Place): boolean {
    const { name, characters, linkCharacters, links, controls } = element
    const prose = characters - linkCharacters
    if (!(BLOCKS.has(name) || name.includes('-')) || (prose > this.total * MAX_FRAME_SHARE && prose > MAX_TEASER_CHARACTERS)) return false
    if (name === 'footer' || name === 'aside')
      return !isInMain || (links + controls > 0 && prose < MAX_TEASER_CHARACTERS * (links + controls))
    if (name === 'header' && !isInMain) return true
    if (isTableOfContents(element) || (isMailForm(element) && prose <= this.total * MAX_FRAME_SHARE)) return true
    const kind = isPicture(element) ? 'picture' : kindOf(element)
    if (kind === 'picture') return this.#page.genre === 'article' && prose < MAX_CAPTION_CHARACTERS
    if (this.#page.isProse && (this.#isTeaser(element) || (kind === undefined && isLinkList(element)))) return true
    if (kind === undefined) return false
    if (this.#keptKinds.includes(kind) || (kind === 'layer' && isOpened)) return false
    if (!this.#looksAround(element, kind, isInMain)) return false
    if (kind === 'comments') this.commentCharacters += prose
    return true
  }

  /** A box with a link and its label, which leads to another text; a short one calls to act, such as to apply, or is an address. */
  #isTeaser(element: Element): boolean {
    const { name, characters, linkCharacters, links } = element
    if (!/^(?:div|section|article|aside)$|-/.test(name) || links === 0 || links > 2) return false
    if (characters > MAX_TEASER_CHARACTERS || linkCharacters < characters * TEASER_LINKS || !leadsElsewhere(element)) return false
    return this.#page.genre === 'article' || rawTextOf(element).trim().split(/\s+/).length > MAX_CALL_WORDS
  }

  /** Whether a part with the name of one around the content is one. */
  #looksAround({ characters, linkCharacters, links, controls }: Element, kind: string, isInMain: boolean): boolean {
    if (!isInMain) return true
    const { genre, isProse } = this.#page
    const isShort = characters - linkCharacters < MAX_TEASER_CHARACTERS * (links + controls)
    // `paywall` marks the text behind one, too.
    if (genre !== 'page' && kind === 'sign') return isShort || characters < MAX_TEASER_CHARACTERS
    if (genre !== 'page' || (isProse && kind === 'author')) return links + controls > 0 || characters < MAX_TEASER_CHARACTERS
    if (ABOUT_TEXT.has(kind) && links + controls > 0 && characters < MAX_ABOUT_CHARACTERS) return true
    return links + controls > 1 && isShort
  }
}

function kindOf(element: Element): string | undefined {
  const { class: names = '', id = '' } = element.attributes
  const isEntry = /(?:^|\s)hentry(?:\s|$)/.test(names)
  for (const name of names.split(/\s+/)) {
    // WordPress names an entry by its tags and authors.
    const kind = isEntry && /^(?:tag|category|author)-/.test(name) ? undefined : kindOfName(name)
    if (kind !== undefined) return kind
  }
  const kind = kindOfName(id.trim())
  return kind !== undefined && isNamedByHeading(element, slugOf(id)) ? undefined : kind
}

/** Whether an id is made from the text of a heading: of the element itself, or of one just in it. */
function isNamedByHeading({ name, children }: Element, id: string): boolean {
  if (HEADING.test(name)) return true
  return children.some((child) => typeof child !== 'string' && HEADING.test(child.name) && slugOf(rawTextOf(child)) === id)
}

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function kindOfName(name: string): string | undefined {
  // A rule of Tailwind, such as `pt-[calc(var(--banner-height))]`.
  if (name.includes('[')) return undefined
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]+/)
  if (STATES.has(words[0] ?? '')) return undefined
  for (const [index, word] of words.entries()) {
    const kind = KIND_OF.get(word) ?? KIND_OF.get(`${word}-${words[index + 1]}`)
    // Such as `content-print`.
    if (kind !== undefined && !(word === 'print' && CONTENT.has(words[index - 1] ?? ''))) return kind
  }
  return undefined
}

/** A list of links to other texts, or a paragraph that is one. */
function isLinkList(element: Element): boolean {
  const { name, characters, linkCharacters, links } = element
  if (linkCharacters < characters * 0.8 || !leadsElsewhere(element)) return false
  if (name === 'p') return links > 0 && characters > 25
  return /^(?:ul|ol|div|section)$/.test(name) && links > 2 && linkCharacters < links * 100
}

function isButton({ attributes, characters }: Element): boolean {
  return BUTTON_NAME.test(attributes['class'] ?? '') && characters <= MAX_BUTTON_CHARACTERS
}

/** Whether a link in it leads to another page; others open a part of this one, such as an answer. */
function leadsElsewhere(element: Element): boolean {
  return hasDescendant(element, ({ name, attributes }) => name === 'a' && /^(?!#|javascript:)./i.test(attributes['href']?.trim() ?? ''))
}

/** A figure with its caption, but for one of text. */
function isPicture(element: Element): boolean {
  return element.name === 'figure' && !hasDescendant(element, ({ name }) => /^(?:table|pre|blockquote|ul|ol)$/.test(name))
}

/** A field for an e-mail address with a short text around it invites to a newsletter. Opening hours and telephone numbers have digits. */
function isMailForm(element: Element): boolean {
  const { controls, characters, linkCharacters } = element
  if (controls === 0 || characters - linkCharacters > MAX_FORM_CHARACTERS) return false
  const isMailField = ({ name, attributes: { type, name: key = '', placeholder = '' } }: Element) =>
    name === 'input' && (type === 'email' || /e-?mail/i.test(`${key} ${placeholder}`))
  return hasDescendant(element, isMailField) && !/\d/.test(rawTextOf(element))
}

function isAnchorMark(element: Element): boolean {
  return ANCHOR_MARK.test(rawTextOf(element)) && !hasDescendant(element, ({ name }) => name === 'img' || name === 'svg')
}

/** "Previous", "Up", "Next" as elements that consist of links with a relation. */
function isSteps(element: Element): boolean {
  const isStep = ({ name, attributes }: Element) =>
    name === 'a' && (RELATIONS.test(attributes['rel'] ?? '') || /^[pnuhPNUH]$/.test(attributes['accesskey'] ?? ''))
  return element.linkCharacters >= element.characters * MANY_LINKS && hasDescendant(element, isStep)
}

/** A list of links to places in the same page. */
function isTableOfContents(element: Element): boolean {
  if (!/^(?:ul|ol|dl|div)$/.test(element.name)) return false
  if (element.links < MIN_LIST_LINKS || element.linkCharacters < element.characters * ONLY_LINKS) return false
  return !hasDescendant(element, ({ name, attributes }) => name === 'a' && !(attributes['href'] ?? '#').startsWith('#'))
}
