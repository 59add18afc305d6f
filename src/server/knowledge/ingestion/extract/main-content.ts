import { type Element, hasDescendant, type ParsedPage, rawTextOf } from './html-tree.ts'
import { type Panels, visit } from './panels.ts'

/** Decides which elements are not content. */
export type IsLeftOut = (element: Element) => boolean

/** An article; a text, as systems also call pages of services, which may consist of links; or any other page. */
export type Genre = 'article' | 'text' | 'page'

interface MainContent {
  element: Element
  isLeftOut: IsLeftOut
  genre: Genre
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
/** Before a name, they tell of the page rather than of the part. */
const STATES = new Set(['has', 'is', 'no', 'with'])

const FRAME_ROLES = new Set(['navigation', 'search', 'banner', 'contentinfo', 'menu', 'menubar', 'toolbar', 'complementary'])
const BLOCKS = new Set(
  'article aside center dd details dialog div dl fieldset figure footer form h2 h3 h4 header li ol p section table td tr ul'.split(' '),
)
const INLINE = new Set('a abbr b br cite code del em font i img ins label mark q s small span strong sub sup time u'.split(' '))
const RELATIONS = /^(?:prev|previous|next|up|index|contents|start|home|top)$/i
/** Marks that link a heading to itself. */
const ANCHOR_MARK = /^(?:[\s\u00b6#\u00a7\u2693\u{1f517}\u2191\u2197\u21a9]|\ufe0e)*$/u
const MAX_STEPS_CHARACTERS = 300
const MANY_LINKS = 0.4
const ONLY_LINKS = 0.9
const MIN_LIST_LINKS = 3
/** Between two links of a list of teasers. */
const MAX_TEASER_CHARACTERS = 200
/** Shorter runs of text are labels, which say nothing about where the text is. */
const MIN_RUN_CHARACTERS = 80

/** Names of the element with the text, as Trafilatura (https://github.com/adbar/trafilatura) has found them on many sites. */
const BODY_NAME =
  /(?:^|[\s_])(?:post|entry)(?:$|\s)|(?:entry|article|art|page|text|post|story|single|blog|theme|section)[-_]*content|article[-_]*(?:body|text)|post[-_]*(?:body|text|entry)|body-text|story-?body|field-body|fulltext/i
const MAIN_NAME = /^(?:content|main)$|content-?main|main-?content|content[-_]*body|page-?content/i
/** Share of the page's runs of text that the element with these names has. */
const MIN_BODY_SHARE = 0.6
/** With less text, nothing tells where it is. */
const MIN_WHOLE_CHARACTERS = 250
const DENSE_SHARE = 0.8
const MIN_INTRODUCTION_CHARACTERS = 40
/** Elements with several parts: those beside a long list or quotation belong to the same text. */
const CONTAINERS = new Set('html body article center div form main section table tbody td tr'.split(' '))
/** A part with more of the page's text than this is none around it. */
const MAX_FRAME_SHARE = 0.4
const MAX_COMMENT_SHARE = 0.5
const MIN_KEPT_SHARE = 0.2
/** From this much text, and this share of what is in `main`, a page is held to its text. */
const MIN_TEXT_CHARACTERS = 1_000
const MIN_TEXT_SHARE = 0.7
const FAR_LONGER = 3
const ARTICLE_DATA = /"@type"\s*:\s*(?:\[[^\]]*)?"(?:\w*Article|BlogPosting|Report)"/
const FORUM_DATA = /"@type"\s*:\s*"(?:DiscussionForumPosting|QAPage)"/
const ARTICLE_FACT = /^article:(?!modified|publisher)/

/** The content of a page. In `main`, a part is left out by its name only if it also consists of links or buttons. */
export function mainContentOf(page: ParsedPage, panels: Panels): MainContent {
  const genre = genreOf(page)
  const { runs, left } = visibleText(page.root, panels, genre)
  const element = withLead(page.root, bodyOf(page.root, genre, runs) ?? denseOf(page.root, runs), { runs, left })
  return { element, isLeftOut: (one) => left.has(one), genre }
}

/** The runs of text of a page, and the elements left out. A page that would be empty consists of comments or teasers, or is shown by a script. */
function visibleText(root: Element, panels: Panels, genre: Genre): { runs: Map<Element, number>; left: Set<Element> } {
  const frame = new Frame(root, panels, genre)
  const runs = runsOf(root, frame.left)
  const kept = runs.get(root) ?? 0
  const isForum = genre !== 'article' && kept < frame.total * MIN_KEPT_SHARE && frame.commentCharacters > frame.total * MAX_COMMENT_SHARE
  if (kept >= MIN_WHOLE_CHARACTERS && !isForum) return { runs, left: frame.left }
  const unhidden = { ...panels, hidden: new Set<Element>() }
  for (const { shown, kinds } of [
    { shown: panels, kinds: ['comments'] },
    { shown: panels, kinds: ['comments', 'related'] },
    { shown: unhidden, kinds: ['comments'] },
  ]) {
    const { left } = new Frame(root, shown, genre, kinds)
    const others = runsOf(root, left)
    const characters = others.get(root) ?? 0
    const before = shown === panels ? kept : charactersOf(root, frame.left)
    if (isForum || (characters >= MIN_WHOLE_CHARACTERS && before < characters * MIN_KEPT_SHARE)) return { runs: others, left }
  }
  return { runs, left: frame.left }
}

function charactersOf(element: Element, left: ReadonlySet<Element>): number {
  return element.children.reduce((sum, child) => {
    if (typeof child === 'string') return sum + child.replace(/\s+/g, ' ').trim().length
    return left.has(child) ? sum : sum + charactersOf(child, left)
  }, 0)
}

function genreOf({ facts, data }: ParsedPage): Genre {
  const metas = facts.filter(({ name }) => name === 'meta').map(({ attributes }) => attributes)
  const stated = metas.find(({ property }) => property === 'og:type')?.['content']
  const isDated = stated !== 'website' && metas.some(({ property, name }) => ARTICLE_FACT.test(property ?? name ?? ''))
  if (!data.some((json) => FORUM_DATA.test(json)) && (isDated || data.some((json) => ARTICLE_DATA.test(json)))) return 'article'
  return stated === 'article' ? 'text' : 'page'
}

/** The innermost element that is named for the content and has enough of it; the widest kinds of names come last. */
function bodyOf(root: Element, genre: Genre, runs: ReadonlyMap<Element, number>): Element | undefined {
  const found: Element[][] = [[], [], [], []]
  visit(root, (element) => {
    const { name, attributes } = element
    if (!/^(?:article|div|main|section|td)$/.test(name)) return
    const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`
    if (attributes['itemprop'] === 'articleBody' || BODY_NAME.test(names)) found[0]?.push(element)
    if (name === 'article' || attributes['role'] === 'article') found[1]?.push(element)
    if (names.split(/\s+/).some((one) => MAIN_NAME.test(one))) found[2]?.push(element)
    if (name === 'main' || attributes['role'] === 'main') found[3]?.push(element)
  })
  const whole = runs.get(root) ?? 0
  if (whole < MIN_WHOLE_CHARACTERS) return found[3]?.at(-1)
  const enough = whole * MIN_BODY_SHARE
  const [body, article, content, main] = found.map((elements) => elements.findLast((element) => (runs.get(element) ?? -1) >= enough))
  const inner = body ?? article ?? content
  if (genre !== 'page') return inner ?? main ?? longestOf(found, runs)
  // Questions and answers are texts of the same name.
  const isTwin = (element: Element) =>
    element.attributes['class'] === body?.attributes['class'] && runs.has(element) && element.characters > 0
  const twins = new Set(body ? found[0]?.filter(isTwin) : [])
  if (twins.size > 1) return commonOf(root, twins)
  if (!main || !inner) return inner ?? main
  const length = runs.get(inner) ?? 0
  return length >= MIN_TEXT_CHARACTERS && length >= (runs.get(main) ?? 0) * MIN_TEXT_SHARE ? inner : main
}

/** The element with the names or the role of the content that has a far longer text than the others, however much teasers have beside it. */
function longestOf([body = [], article = [], , main = []]: readonly Element[][], runs: ReadonlyMap<Element, number>): Element | undefined {
  const lengthOf = (element: Element | undefined) => (element && runs.get(element)) ?? 0
  for (const elements of [main, article, body]) {
    const [first, second] = elements.toSorted((one, other) => lengthOf(other) - lengthOf(one))
    if (lengthOf(first) >= MIN_TEXT_CHARACTERS && lengthOf(first) > FAR_LONGER * lengthOf(second)) return first
  }
  return undefined
}

/** The article or `main` around a text if the text's lead stands in it, and leaves out what else is in it; the text itself without a lead. */
function withLead(root: Element, text: Element, { runs, left }: { runs: ReadonlyMap<Element, number>; left: Set<Element> }): Element {
  const path = pathTo(root, text)
  const from = path.findIndex(({ name }) => name === 'article' || name === 'main')
  const around = from < 0 ? [] : path.slice(from, -1)
  const parts = around.flatMap(({ children }, index) => {
    const inner = children.indexOf(path[from + index + 1] ?? text)
    return children.flatMap((part, at) => (typeof part === 'string' || at === inner ? [] : { part, isBefore: at < inner }))
  })
  const isLead = (part: Element) =>
    !left.has(part) && (runs.get(part) ?? 0) > 0 && (isIntroduction(part) || hasDescendant(part, isIntroduction))
  const leads = new Set(parts.flatMap(({ part, isBefore }) => (isBefore && isLead(part) ? part : [])))
  if (leads.size === 0) return text
  for (const { part } of parts) if (!leads.has(part)) left.add(part)
  return around[0] ?? text
}

/** The innermost element that has all others. */
function commonOf(root: Element, elements: ReadonlySet<Element>): Element {
  let common: Element | undefined
  const countIn = (element: Element): number => {
    let count = elements.has(element) ? 1 : 0
    for (const child of element.children) if (typeof child !== 'string') count += countIn(child)
    if (count === elements.size) common ??= element
    return count
  }
  countIn(root)
  return common ?? root
}

function pathTo(element: Element, goal: Element): Element[] {
  if (element === goal) return [element]
  for (const child of element.children) {
    if (typeof child === 'string') continue
    const path = pathTo(child, goal)
    if (path.length > 0) return [element, ...path]
  }
  return []
}

function denseOf(root: Element, runs: ReadonlyMap<Element, number>): Element {
  let element = root
  if ((runs.get(root) ?? 0) < MIN_WHOLE_CHARACTERS) return root
  for (;;) {
    const goal = (runs.get(element) ?? 0) * DENSE_SHARE
    const next = element.children.find((child) => typeof child !== 'string' && goal > 0 && (runs.get(child) ?? 0) >= goal)
    if (next === undefined || typeof next === 'string' || !CONTAINERS.has(next.name) || hasIntroduction(element, next, runs)) return element
    element = next
  }
}

/** Whether a paragraph that isn't made of links, or a headed section with one, stands before a part in the same element. */
function hasIntroduction({ children }: Element, part: Element, kept: ReadonlyMap<Element, number>): boolean {
  return children
    .slice(0, children.indexOf(part))
    .some(
      (one) =>
        typeof one !== 'string' &&
        kept.has(one) &&
        (isIntroduction(one) || (hasDescendant(one, ({ name }) => /^h[1-3]$/.test(name)) && hasDescendant(one, isIntroduction))),
    )
}

function isIntroduction({ name, characters, linkCharacters }: Element): boolean {
  return name === 'p' && characters - linkCharacters >= MIN_INTRODUCTION_CHARACTERS
}

/** Characters outside links in the runs of text of each element that is kept. */
function runsOf(root: Element, left: ReadonlySet<Element>): Map<Element, number> {
  const runs = new Map<Element, number>()
  const measure = (element: Element): number => {
    let run = 0
    let characters = 0
    for (const child of element.children) {
      if (typeof child === 'string') run += child.replace(/\s+/g, ' ').trim().length
      else if (left.has(child)) continue
      else if (INLINE.has(child.name)) run += child.characters - child.linkCharacters
      else characters += measure(child)
    }
    if (run >= MIN_RUN_CHARACTERS) characters += run
    runs.set(element, characters)
    return characters
  }
  measure(root)
  return runs
}

/** Where an element is: in `main` or an article, and in a part that something on the page opens. */
interface Place {
  isInMain: boolean
  isOpened: boolean
}

class Frame {
  readonly left = new Set<Element>()
  readonly #panels: Panels
  readonly #genre: Genre
  readonly #keptKinds: readonly string[]
  commentCharacters = 0
  /** Characters outside links. */
  readonly total: number

  constructor(root: Element, panels: Panels, genre: Genre, keptKinds: readonly string[] = []) {
    this.#panels = panels
    this.#genre = genre
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
    if (name === 'a') return attributes['href'] !== undefined && element.characters <= 2 && isAnchorMark(element)
    return BLOCKS.has(name) && element.characters <= MAX_STEPS_CHARACTERS && element.links > 0 && isSteps(element)
  }

  #isFrame(element: Element, { isInMain, isOpened }: Place): boolean {
    const { name, characters, linkCharacters, links, controls } = element
    const prose = characters - linkCharacters
    if (!BLOCKS.has(name) || (prose > this.total * MAX_FRAME_SHARE && prose > MAX_TEASER_CHARACTERS)) return false
    if (name === 'footer' || name === 'aside')
      return !isInMain || (links + controls > 0 && prose < MAX_TEASER_CHARACTERS * (links + controls))
    if (name === 'header' && !isInMain) return true
    if (isTableOfContents(element) || (isMailForm(element) && prose <= this.total * MAX_FRAME_SHARE)) return true
    const kind = isPicture(element) ? 'picture' : kindOf(element)
    if (kind === 'picture') return this.#genre === 'article' && prose < MAX_CAPTION_CHARACTERS
    if (kind === undefined) return this.#genre === 'article' && isLinkList(element)
    if (this.#keptKinds.includes(kind) || (kind === 'layer' && isOpened)) return false
    if (!this.#looksAround(element, kind, isInMain)) return false
    if (kind === 'comments') this.commentCharacters += prose
    return true
  }

  /** Whether a part with the name of one around the content is one. */
  #looksAround({ characters, linkCharacters, links, controls }: Element, kind: string, isInMain: boolean): boolean {
    if (!isInMain) return true
    if (this.#genre !== 'page') return links + controls > 0 || characters < MAX_TEASER_CHARACTERS
    if (ABOUT_TEXT.has(kind) && links + controls > 0 && characters < MAX_ABOUT_CHARACTERS) return true
    return links + controls > 1 && characters - linkCharacters < MAX_TEASER_CHARACTERS * (links + controls)
  }
}

function kindOf({ attributes }: Element): string | undefined {
  const isEntry = /(?:^|\s)hentry(?:\s|$)/.test(attributes['class'] ?? '')
  for (const name of `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`.split(/\s+/)) {
    // WordPress names an entry by its tags and authors.
    const kind = isEntry && /^(?:tag|category|author)-/.test(name) ? undefined : kindOfName(name)
    if (kind !== undefined) return kind
  }
  return undefined
}

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
    if (kind !== undefined) return kind
  }
  return undefined
}

/** A list of links, or a paragraph that is one, in the text of an article. */
function isLinkList({ name, characters, linkCharacters, links }: Element): boolean {
  if (linkCharacters < characters * 0.8) return false
  if (name === 'p') return links > 0 && characters > 25
  return /^(?:ul|ol|div|section)$/.test(name) && links > 2 && linkCharacters < links * 100
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
