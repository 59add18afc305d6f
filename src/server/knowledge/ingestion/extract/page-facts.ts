import type { Element, ParsedPage } from './html-tree.ts'

const DATE_NAMES =
  /^(?:article:modified_time|og:updated_time|last-modified|date\.modified|dcterms\.modified|dc\.date\.modified|article:published_time|date|dc\.date|dcterms\.date|pubdate)$/i
const MODIFIED = /modif|updated/i
const MAX_ADDRESS_CHARACTERS = 2_000

/** The page's own address as `<link rel=canonical>` or `og:url` states it; null unless it is on the web. */
export function addressOf({ facts }: ParsedPage): string | null {
  const canonical = facts.find(({ name, attributes }) => name === 'link' && /^canonical$/i.test(attributes['rel'] ?? ''))
  const stated = [canonical?.attributes['href'], contentOf(facts, /^og:url$/i)]
  for (const address of stated) {
    const url = address && address.length <= MAX_ADDRESS_CHARACTERS ? URL.parse(address.trim()) : null
    if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url.href
  }
  return null
}

/** The ISO date of the page's last change or publication, as it states it; null if it does not. */
export function dateOf({ facts, data }: ParsedPage): string | null {
  const stated = facts.flatMap(({ name, attributes }) => {
    const key = attributes['property'] ?? attributes['name'] ?? attributes['itemprop'] ?? attributes['http-equiv'] ?? ''
    return name === 'meta' && DATE_NAMES.test(key) ? [{ key, value: attributes['content'] ?? '' }] : []
  })
  const inData = data.flatMap((json) => /"dateModified"\s*:\s*"([^"]{4,40})"/.exec(json)?.[1] ?? [])
  const ordered = [
    ...stated.filter(({ key }) => MODIFIED.test(key)).map(({ value }) => value),
    ...inData,
    ...stated.map(({ value }) => value),
  ]
  return ordered.map(isoDateOf).find((date) => date !== null) ?? null
}

/** The ISO date of a page's metadata; `null` without a plausible year. */
export function isoDateOf(value: string | number): string | null {
  if (typeof value === 'string' && !/\b\d{4}\b/.test(value)) return null
  // A date without a time has no time zone.
  const day = typeof value === 'string' ? /^\s*(\d{4}-\d{2}-\d{2})/.exec(value)?.[1] : undefined
  const date = new Date(day ?? value)
  const year = date.getUTCFullYear()
  return Number.isNaN(year) || year < 1970 || year > 2200 ? null : date.toISOString().slice(0, 10)
}

function contentOf(facts: readonly Element[], key: RegExp): string | undefined {
  return facts.find(({ attributes }) => key.test(attributes['property'] ?? attributes['name'] ?? ''))?.attributes['content']
}
