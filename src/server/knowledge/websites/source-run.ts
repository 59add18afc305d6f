import { readFile } from 'node:fs/promises'
import type { ParserProcess } from '../../parsing/parser-process.ts'
import type { Database } from '../../store/engine/database.ts'
import type { SourcePage } from '../../store/knowledge/sources.ts'
import { GONE, heldKind, SITE_WISHES } from './held-pages.ts'
import { isForStaff, isQuarantined, isSamePage, judgePage, type KnownPage } from './judge-page.ts'
import { isDocument, SourceScope } from './page-address.ts'
import { dateOfHeader, type ReadingRequest, type ReadPage, type ReadResult } from './page-reader.ts'
import { PageQueue } from './page-queue.ts'
import { type Fetched, type FetchedBody, PoliteFetcher, type PoliteFetcherOptions } from './polite-fetcher.ts'
import { OPEN, readRobots, type Robots } from './robots.ts'
import { emptyReport, note, type RunReport } from './run-report.ts'
import { type PageFacts, SnapshotWriter } from './snapshot-writer.ts'
import type { SourceDefinition } from './source-definition.ts'
import { readStartPages } from './start-pages.ts'

/** Addresses that are remembered for each page: many turn out to be none. */
const SEEN_PER_PAGE = 4
const MAX_REDIRECTS = 5
/** Requests without a reply, one after another, after which the site counts as away. */
const MAX_UNREACHABLE = 5
/** Longer ones would slow down each question whether a page is allowed. */
const MAX_ROBOTS_CHARACTERS = 100_000
const UNREADABLE = {
  threw: 'It cannot be read.',
  time: 'It takes too long to read.',
  memory: 'It takes too much memory to read.',
  ended: 'It ends the process that reads it.',
}

/** The run can't go on. The message is a sentence for the operator. */
class RunFailed extends Error {}

export interface SourceRunOptions extends Pick<PoliteFetcherOptions, 'directory' | 'signal' | 'wait'> {
  database: Database
  definition: SourceDefinition
  reader: Pick<ParserProcess<ReadingRequest, ReadResult>, 'parse'>
  now: () => number
  /** Called after each page, with how many are known to wait. */
  onProgress?: ((report: RunReport, waiting: number) => void) | undefined
}

/** One page of a run. `final` is where redirects led. */
interface Visit {
  address: string
  final: string
  depth: number
  known: KnownPage | undefined
}

/** One reading of a website into its next snapshot. What was read before a crash is not requested again. */
export class SourceRun {
  readonly #options: SourceRunOptions
  readonly #scope: SourceScope
  readonly #fetcher: PoliteFetcher
  readonly #queue: PageQueue
  readonly #writer: SnapshotWriter
  readonly #report = emptyReport()
  #robots: Robots = OPEN
  /** First page of this run with each text. */
  readonly #firstWith = new Map<string, string>()
  #unreachable = 0
  #requested = 0
  /** Pages held before this run that are still held, or that the site has removed. */
  #waitedBefore = 0

  constructor(options: SourceRunOptions) {
    const { definition, database, directory, signal, wait } = options
    const { network, limits, delay: delayS } = definition
    this.#options = options
    this.#scope = new SourceScope(definition)
    this.#fetcher = new PoliteFetcher({ directory, signal, wait, network, delayS, bytesPerPage: limits.bytesPerPage })
    this.#queue = new PageQueue(limits.pages * SEEN_PER_PAGE + 1_000)
    this.#writer = new SnapshotWriter(database, definition)
  }

