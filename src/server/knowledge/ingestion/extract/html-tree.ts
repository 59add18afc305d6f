import { type Handler, Parser } from 'htmlparser2'
import { isFormula, readFormula } from './formulas.ts'
import { applyOwnStyles } from './own-styles.ts'

/** An element with the amount of text below it, and how much of that is in links. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
  characters: number
  linkCharacters: number
  links: number
  /** Buttons and fields. */
  controls: number
}

/** Elements nested deeper become children of the last one within. */
const MAX_DEPTH = 200
/** The parser's time for an element grows with the elements that are open around it. */
const MAX_OPEN_ELEMENTS = 10_000
const INVISIBLE = new Set(['style', 'iframe', 'object', 'textarea', 'canvas', 'audio', 'video'])
/** Text for readers without scripts, as forums have it: shorter texts ask for a browser. */
const MIN_SCRIPTLESS_CHARACTERS = 500
/** Invisible characters, in which words are not found. Joiners stay: scripts and emoji need them. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g

const DENSE_SCRIPTS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

export interface ParsedPage {
  root: Element
  title: string
  /** Elements of the head that state facts: `meta`, `link` and `base`. */
  facts: Element[]
  /** Content of JSON-LD scripts. */
  data: string[]
}

/** Begins XHTML, in which a tag may close its own element: `<title/>`. */
export const XML_PROLOG = '<?xml?>'

export const isXhtml = (html: string): boolean => /^\s*<\?xml\b/.test(html)

/** Parses a page in linear time, without scripts and styles. Throws if more than `MAX_OPEN_ELEMENTS` are nested. */
export function parsePage(html: string): ParsedPage {
  const page: ParsedPage = { root: elementOf('body', {}), title: '', facts: [], data: [] }
  const open: Element[] = [page.root]
  let depth = 0
  let openElements = 0
  let hidden = 0
  let script: 'data' | 'other' | null = null
  let isTitle = false
  let styles = ''
  let isStyle = false
  let drawings = 0
  let formulas = 0
  const scriptless: { element: Element; around: Element[] }[] = []
  const handler: Partial<Handler> = {
    onopentag(name, attributes) {
      openElements += 1
      if (openElements > MAX_OPEN_ELEMENTS) throw new Error('It is nested too deeply.')
      if (name === 'meta' || name === 'link' || name === 'base') return void page.facts.push(elementOf(name, attributes))
      if (name === 'script') script = attributes['type']?.startsWith('application/ld+json') ? 'data' : 'other'
      if (drawings > 0 && !/^(?:svg|title|use)$/.test(name)) return
      if (name === 'title' && hidden === 0 && drawings === 0 && page.title === '') isTitle = true
      isStyle = name === 'style' && !/\bprint\b/.test(attributes['media'] ?? '')
      if (INVISIBLE.has(name)) hidden += 1
      if (hidden > 0 || script !== null || isTitle || name === 'html' || name === 'body') return
      depth += 1
      const element = elementOf(name, attributes)
      if (depth > MAX_DEPTH) return void open.at(-1)?.children.push(element)
      open.at(-1)?.children.push(element)
      open.push(element)
      if (isFormula(element)) formulas += 1
      if (name === 'svg') drawings += 1
    },
    ontext(raw) {
      const text = raw.replace(UNSEEN, '').replaceAll('\u2011', '-')
      if (script === 'data') page.data.push(text)
      else if (isTitle) page.title += text
      else if (isStyle) styles += text
      else if (hidden === 0 && script === null) open.at(-1)?.children.push(text)
    },
    onclosetag(name) {
      openElements -= 1
      if (name === 'script') return void (script = null)
      if (name === 'title' && isTitle) return void (isTitle = false)
      if (drawings > 0 && !/^(?:svg|title|use)$/.test(name)) return
      if (name === 'svg') drawings = Math.max(0, drawings - 1)
      if (name === 'style') isStyle = false
      if (INVISIBLE.has(name)) return void (hidden = Math.max(0, hidden - 1))
      if (hidden > 0 || script !== null || isTitle || name === 'html' || name === 'body' || VOID_FACTS.has(name)) return
      if (depth <= MAX_DEPTH && open.length > 1) {
        const element = open.pop() as Element
        if (isFormula(element)) {
          formulas -= 1
          if (formulas === 0) readFormula(element)
        }
        measure(element)
        if (element.name === 'noscript') {
          if (element.characters < MIN_SCRIPTLESS_CHARACTERS) empty(element)
          else scriptless.push({ element, around: [...open] })
        }
      }
      depth = Math.max(0, depth - 1)
    },
  }
  new Parser(handler, { recognizeSelfClosing: isXhtml(html) }).end(html)
  while (open.length > 0) measure(open.pop() as Element)
  // What scripts draw stands in the page already, if it was read by a browser.
  for (const { element, around } of scriptless) if (element.characters < page.root.characters / 2) empty(element, around)
  applyOwnStyles(page.root, styles)
  page.title = page.title.replace(/\s+/g, ' ').trim()
  return page
}

