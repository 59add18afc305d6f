/** Writes values as OpenAPI's `style` and `explode` say: https://spec.openapis.org/oas/v3.1.1.html#style-values */
export type Style = 'simple' | 'label' | 'matrix' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'

export interface Serialization {
  /** `json`: the parameter has `content`. */
  style: Style | 'json'
  explode: boolean
}

export interface Parameter extends Serialization {
  name: string
  in: 'path' | 'query' | 'header'
}

export function defaultExplode(style: Style): boolean {
  return style === 'form' || style === 'deepObject'
}

type Encode = (text: string) => string
const asIs: Encode = (text) => text

export function pathValue({ name, style, explode }: Parameter, value: unknown): string {
  const list = listOf(value, explode, encodeURIComponent)
  if (style === 'label') return `.${list.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return style === 'json' ? encodeURIComponent(JSON.stringify(value)) : list.join(',')
  const key = encodeURIComponent(name)
  if (!explode || typeof value !== 'object' || value === null) return `;${key}=${list.join(',')}`
  return list.map((item) => (Array.isArray(value) ? `;${key}=${item}` : `;${item}`)).join('')
}

export function headerValue({ style, explode }: Parameter, value: unknown): string {
  return style === 'json' ? JSON.stringify(value) : listOf(value, explode, asIs).join(',')
}

/** `name=value` pairs of a query or form, joined by `&`; an empty text for an empty list. */
export function pairsOf(name: string, { style, explode }: Serialization, value: unknown): string {
  const key = encodeURIComponent(name)
  if (style === 'json') return `${key}=${encodeURIComponent(JSON.stringify(value))}`
  if (style === 'deepObject') return deepPairs(name, value).join('&')
  if (typeof value !== 'object' || value === null) return `${key}=${encodeURIComponent(textOf(value))}`
  const list = listOf(value, explode, encodeURIComponent)
  if (explode) return list.map((item) => (Array.isArray(value) ? `${key}=${item}` : item)).join('&')
  const separator = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style as string] ?? ','
  return list.length === 0 ? '' : `${key}=${list.join(separator)}`
}

/** `name[key]=value`, at any depth, as Stripe and Rails read it. */
function deepPairs(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`]
  return Object.entries(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item))
}

/** The items of a list; of an object its keys and values, in pairs `key=value` if it is exploded. */
function listOf(value: unknown, explode: boolean, encode: Encode): string[] {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item)))
  if (typeof value !== 'object' || value === null) return [encode(textOf(value))]
  const entries = Object.entries(value).map(([key, item]) => [encode(key), encode(textOf(item))])
  return explode ? entries.map((entry) => entry.join('=')) : entries.flat()
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
