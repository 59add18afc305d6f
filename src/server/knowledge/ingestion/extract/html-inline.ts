import { raisedAfter } from '../raised.ts'
import { type Element, hasDescendant, rawTextOf } from './html-tree.ts'

const ICON = /(?:^|\s)material-(?:icons|symbols)(?:-\w+)?(?:\s|$)/
/** Names that Rouge, Pygments, highlight.js, Prism and GitHub give to numbers of lines. */
const LINE_NUMBERS = /(?:^|[\s-])(?:line-?num(?:ber)?s?|lineno|linenos|rouge-gutter|hljs-ln-numbers|blob-num)(?:$|[\s-])/i
/** Those of Chroma and others, which mean something else outside of code. */
const CODE_NUMBERS = /(?:^|\s)(?:ln|lnt|gutter)(?:$|\s)/
const MAX_NUMBERS_CHARACTERS = 50_000
const STRUCK = /(?:^|\s|-)(?:line-through|strike(?:through)?|struck)(?:\s|$)/
const TICK_NAME = /(?<!un)check(?!_box_outline)|tick|haken|(?:^|[\W_])(?:done|yes|ja|oui|ok|true)(?:$|[\W_])/i
const CROSS_NAME = /cross|remove|unchecked|outline_blank|(?:^|[\W_])(?:cancel|close|no|nein|non|false|times|x)(?:$|[\W_])/i
const ORNAMENT = /\b(?:avatar|banner|bild|foto|icon|image|logo|photo|picture|screenshot)\b/i
const FILE_NAME = /^\S+\.(?:avif|gif|jpe?g|png|svg|webp)$/i

export function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Text that no longer holds, names of icons that a font draws, and the numbers of lines of code. */
export function isUnread(element: Element): boolean {
  const { name, attributes } = element
  if (ICON.test(attributes['class'] ?? '')) return true
  // Prism gives the name to code that has numbers.
  const mayNumber = LINE_NUMBERS.test(attributes['class'] ?? '') && !(name === 'pre' && attributes['class']?.includes('line-numbers'))
  if (mayNumber && isNumbers(element)) return true
  if (name === 'del' || name === 's' || name === 'strike') return true
  return /line-through/i.test(attributes['style'] ?? '') || STRUCK.test(attributes['class'] ?? '')
}

/** A link from a word to its note, or back. */
export function isNoteLink({ name, attributes }: Element): boolean {
  if (name !== 'a') return false
  if (/\bdoc-(?:noteref|backlink)\b|\bnoteref\b/.test(`${attributes['role'] ?? ''} ${attributes['epub:type'] ?? ''}`)) return true
  return /(?:^|[\s-])footnote-(?:back)?ref(?:\s|$)/.test(attributes['class'] ?? '')
}

/** Text of a `sup` element as it stands after another text; empty for a link to a note, as Wikipedia has it. */
export function superscriptAfter(before: string, element: Element): string {
  const isLink = hasDescendant(element, ({ name, attributes }) => name === 'a' && (attributes['href'] ?? '').startsWith('#'))
  return isLink ? '' : raisedAfter(before, rawTextOf(element).trim())
}

function saidOf({ attributes, children }: Element): string {
  const title = children.find((child) => typeof child !== 'string' && child.name === 'title')
  return attributes['alt'] ?? attributes['aria-label'] ?? (typeof title === 'object' ? rawTextOf(title) : '')
}

export function altOf(picture: Element): string {
  const alt = saidOf(picture)
  const text = alt.replace(/\s+/g, ' ').trim()
  return FILE_NAME.test(text) || ORNAMENT.test(text) || !/\S\s\S+\s\S|\d.*\s|\s.*\d/.test(text) ? '' : text
}

/** The meaning of a cell without text, which it has by a picture, an icon or a field. */
export function signOf(cell: Element): string {
  let sign = ''
  hasDescendant(cell, (element) => {
    const { name, attributes } = element
    if (name === 'input' && attributes['type'] === 'checkbox') sign = attributes['checked'] === undefined ? 'no' : 'yes'
    else if (/^(?:img|svg|i|span|use)$/.test(name)) {
      const said = saidOf(element).trim() || (attributes['title'] ?? '')
      const drawn = ICON.test(attributes['class'] ?? '') ? rawTextOf(element) : ''
      const names = ['class', 'src', 'href', 'xlink:href'].map((key) => attributes[key] ?? '').join(' ') + ` ${drawn}`
      sign = said !== '' && !FILE_NAME.test(said) ? said : TICK_NAME.test(names) ? 'yes' : CROSS_NAME.test(names) ? 'no' : ''
    }
    return sign !== ''
  })
  return sign
}

/** The mark of an item, as `type` of its list states it. */
export function numeralOf(number: number, type: string | undefined): string {
  if (type === undefined || type === '1' || number < 1 || number > 3_000) return `${number}.`
  const isSmall = type === type.toLowerCase()
  const numeral = /^i$/i.test(type) ? romanOf(number) : lettersOf(number)
  return `- ${isSmall ? numeral.toLowerCase() : numeral})`
}

function lettersOf(number: number): string {
  const rest = Math.floor((number - 1) / 26)
  return `${rest > 0 ? lettersOf(rest) : ''}${String.fromCharCode(65 + ((number - 1) % 26))}`
}

const ROMAN: [number, string][] = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']] // biome-ignore format: a table

function romanOf(number: number): string {
  const [value, numeral] = ROMAN.find(([one]) => one <= number) ?? [1, 'I']
  return number > value ? numeral + romanOf(number - value) : numeral
}

const isNumbers = (element: Element): boolean =>
  element.characters > 0 && element.characters <= MAX_NUMBERS_CHARACTERS && /^[\d\s]+$/.test(rawTextOf(element))

/** The text of code, a line for each block in it. */
export function codeOf(element: Element): string {
  const pieces: string[] = []
  const endLine = () => {
    if (pieces.length > 0 && !pieces.at(-1)?.endsWith('\n')) pieces.push('\n')
  }
  const isNumbering = (one: Element) => {
    const { class: name = '', style = '' } = one.attributes
    const isAtStart = pieces.length === 0 || pieces.at(-1)?.endsWith('\n') === true
    const mayNumber = CODE_NUMBERS.test(name) || LINE_NUMBERS.test(name) || /user-select\s*:\s*none/i.test(style)
    return isAtStart && mayNumber && isNumbers(one)
  }
  const read = ({ children }: Element) => {
    for (const child of children) {
      const isBlock = typeof child !== 'string' && /^(?:div|li|p|tr)$/.test(child.name)
      if (isBlock) endLine()
      if (typeof child === 'string') pieces.push(child)
      else if (child.name === 'br') pieces.push('\n')
      else if (child.name !== 'button' && !isNumbering(child)) read(child)
      if (isBlock) endLine()
    }
  }
  read(element)
  return pieces.join('')
}
