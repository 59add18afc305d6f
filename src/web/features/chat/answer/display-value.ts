/** The input or result of a tool, prepared for reading. All of it is untrusted and shown as text. */
export type DisplayValue =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'empty' }
  | { kind: 'hits'; hits: SearchHit[]; isCut: boolean }
  | { kind: 'list'; items: DisplayValue[]; isCut: boolean }
  | { kind: 'entries'; entries: { name: string; value: DisplayValue }[]; isCut: boolean }

export interface SearchHit {
  /** Number by which the model cites it, if it has one. */
  number: number | undefined
  title: string
  /** Location in the file, or the site. */
  place: string
  excerpt: string
}

const MAX_TEXT_CHARACTERS = 2_000
const MAX_EXCERPT_CHARACTERS = 160
const MAX_ENTRIES = 20
/** Values nested deeper are shown as JSON. */
const MAX_DEPTH = 3
/** Longer text is not parsed as JSON. */
const MAX_PARSED_CHARACTERS = 50_000

type Fields = Record<string, unknown>

/** The result of a tool: a summary for built-in tools, named values for others. */
export function displayResult(tool: string, output: unknown): DisplayValue {
  const content = isFields(output) && 'notice' in output && 'content' in output ? output['content'] : output
  const known = isFields(content) ? RESULT_SUMMARIES[tool]?.(content) : null
  return known ?? searchHitsIn(content) ?? displayValue(content)
}

/** Any value as text, lists and named entries. An object with a single text is shown without its name. */
export function displayValue(value: unknown, depth = 0): DisplayValue {
  if (typeof value === 'string') return displayText(value, depth)
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'number') return { kind: 'text', text: String(value) }
  if (!isObject(value)) return { kind: 'empty' }
  if (depth >= MAX_DEPTH) return { kind: 'code', text: shortened(JSON.stringify(value, null, 2), MAX_TEXT_CHARACTERS) }
  return Array.isArray(value) ? displayList(value, depth) : displayFields(value as Fields, depth)
}

/** Summaries of built-in tools; null for a result of another shape. */
const RESULT_SUMMARIES: Partial<Record<string, (result: Fields) => DisplayValue | null>> = {
  calculator: ({ expression, text }) => (isText(expression) && isText(text) ? { kind: 'text', text: `${expression} = ${text}` } : null),
  search_knowledge: ({ passages }) => (Array.isArray(passages) && passages.length === 0 ? { kind: 'hits', hits: [], isCut: false } : null),
}

function displayText(text: string, depth: number): DisplayValue {
  const parsed = /^\s*[[{]/.test(text) && text.length <= MAX_PARSED_CHARACTERS ? parsedJson(text) : undefined
  return isObject(parsed) ? displayValue(parsed, depth + 1) : { kind: 'text', text: shortened(text, MAX_TEXT_CHARACTERS) }
}

function displayList(values: unknown[], depth: number): DisplayValue {
  if (values.length === 0) return { kind: 'empty' }
  const items = values.slice(0, MAX_ENTRIES).map((value) => displayValue(value, depth + 1))
  return { kind: 'list', items, isCut: values.length > MAX_ENTRIES }
}

function displayFields(fields: Fields, depth: number): DisplayValue {
  const all = Object.entries(fields)
  const [only] = all
  if (!only) return { kind: 'empty' }
  if (all.length === 1 && typeof only[1] === 'string') return displayText(only[1], depth)
  const entries = all.slice(0, MAX_ENTRIES).map(([name, value]) => ({ name: humanizeName(name), value: displayValue(value, depth + 1) }))
  return { kind: 'entries', entries, isCut: all.length > MAX_ENTRIES }
}

/** Search results, which are passages or pages; null for content of another shape. */
function searchHitsIn(content: unknown): DisplayValue | null {
  const all = isFields(content) ? content['passages'] : content
  if (!Array.isArray(all) || all.length === 0) return null
  const hits = all.slice(0, MAX_ENTRIES).map(searchHitOf)
  return hits.every((hit) => hit !== null) ? { kind: 'hits', hits, isCut: all.length > MAX_ENTRIES } : null
}

function searchHitOf(value: unknown): SearchHit | null {
  if (!isFields(value)) return null
  const { number, title, heading, place, url, text, excerpt } = value
  const words = text ?? excerpt
  if (!isText(title) || !isText(words)) return null
  const site = isText(url) ? (URL.parse(url)?.hostname ?? '') : ''
  const within = [heading, place].filter((part) => isText(part) && part !== '' && part !== title).join(', ')
  const name = title.trim() === '' ? site : title
  return {
    number: typeof number === 'number' ? number : undefined,
    title: shortened(name, MAX_EXCERPT_CHARACTERS),
    place: shortened(within || site, MAX_EXCERPT_CHARACTERS),
    excerpt: shortened(plain(words), MAX_EXCERPT_CHARACTERS),
  }
}

/** A name as words: `order_tea` and `orderTea` become "Order tea". */
export function humanizeName(name: string): string {
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A passage on one line, without the most common Markdown marks. */
const plain = (text: string): string =>
  text
    .replaceAll(/`|\*\*|^#+ /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isFields = (value: unknown): value is Fields => isObject(value) && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text)
