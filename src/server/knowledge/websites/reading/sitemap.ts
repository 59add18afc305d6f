import { gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { pageAddress, type SourceScope } from '../page-address.ts'

/** Limits of the sitemaps protocol. */
const MAX_BYTES = 50 * 1024 * 1024
const MAX_ADDRESSES = 50_000
/** Length of all addresses together. */
const MAX_CHARACTERS = 2_500_000

export interface Sitemap {
  kind: 'sitemap'
  pages: string[]
  others: { address: string; reason: string }[]
  sitemaps: string[]
  /** Addresses beyond the limits. */
  leftOut: number
}

/** Reads a sitemap or an index of sitemaps, of which the pages in `scope` count; a sentence for anything else. */
export function readSitemap(bytes: Buffer, address: string, scope: SourceScope): Sitemap | string {
  const text = unpacked(bytes)?.toString('utf8')
  if (text === undefined) return 'It is too large when unpacked, or broken.'
  const found: Sitemap = { kind: 'sitemap', pages: [], others: [], sitemaps: [], leftOut: 0 }
  let characters = 0
  let count = 0
  let isRoot = false
  const open: string[] = []
  let location: string | null = null
  const parser = new Parser(
    {
      onopentag(name) {
        const local = name.replace(/^.*:/, '')
        if (local === 'urlset' || local === 'sitemapindex') isRoot = true
        // Those of pictures, videos and news are of other namespaces, or deeper.
        if (/^(?:.*:)?(?:url|sitemap)$/.test(open.at(-1) ?? '') && name === open.at(-1)?.replace(/\w+$/, 'loc')) location = ''
        open.push(name)
      },
      ontext(part) {
        if (location !== null && location.length < 4_000) location += part
      },
      onclosetag(name) {
        open.pop()
        if (location === null || !/\bloc$/.test(name)) return
        const page = pageAddress(location, address)
        location = null
        if (page === null) return
        characters += page.length
        count += 1
        if (characters > MAX_CHARACTERS || count > MAX_ADDRESSES) found.leftOut += 1
        else if (open.at(-1)?.endsWith('sitemap')) found.sitemaps.push(page)
        else if (scope.has(page)) found.pages.push(page)
        else if (!scope.isOnHost(page)) found.others.push({ address: page, reason: 'It is on a host that the source does not name.' })
        else if (scope.isOtherFile(page)) found.others.push({ address: page, reason: 'It is of no type that can be read.' })
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  return isRoot ? found : 'It is no sitemap.'
}

function unpacked(bytes: Buffer): Buffer | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES })
  } catch {
    return null
  }
}