  /** Rejects with the signal's reason or a fault of the database. A site that can't be read is a report. */
  async run(): Promise<RunReport> {
    try {
      this.#resume(await this.#writer.open(this.#options.now()))
      await this.#readRobots()
      const isWhole = await this.#addStartPages()
      await this.#readQueue()
      await this.#revisitKnown(isWhole)
      await this.#complete()
    } catch (error) {
      // What has been read is where the next run goes on.
      await this.#writer.flush()
      if (!(error instanceof RunFailed)) throw error
      Object.assign(this.#report, { outcome: 'failed', reason: error.message, pages: this.#writer.answering })
    } finally {
      await this.#fetcher.close()
    }
    return this.report
  }

  /** Results so far. */
  get report(): RunReport {
    const { counts } = this.#report
    return {
      ...this.#report,
      requests: this.#fetcher.requests,
      counts: { ...counts, leftOut: counts.leftOut + this.#queue.leftOut },
    }
  }

  #resume(pages: readonly SourcePage[]): void {
    for (const page of pages) {
      if (page.state === 'queued' || page.state === 'failed') {
        this.#queue.add(page.address, page.depth)
        continue
      }
      this.#queue.see(page.address)
      this.#requested += 1
      this.#count(page.state, this.#writer.known.get(page.address))
      if (page.text_hash !== null && !this.#firstWith.has(page.text_hash)) this.#firstWith.set(page.text_hash, page.address)
    }
  }

  async #readRobots(): Promise<void> {
    const address = new URL('/robots.txt', this.#options.definition.website).href
    const fetched = await this.#follow(address, undefined, () => true)
    // RFC 9309, section 2.3.1: everything is allowed where there is none, nothing while it can't be read.
    if (fetched.kind === 'failed' && !/status 4\d\d/.test(fetched.reason))
      throw new RunFailed(`robots.txt cannot be read. ${fetched.reason}`)
    if (fetched.kind !== 'body') return
    this.#robots = readRobots(address, (await readFile(fetched.path, 'utf8')).slice(0, MAX_ROBOTS_CHARACTERS))
    this.#fetcher.delayS = Math.max(this.#fetcher.delayS, this.#robots.delayS)
  }

  /** Returns whether all lists of pages were read, so that what is in none of them is gone. */
  async #addStartPages(): Promise<boolean> {
    const { website } = this.#options.definition
    const { pages, isWhole, problems } = await readStartPages(website, {
      request: (address) => this.#follow(address, undefined, () => true),
      read: (body, address) => this.#read('sitemap', body, address),
    })
    for (const { address, reason } of problems) note(this.#report, address, 'failed', reason)
    const start = pages === null ? [website] : pages.filter((address) => this.#scope.has(address))
    if (start.length === 0)
      throw new RunFailed(problems[0]?.reason ?? 'No page of the source is listed: check "website", "include" and "exclude".')
    for (const address of start) this.#enqueue(address, 0)
    return isWhole
  }

  async #readQueue(): Promise<void> {
    const { limits } = this.#options.definition
    for (let next = this.#queue.take(); next; next = this.#queue.take()) {
      if (this.#requested >= limits.pages) {
        this.#report.counts.leftOut += 1 + this.#queue.waiting
        return
      }
      this.#requested += 1
      const known = this.#writer.known.get(next.address)
      await this.#readPage({ ...next, final: next.address, known })
      this.#options.onProgress?.(this.report, this.#queue.waiting)
      if (this.#writer.isFull) await this.#writer.flush()
    }
  }

  /** Pages that nothing leads to any more are gone, unless what leads to them may not have been read. */
  async #revisitKnown(isWhole: boolean): Promise<void> {
    const { counts } = this.report
    const mayMiss = !isWhole || counts.failed + counts.held + counts.leftOut > 0
    for (const [address, known] of this.#writer.known) {
      if (this.#queue.has(address)) continue
      if (mayMiss && this.#scope.has(address)) this.#enqueue(address, 0)
      else this.#leaveOut({ address, final: address, depth: 0, known }, 'Nothing leads to it any more.')
    }
    await this.#readQueue()
    // What could not be requested within the limits answers as before.
    for (const [address, known] of this.#writer.known)
      if (!this.#writer.has(address)) this.#store({ address, final: address, depth: 0, known }, { ...keptOf(known), state: stateOf(known) })
  }

  #enqueue(address: string, depth: number): void {
    if (this.#queue.has(address)) return
    if (this.#scope.isEndless(address)) this.#queue.leftOut += 1
    else if (this.#queue.add(address, depth)) this.#writer.add(address, depth, { state: 'queued' })
  }

  async #readPage(visit: Visit): Promise<void> {
    const { address, known } = visit
    if (!this.#robots.isAllowed(address)) return this.#leaveOut(visit, SITE_WISHES.robots)
    const fetched = await this.#follow(address, known, (to) => {
      visit.final = to
      return this.#scope.has(to) && this.#robots.isAllowed(to)
    })
    this.#countUnreachable(fetched)
    if (fetched.kind === 'unmodified') return this.#keepUnmodified(visit)
    if (fetched.kind === 'gone') return this.#leaveOut(visit, 'The site does not have it.')
    if (fetched.kind === 'redirect') return this.#leaveOut(visit, 'It leads elsewhere.')
    if (fetched.kind === 'failed') return this.#fail(visit, fetched.reason)
    await this.#readBody(visit, fetched)
  }

  #countUnreachable(fetched: Fetched): void {
    this.#unreachable = fetched.kind === 'failed' && fetched.isUnreachable ? this.#unreachable + 1 : 0
    if (this.#unreachable >= MAX_UNREACHABLE) throw new RunFailed('The site does not reply. The next run goes on from here.')
  }

  /** Requests an address and follows redirects on the host as far as `mayFollow` allows. */
  async #follow(address: string, known: KnownPage | undefined, mayFollow: (to: string) => boolean): Promise<Fetched> {
    let fetched = await this.#fetcher.request(address, { etag: known?.etag ?? null, lastModified: known?.last_modified ?? null })
    for (let hops = 0; fetched.kind === 'redirect'; hops += 1) {
      if (hops >= MAX_REDIRECTS) return { kind: 'failed', reason: 'It redirects too often.', isUnreachable: false }
      if (fetched.to === null || !this.#scope.isOnHost(fetched.to) || !mayFollow(fetched.to)) return fetched
      fetched = await this.#fetcher.request(fetched.to)
    }
    return fetched
  }

  async #readBody(visit: Visit, body: FetchedBody): Promise<void> {
    const { address, final, depth, known } = visit
    const page = await this.#read('page', body, final)
    if (page.kind !== 'page') return this.#fail(visit, page.kind === 'unreadable' ? page.reason : UNREADABLE.threw)
    const wishes = new Set([...body.robots, ...page.robots])
    if (!wishes.has('nofollow') && !wishes.has('none')) this.#addLinks(page, depth)
    if (wishes.has('noindex') || wishes.has('none') || wishes.has('nosnippet')) return this.#leaveOut(visit, SITE_WISHES.index)
    const other = final === address ? this.#otherAddress(address, page) : final
    // What leads a known page to a page to sign in, or to an error, is a fault and no move.
    if (other === null || (known && (page.isLogin || page.isError))) return this.#judge(visit, page, body)
    this.#leaveOut(visit, `It is ${other}.`)
    if (other !== final || this.#queue.has(final)) return this.#enqueue(other, depth)
    this.#queue.see(final)
    this.#judge({ address: final, final, depth, known: this.#writer.known.get(final) }, page, body)
  }

  /** The address by which the page goes, if it names one that is another way to write this one. */
  #otherAddress(address: string, { canonical }: ReadPage): string | null {
    const isOther = canonical !== null && canonical !== address && this.#scope.has(canonical) && isSamePage(address, canonical)
    return isOther ? canonical : null
  }

  #judge(visit: Visit, page: ReadPage, { etag, lastModified }: FetchedBody): void {
    const { address, known } = visit
    const first = this.#firstWith.get(page.hash)
    const judgement = judgePage(page, known, first === address ? undefined : first)
    const validators = { etag, last_modified: lastModified }
    const date = page.asOf ?? dateOfHeader(lastModified) ?? this.#today()
    if (judgement.state === 'skipped') return this.#store(visit, { ...judgement, rejected_hash: known?.rejected_hash ?? null })
    if (judgement.state === 'rejected')
      return this.#store(visit, {
        ...(known && keptOf(known)),
        ...NOTHING_HELD,
        ...validators,
        state: known?.text_hash ? 'unchanged' : 'skipped',
      })
    if (judgement.state === 'held') {
      const { state, reason, mayAccept } = judgement
      if (mayAccept) this.#writer.addText(page)
      const held = mayAccept && { ...validators, held_hash: page.hash, held_as_of: date, held_kind: judgement.kind }
      // Without the validators of an error page, the next run reads the page again.
      return this.#store(visit, { ...(known && keptOf(known)), ...held, state, reason })
    }
    if (first === undefined) this.#firstWith.set(page.hash, address)
    const isUnchanged = judgement.state === 'unchanged'
    if (!isUnchanged) this.#writer.addText(page)
    const asOf = isUnchanged ? known?.as_of : date
    const { hash: text_hash, characters } = page
    this.#store(visit, { ...validators, state: judgement.state, text_hash, characters, as_of: asOf ?? null })
  }

  #today(): string {
    return new Date(this.#options.now()).toISOString().slice(0, 10)
  }

  #addLinks({ links, linksLeftOut }: ReadPage, depth: number): void {
    const { crawl, limits } = this.#options.definition
    this.#report.counts.leftOut += linksLeftOut
    for (const link of links) {
      const isLinkedDocument = isDocument(link) && this.#scope.mayLinkTo(link)
      if (isLinkedDocument || (crawl && depth < limits.depth && this.#scope.has(link))) this.#enqueue(link, depth + 1)
    }
  }

  async #read(kind: ReadingRequest['kind'], { path, contentType }: FetchedBody, address: string): Promise<ReadResult> {
    const outcome = await this.#options.reader.parse({ kind, path, contentType, address })
    this.#options.signal.throwIfAborted()
    return outcome.kind === 'parsed' ? outcome.value : { kind: 'unreadable', reason: UNREADABLE[outcome.reason] }
  }

  #keepUnmodified(visit: Visit): void {
    const { known } = visit
    if (!known) return this.#fail(visit, 'The site replied with status 304.')
    if (known.text_hash !== null && !this.#firstWith.has(known.text_hash)) this.#firstWith.set(known.text_hash, visit.address)
    // The site has it again, as it was.
    const isBack = known.held_kind === 'gone' || known.rejected_hash === GONE
    const kept = { ...keptOf(known), ...(isBack && { ...NOTHING_HELD, rejected_hash: null }) }
    const state = stateOf(kept)
    this.#store(visit, { ...kept, state, reason: state === 'held' ? 'Its new text waits for staff.' : null })
  }

  /** The page is none of the source, or no longer. Where staff have decided about it, or have to, they decide about this too. */
  #leaveOut(visit: Visit, reason: string): void {
    const { known } = visit
    if (!known || known.text_hash === null)
      return this.#store(visit, { state: 'skipped', reason, rejected_hash: known?.rejected_hash ?? null })
    const isWish = Object.values(SITE_WISHES).some((wish) => wish === reason)
    if (isWish || !isForStaff(known)) return this.#store(visit, { state: 'gone', reason })
    const kept = { ...keptOf(known), ...NOTHING_HELD }
    if (known.rejected_hash === GONE) this.#store(visit, { ...kept, state: 'unchanged' })
    else this.#store(visit, { ...kept, held_kind: 'gone', state: 'held', reason })
  }

  /** The page can't be read; it answers as before if it did. */
  #fail(visit: Visit, reason: string): void {
    this.#store(visit, { ...(visit.known && keptOf(visit.known)), state: 'failed', reason })
  }

