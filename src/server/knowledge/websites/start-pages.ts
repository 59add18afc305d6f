import { type Fetched, type FetchedBody, isSitemap } from './polite-fetcher.ts'
import type { ReadResult } from './reading/page-reader.ts'

const MAX_SITEMAPS = 100
/** Those that exceed the limits of reading cost a minute each. */
const MAX_UNREADABLE = 5

interface StartPagesOptions {
  request: (address: string) => Promise<Fetched>
  read: (body: FetchedBody, address: string) => Promise<ReadResult>
  /** Takes pages that a sitemap lists; `false` when they are too many. */
  add: (pages: readonly string[]) => Promise<boolean>
  /** Takes what a sitemap lists and is no page of the source. */
  leaveOut: (address: string, reason: string) => void
}

interface StartPages {
  /** Whether every sitemap was read, and to its end. */
  isWhole: boolean
  leftOut: number
  problems: { address: string; reason: string }[]
}

/** Reads the sitemap at an address, with those that it names. A page is no sitemap, and is where a source begins. */
export async function readStartPages(website: string, { request, read, add, leaveOut }: StartPagesOptions): Promise<StartPages> {
  const found: StartPages = { isWhole: true, leftOut: 0, problems: [] }
  if (!isSitemap(website)) {
    await add([website])
    return found
  }
  const waiting = [website]
  const seen = new Set(waiting)
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (found.problems.length >= MAX_UNREADABLE) return found
    const fetched = await request(address)
    const result = fetched.kind === 'body' ? await read(fetched, address) : null
    if (result?.kind !== 'sitemap') {
      found.isWhole = false
      found.problems.push({ address, reason: `The sitemap cannot be read. ${reasonOf(fetched, result)}` })
      continue
    }
    for (const { address: other, reason } of result.others) leaveOut(other, reason)
    found.leftOut += result.leftOut
    found.isWhole &&= result.leftOut === 0
    if (!(await add(result.pages))) return { ...found, isWhole: false }
    for (const next of result.sitemaps) {
      if (seen.has(next)) continue
      seen.add(next)
      if (seen.size <= MAX_SITEMAPS) waiting.push(next)
    }
  }
  if (seen.size > MAX_SITEMAPS) {
    found.isWhole = false
    found.problems.push({ address: website, reason: `Of its ${seen.size} sitemaps, ${MAX_SITEMAPS} were read.` })
  }
  return found
}

function reasonOf(fetched: Fetched, result: ReadResult | null): string {
  if (result?.kind === 'unreadable') return result.reason
  if (fetched.kind === 'failed') return fetched.reason
  return fetched.kind === 'redirect' ? `It leads to ${fetched.to ?? 'no web address'}.` : 'It is not there.'
}
