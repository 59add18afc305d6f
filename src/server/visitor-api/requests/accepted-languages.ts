import type { IncomingHttpHeaders } from 'node:http'

const MAX_LANGUAGES = 8

/** The languages of `Accept-Language`, the most wanted first; the page sends its own. */
export function acceptedLanguages({ 'accept-language': header = '' }: IncomingHttpHeaders): string[] {
  return header
    .slice(0, 200)
    .split(',')
    .map((entry) => {
      const [tag = '', quality] = entry.trim().split(/\s*;\s*q=/)
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(?:-|$)/i.test(tag) && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .slice(0, MAX_LANGUAGES)
    .map(({ tag }) => tag)
}