  #count(state: keyof RunReport['counts'], known: KnownPage | undefined): void {
    this.#report.counts[state] += 1
    if ((state === 'held' || state === 'gone') && known && heldKind(known) !== null) this.#waitedBefore += 1
  }

  #store({ address, depth, known }: Visit, facts: PageFacts & { state: keyof RunReport['counts'] }): void {
    const { state, reason } = this.#writer.add(address, depth, facts)
    this.#count(facts.state, known)
    if (reason !== null && (state === 'held' || state === 'failed' || state === 'gone')) note(this.#report, address, state, reason)
  }

  async #complete(): Promise<void> {
    const { id } = this.#options.definition
    const { counts, notes } = this.#report
    const active = this.#writer.answering
    if (active === 0 && counts.new === 0) throw new RunFailed(`No page of the source could be read. ${notes[0]?.reason ?? ''}`.trim())
    const { isPinned } = this.#writer
    const isHeld = isPinned || isQuarantined(active, { ...counts, held: counts.held - this.#waitedBefore })
    this.#report.pages = await this.#writer.complete(isHeld ? 'quarantined' : 'complete')
    if (!isHeld) return
    const why = isPinned ? 'The source was rolled back' : 'More than a fifth of the pages have changed'
    const reason = `${why}; the earlier pages answer on. Accept the later ones with: npm run knowledge -- accept ${id}`
    Object.assign(this.#report, { outcome: 'held', reason, pages: active })
  }
}

const NOTHING_HELD = { held_hash: null, held_as_of: null, held_kind: null }

/** Copies the columns that a page keeps while no new text of it can answer. */
function keptOf(known: KnownPage): KnownPage {
  const { text_hash, held_hash, held_as_of, held_kind, rejected_hash, characters, as_of, etag, last_modified } = known
  return { text_hash, held_hash, held_as_of, held_kind, rejected_hash, characters, as_of, etag, last_modified }
}

function stateOf(page: KnownPage): 'held' | 'unchanged' | 'skipped' {
  if (heldKind(page) !== null) return 'held'
  return page.text_hash === null ? 'skipped' : 'unchanged'
}