/** Links to addresses and files, which are content rather than ways through the site. */
export const CONTENT_LINK = /^(?:mailto|tel|sms|geo):|\.(?:pdf|docx?|odt|rtf|xlsx?|ods|csv|pptx?|odp|zip|ics|epub|txt)(?:[?#]|$)/i
const CONTROLS = new Set(['button', 'input', 'textarea', 'select'])
const VOID_FACTS = new Set(['meta', 'link', 'base'])

/** Elements that ARIA makes what others are by name. */
const ROLE_NAMES: Readonly<Record<string, string>> = {
  table: 'table',
  grid: 'table',
  treegrid: 'table',
  row: 'tr',
  cell: 'td',
  gridcell: 'td',
  columnheader: 'th',
  rowheader: 'th',
}

function elementOf(tag: string, attributes: Readonly<Record<string, string>>): Element {
  const role = /^(?:div|span|p|ul|li)$/.test(tag) || tag.includes('-') ? attributes['role'] : undefined
  const name = ROLE_NAMES[role ?? ''] ?? tag
  return { name, attributes, children: [], characters: 0, linkCharacters: 0, links: 0, controls: 0 }
}

/** Characters of a text, spaces once; those of Chinese, Japanese and Korean say as much as three letters. */
export function lengthOf(text: string): number {
  return text.replace(/\s+/g, ' ').trim().replace(DENSE_SCRIPTS, '$&$&$&').length
}

/** Call it after all children have been measured. */
function measure(element: Element): void {
  const isLink = element.name === 'a' && element.attributes['href'] !== undefined && !CONTENT_LINK.test(element.attributes['href'])
  for (const child of element.children) {
    if (typeof child === 'string') {
      element.characters += lengthOf(child)
      continue
    }
    element.characters += child.characters
    element.linkCharacters += child.linkCharacters
    element.links += child.links
    element.controls += child.controls
  }
  if (element.name === 'svg') element.characters = 0
  if (CONTROLS.has(element.name)) element.controls += 1
  if (isLink) {
    element.linkCharacters = element.characters
    element.links = 1
  }
}

/** Removes what is in an element, also from the measures of those around it. */
function empty(element: Element, around: readonly Element[] = []): void {
  for (const outer of around) {
    outer.characters -= element.characters
    outer.linkCharacters -= element.linkCharacters
    outer.links -= element.links
    outer.controls -= element.controls
  }
  Object.assign(element, elementOf(element.name, element.attributes))
}

export function rawTextOf(element: Element): string {
  return element.children.map((child) => (typeof child === 'string' ? child : child.name === 'br' ? '\n' : rawTextOf(child))).join('')
}

export function hasDescendant(element: Element, matches: (element: Element) => boolean): boolean {
  return element.children.some((child) => typeof child !== 'string' && (matches(child) || hasDescendant(child, matches)))
}
