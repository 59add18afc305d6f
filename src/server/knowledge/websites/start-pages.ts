import type { ReadResult } from './page-reader.ts'
import type { Fetched, FetchedBody } from './polite-fetcher.ts'

const MAX_SITEMAPS = 100

interface StartPagesOptions {
  request: (address: string) => Promise<Fetched>
  read: (body: FetchedBody, address: string) => Promise<ReadResult>
}

interface StartPages {
  /** Pages that the sitemaps list; `null` if the address is a page. */
  pages: string[] | null
  /** Whether every sitemap was read. */
  isWhole: boolean
  problems: { address: string; reason: string }[]
}

/** Reads the sitemap at an address, with those that it names. A page is no sitemap, and is where a source begins. */
export async function readStartPages(website: string, { request, read }: StartPagesOptions): Promise<StartPages> {
  if (!/\.xml(?:\.gz)?$/i.test(new URL(website).pathname)) return { pages: null, isWhole: true, problems: [] }
  const found: StartPages & { pages: string[] } = { pages: [], isWhole: true, problems: [] }
  const waiting = [website]
  const seen = new Set(waiting)
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const fetched = await request(address)
    const result = fetched.kind === 'body' ? await read(fetched, address) : null
    if (result?.kind === 'sitemap') {
      found.pages.push(...result.pages)
      for (const next of result.sitemaps) if (!seen.has(next) && seen.size < MAX_SITEMAPS && seen.add(next)) waiting.push(next)
    } else {
      found.isWhole = false
      const reason = result?.kind === 'unreadable' ? result.reason : fetched.kind === 'failed' ? fetched.reason : 'It is not there.'
      found.problems.push({ address, reason: `The sitemap cannot be read. ${reason}` })
    }
  }
  return found
}
