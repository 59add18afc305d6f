import { type Element, hasDescendant, lengthOf, type ParsedPage } from './html-tree.ts'
import { Frame, MAIN_NAME, type PageKind } from './page-frame.ts'
import { type Panels, visit } from './panels.ts'

/** Decides which elements are not content. */
export type IsLeftOut = (element: Element) => boolean

const INLINE = new Set('a abbr b br cite code del em font i img ins label mark q s small span strong sub sup time u'.split(' '))
/** Shorter runs of text are labels, which say nothing about where the text is. */
const MIN_RUN_CHARACTERS = 80

/** Names of the element with the text, as Trafilatura (https://github.com/adbar/trafilatura) has found them on many sites. */
const BODY_NAME =
  /(?:^|[\s_])(?:post|entry)(?:$|\s)|(?:entry|article|art|page|text|post|story|single|blog|theme|section)[-_]*content|article[-_]*(?:body|text)|post[-_]*(?:body|text|entry)|body-text|story-?body|field-body|fulltext/i
/** Names of the element with the text, its heading and its lead. */
const WHOLE_NAME = /(?:^|\s)(?:article|entry|hentry|post|story)(?:\s|$)/
/** Share of the page's runs of text that the element with these names has. */
const MIN_BODY_SHARE = 0.6
/** With less text, nothing tells where it is. */
const MIN_WHOLE_CHARACTERS = 250
const DENSE_SHARE = 0.8
const MIN_INTRODUCTION_CHARACTERS = 40
/** Elements with several parts: those beside a long list or quotation belong to the same text. */
const CONTAINERS = new Set('html body article center div form main section table tbody td tr'.split(' '))
const MAX_COMMENT_SHARE = 0.5
const MIN_KEPT_SHARE = 0.2
/** From this much text, and this share of what is in `main`, a page is held to its text. */
const MIN_TEXT_CHARACTERS = 1_000
const MIN_TEXT_SHARE = 0.7
/** A page of prose has this much text, and this share of its content, in runs. */
const MIN_PROSE_CHARACTERS = 500
const MIN_PROSE_SHARE = 0.7
const FAR_LONGER = 3
const ARTICLE_DATA = /"@type"\s*:\s*(?:\[[^\]]*)?"(?:\w*Article|BlogPosting|Report)"/
const FORUM_DATA = /"@type"\s*:\s*"(?:DiscussionForumPosting|QAPage)"/
const ARTICLE_FACT = /^article:(?!modified|publisher)/

/** The content of a page. In `main`, a part is left out by its name only if it also consists of links or buttons. */
export function mainContentOf(page: ParsedPage, panels: Panels): { element: Element; isLeftOut: IsLeftOut; kind: PageKind } {
  const genre = genreOf(page)
  const stated = contentOf(page, panels, { genre, isProse: genre === 'article' })
  const isProse = stated.prose >= MIN_PROSE_CHARACTERS && stated.prose >= charactersOf(stated.element, stated.left) * MIN_PROSE_SHARE
  const { element, left, kind } = genre === 'article' || !isProse || isForum(page) ? stated : contentOf(page, panels, { genre, isProse })
  return { element, isLeftOut: (one) => left.has(one), kind }
}

/** `prose`: its characters in runs of text. */
function contentOf(
  { root }: ParsedPage,
  panels: Panels,
  kind: PageKind,
): { element: Element; left: Set<Element>; prose: number; kind: PageKind } {
  const { runs, left } = visibleText(root, panels, kind)
  const element = withLead(root, bodyOf(root, kind, runs) ?? denseOf(root, runs), { runs, left })
  return { element, left, prose: runs.get(element) ?? 0, kind }
}

/** The runs of text of a page, and the elements left out. A page that would be empty consists of comments or teasers, or is shown by a script. */
function visibleText(root: Element, panels: Panels, kind: PageKind): { runs: Map<Element, number>; left: Set<Element> } {
  const frame = new Frame(root, panels, kind)
  const runs = runsOf(root, frame.left)
  const kept = runs.get(root) ?? 0
  const hasComments =
    kind.genre !== 'article' && kept < frame.total * MIN_KEPT_SHARE && frame.commentCharacters > frame.total * MAX_COMMENT_SHARE
  if (kept >= MIN_WHOLE_CHARACTERS && !hasComments) return { runs, left: frame.left }
  const unhidden = { ...panels, hidden: new Set<Element>() }
  for (const { shown, kinds } of [
    { shown: panels, kinds: ['comments'] },
    { shown: panels, kinds: ['comments', 'related'] },
    { shown: unhidden, kinds: ['comments'] },
  ]) {
    const { left } = new Frame(root, shown, kind, kinds)
    const others = runsOf(root, left)
    const characters = others.get(root) ?? 0
    const before = shown === panels ? kept : charactersOf(root, frame.left)
    if (hasComments || (characters >= MIN_WHOLE_CHARACTERS && before < characters * MIN_KEPT_SHARE)) return { runs: others, left }
  }
  return { runs, left: frame.left }
}

function charactersOf(element: Element, left: ReadonlySet<Element>): number {
  return element.children.reduce((sum, child) => {
    if (typeof child === 'string') return sum + lengthOf(child)
    return left.has(child) ? sum : sum + charactersOf(child, left)
  }, 0)
}

const isForum = ({ data }: ParsedPage): boolean => data.some((json) => FORUM_DATA.test(json))

function genreOf(page: ParsedPage): PageKind['genre'] {
  const { facts, data } = page
  const metas = facts.filter(({ name }) => name === 'meta').map(({ attributes }) => attributes)
  const stated = metas.find(({ property }) => property === 'og:type')?.['content']
  const isDated = stated !== 'website' && metas.some(({ property, name }) => ARTICLE_FACT.test(property ?? name ?? ''))
  if (!isForum(page) && (isDated || data.some((json) => ARTICLE_DATA.test(json)))) return 'article'
  return stated === 'article' ? 'text' : 'page'
}

/** The innermost element that is named for the content and has enough of it; the widest kinds of names come last. */
function bodyOf(root: Element, { genre }: PageKind, runs: ReadonlyMap<Element, number>): Element | undefined {
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
  const runOf = (element: Element | undefined) => (element && runs.get(element)) ?? 0
  for (const elements of [main, article, body]) {
    const [first, second] = elements.toSorted((one, other) => runOf(other) - runOf(one))
    if (runOf(first) >= MIN_TEXT_CHARACTERS && runOf(first) > FAR_LONGER * runOf(second)) return first
  }
  return undefined
}

/** The article or `main` around a text if the text's lead stands in it, and leaves out what else is in it; the text itself without a lead. */
function withLead(root: Element, text: Element, { runs, left }: { runs: ReadonlyMap<Element, number>; left: Set<Element> }): Element {
  const path = pathTo(root, text)
  const from = path.findIndex(({ name, attributes }) => name === 'article' || name === 'main' || WHOLE_NAME.test(attributes['class'] ?? ''))
  const around = from < 0 ? [] : path.slice(from, -1)
  const parts = around.flatMap(({ children }, index) => {
    const inner = children.indexOf(path[from + index + 1] ?? text)
    return children.flatMap((part, at) => (typeof part === 'string' || at === inner ? [] : { part, isBefore: at < inner }))
  })
  const isText = (one: Element) =>
    isIntroduction(one) || (one.name === 'div' && one.children.every((child) => typeof child === 'string' || INLINE.has(child.name)))
  const isLead = (part: Element) => !left.has(part) && (runs.get(part) ?? 0) > 0 && (isText(part) || hasDescendant(part, isText))
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
      if (typeof child === 'string') run += lengthOf(child)
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
