import { setImmediate as nextTurn } from 'node:timers/promises'
import { isoDateOf } from '../ingestion/extract/page-facts.ts'
import type { ParserProcess } from '../../parsing/parser-process.ts'
import type { Database } from '../../store/engine/database.ts'
import type { SourcePage } from '../../store/knowledge/sources.ts'
import { GONE, heldKind, LEFT_OUT_BY_STAFF, mayKeep, NOTHING_HELD, SITE_WISHES } from './held-pages.ts'
import { isForStaff, isQuarantined, isSamePage, judgePage, keptOf, type KnownPage, stateOfKept } from './judge-page.ts'
import { isDocument, SourceScope } from './page-address.ts'
import type { ReadingRequest, ReadPage, ReadResult } from './reading/page-reader.ts'
import { PageQueue } from './page-queue.ts'
import { type Fetched, type FetchedBody, NO_VALIDATORS, PoliteFetcher, type PoliteFetcherOptions } from './polite-fetcher.ts'
import { countReason, emptyReport, note, type RunReport } from './run-report.ts'
import { readableOf } from '../ingestion/extract-file.ts'
import { SiteRules } from './site-rules.ts'
import { type PageFacts, SnapshotWriter } from './snapshot-writer.ts'
import type { SourceDefinition } from './source-definition.ts'
import { readStartPages } from './start-pages.ts'

/** Addresses that are remembered for each page: many turn out to be none. */
const SEEN_PER_PAGE = 4
/** Requests without a reply, one after another, after which a host counts as away. */
const MAX_UNREACHABLE = 5
/** Pages that exceed the limits of a request or of reading, each of which costs a minute. */
const MAX_COSTLY = 20
/** Text of a source, for each page that it may have. */
const MAX_CHARACTERS_PER_PAGE = 20_000
const MIN_MAX_CHARACTERS = 5_000_000
/** Addresses after which others of the process get a turn. */
const ADDRESSES_PER_TURN = 200

/** The run can't go on. The message is a sentence for the operator. */
class RunFailed extends Error {}

export interface SourceRunOptions extends Pick<PoliteFetcherOptions, 'directory' | 'signal' | 'wait' | 'requestMs'> {
  database: Database
  definition: SourceDefinition
  reader: Pick<ParserProcess<ReadingRequest, ReadResult>, 'parse'>
  /** DevTools address of a browser that draws pages; `null` for none. */
  browserUrl: string | null
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
  readonly #rules: SiteRules
  /** First page of this run with each text. */
  readonly #firstWith = new Map<string, string>()
  /** Requests without a reply, one after another, by host. */
  readonly #unreachable = new Map<string, number>()
  #costly = 0
  #firstReason: string | null = null
  /** Pages that sitemaps list, and start pages. */
  #listed = 0
  #requested = 0
  #isOver = false
  #characters = 0
  /** Whether a page was left as it was, so that its links are unknown. */
  #hasUnmodified = false
  /** Pages held before this run that are still held, or that the site has removed. */
  #waitedBefore = 0

  constructor(options: SourceRunOptions) {
    const { definition, database, directory, signal, wait, requestMs } = options
    const { network, limits, delay: delayS } = definition
    this.#options = options
    this.#scope = new SourceScope(definition)
    this.#fetcher = new PoliteFetcher({ directory, signal, wait, requestMs, network, delayS, bytesPerPage: limits.bytesPerPage })
    this.#queue = new PageQueue(limits.pages * SEEN_PER_PAGE + 1_000)
    this.#writer = new SnapshotWriter(database, definition)
    this.#rules = new SiteRules({
      request: (address) => this.#fetcher.follow(address, () => true),
      read: (request) => this.#parse(request),
    })
  }

  /** Rejects with the signal's reason or a fault of the database. A site that can't be read is a report. */
  async run(): Promise<RunReport> {
    try {
      this.#resume(await this.#writer.open(this.#options.now()))
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
      this.#characters += page.characters
      this.#count(page.state, this.#writer.known.get(page.address))
      if (page.reason !== null) countReason(this.#report, page.reason)
      if (page.text_hash !== null && !this.#firstWith.has(page.text_hash)) this.#firstWith.set(page.text_hash, page.address)
    }
  }

  /** Returns whether all lists of pages were read, so that what is in none of them is gone. */
  async #addStartPages(): Promise<boolean> {
    let areWhole = true
    for (const website of this.#options.definition.website) {
      const rules = await this.#rules.of(website)
      if (rules.kind === 'rules') this.#fetcher.delayS = Math.max(this.#fetcher.delayS, rules.delayS)
      const { isWhole, leftOut, problems } =
        rules.kind === 'closed'
          ? { isWhole: false, leftOut: 0, problems: [{ address: website, reason: rules.reason }] }
          : await this.#readStartPages(website)
      for (const { address, reason } of problems) note(this.#report, address, 'failed', reason)
      this.#report.counts.leftOut += leftOut
      areWhole &&= isWhole
    }
    const [fault] = this.#report.notes
    if (this.#listed === 0)
      throw new RunFailed(fault?.reason ?? 'No page of the source is listed: check "website", "include" and "exclude".')
    return areWhole
  }

  #readStartPages(website: string) {
    const { definition: scope } = this.#options
    const leaveOut = (address: string, reason: string) => {
      if (this.#queue.isFull || this.#queue.has(address)) return
      this.#queue.see(address)
      this.#leaveOut({ address, final: address, depth: 0, known: this.#writer.known.get(address) }, reason)
    }
    return readStartPages(website, {
      request: (address) => this.#fetcher.follow(address, (to) => this.#scope.isOnHost(to)),
      read: ({ path }, address) => this.#parse({ kind: 'sitemap', path, address, scope }),
      add: async (pages) => {
        this.#listed += pages.length
        for (const [index, address] of pages.entries()) {
          this.#enqueue(address, 0)
          if (this.#writer.isFull) await this.#writer.flush()
          else if (index % ADDRESSES_PER_TURN === 0) await nextTurn()
        }
        return !this.#queue.isFull
      },
      leaveOut,
    })
  }

  async #readQueue(): Promise<void> {
    const { limits } = this.#options.definition
    const maxCharacters = Math.max(MIN_MAX_CHARACTERS, limits.pages * MAX_CHARACTERS_PER_PAGE)
    for (let next = this.#queue.take(); next; next = this.#queue.take()) {
      // It was read by way of another address.
      if (this.#writer.has(next.address)) continue
      if (this.#requested >= limits.pages || this.#characters > maxCharacters) {
        this.#report.counts.leftOut += this.#isOver ? 0 : 1 + this.#queue.waiting
        this.#isOver = true
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
      const isLinked = isDocument(address) && this.#hasUnmodified
      if ((mayMiss && this.#scope.has(address)) || (isLinked && this.#scope.mayLinkTo(address))) this.#enqueue(address, 0)
      else this.#leaveOut({ address, final: address, depth: 0, known }, 'Nothing leads to it any more.')
    }
    await this.#readQueue()
    // What could not be requested within the limits answers as before.
    for (const [address, known] of this.#writer.known)
      if (!this.#writer.has(address))
        this.#store({ address, final: address, depth: 0, known }, { ...keptOf(known), state: stateOfKept(known) })
  }

  #enqueue(address: string, depth: number): void {
    if (this.#queue.has(address)) return
    if (!this.#queue.isFull && this.#scope.isEndless(address)) this.#queue.leftOut += 1
    else if (this.#queue.add(address, depth)) this.#writer.add(address, depth, { state: 'queued' })
  }

  async #readPage(visit: Visit): Promise<void> {
    const { address, known } = visit
    if ((this.#unreachable.get(new URL(address).host) ?? 0) >= MAX_UNREACHABLE) return this.#fail(visit, 'The site does not reply.')
    const allowed = await this.#rules.allow(address)
    if (allowed === false) return this.#leaveOut(visit, SITE_WISHES.robots)
    if (allowed !== true) return this.#fail(visit, allowed)
    const mayFollow = async (to: string) => {
      visit.final = to
      return this.#scope.has(to) && (await this.#rules.allow(to)) === true
    }
    // The links of a page are in its text, so that a crawl needs it each time.
    const isConditional = !this.#options.definition.crawl || isDocument(address)
    const validators = isConditional && known ? { etag: known.etag, lastModified: known.last_modified } : NO_VALIDATORS
    const fetched = await this.#fetcher.follow(address, mayFollow, validators)
    this.#countUnreachable(address, fetched)
    if (fetched.kind === 'unmodified') return this.#keepUnmodified(visit)
    if (fetched.kind === 'gone') return this.#leaveOut(visit, 'The site does not have it.')
    if (fetched.kind === 'redirect') return this.#leaveOut(visit, this.#reasonAgainst(fetched.to))
    if (fetched.kind === 'failed') return this.#fail(visit, fetched.reason)
    await this.#readBody(visit, fetched)
  }

  #reasonAgainst(to: string | null): string {
    if (to === null) return 'It leads to no web address.'
    return `It leads to ${to}, which ${this.#scope.has(to) ? 'robots.txt does not allow' : 'is no page of the source'}.`
  }

  #countUnreachable(address: string, fetched: Fetched): void {
    const { host } = new URL(address)
    const isUnreachable = fetched.kind === 'failed' && fetched.isUnreachable
    this.#unreachable.set(host, isUnreachable ? (this.#unreachable.get(host) ?? 0) + 1 : 0)
    if (fetched.kind === 'failed' && fetched.isSlow) this.#countCostly()
    const counts = this.#options.definition.website.map((website) => this.#unreachable.get(new URL(website).host) ?? 0)
    if (counts.every((count) => count >= MAX_UNREACHABLE)) throw new RunFailed('The site does not reply. The next run goes on from here.')
  }

  async #readBody(visit: Visit, body: FetchedBody): Promise<void> {
    const { address, final, depth, known } = visit
    const { definition, browserUrl } = this.#options
    const page = await this.#parse({
      kind: 'page',
      path: body.path,
      contentType: body.contentType,
      address: final,
      scope: definition,
      crawl: definition.crawl && depth < definition.limits.depth,
      browser: browserUrl === null ? null : { url: browserUrl, network: definition.network },
    })
    if (page.kind !== 'page') return this.#fail(visit, page.kind === 'unreadable' ? page.reason : 'It cannot be read.')
    const wishes = new Set([...body.robots, ...page.robots])
    if (!wishes.has('nofollow') && !wishes.has('none')) {
      this.#report.counts.leftOut += page.linksLeftOut
      for (const link of page.links) this.#enqueue(link, depth + 1)
    }
    if (wishes.has('noindex') || wishes.has('none') || wishes.has('nosnippet')) return this.#leaveOut(visit, SITE_WISHES.index)
    if (page.refresh !== null) {
      const isThere = this.#scope.has(page.refresh)
      if (isThere) this.#enqueue(page.refresh, depth)
      return this.#leaveOut(visit, isThere ? `It leads to ${page.refresh}.` : this.#reasonAgainst(page.refresh))
    }
    const other = final === address ? await this.#otherAddress(address, page) : final
    // What leads a known page to a page to sign in, or to an error, is a fault and no move.
    if (other === null || (known && (page.isLogin || page.isError))) return this.#judge(visit, page, body)
    this.#leaveOut(visit, `It is ${other}.`)
    if (this.#writer.has(other)) return
    this.#queue.see(other)
    this.#judge({ address: other, final: other, depth, known: this.#writer.known.get(other) }, page, body)
  }

  /** Another way to write this address that the page names as its own, unless that has turned out to have another text. */
  async #otherAddress(address: string, { canonical, hash }: ReadPage): Promise<string | null> {
    if (canonical === null || canonical === address || !this.#scope.has(canonical) || !isSamePage(address, canonical)) return null
    if (this.#writer.has(canonical)) return this.#firstWith.get(hash) === canonical ? canonical : null
    return (await this.#rules.allow(canonical)) === true ? canonical : null
  }

  #judge(visit: Visit, page: ReadPage, body: FetchedBody): void {
    const { address, known } = visit
    const { etag, lastModified } = page.isDrawn ? NO_VALIDATORS : body
    const first = this.#firstWith.get(page.hash)
    const judgement = judgePage(page, known, first === address ? undefined : first)
    const validators = { etag, last_modified: lastModified }
    const date = page.asOf ?? (lastModified === null ? null : isoDateOf(lastModified)) ?? this.#today()
    if (judgement.state === 'skipped') return this.#store(visit, { ...judgement, rejected_hash: known?.rejected_hash ?? null })
    if (judgement.state === 'rejected')
      return this.#store(visit, {
        ...(known && keptOf(known)),
        ...NOTHING_HELD,
        ...validators,
        ...(known?.text_hash ? { state: 'unchanged' } : { state: 'skipped', reason: LEFT_OUT_BY_STAFF }),
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

  async #parse(request: ReadingRequest): Promise<ReadResult> {
    const outcome = await this.#options.reader.parse(request)
    this.#options.signal.throwIfAborted()
    if (outcome.kind === 'failed' && (outcome.reason === 'time' || outcome.reason === 'memory')) this.#countCostly()
    return readableOf(outcome)
  }

  #countCostly(): void {
    this.#costly += 1
    if (this.#costly >= MAX_COSTLY) throw new RunFailed('Its pages take too much time or memory to read.')
  }

  #keepUnmodified(visit: Visit): void {
    const { known } = visit
    if (!known) return this.#fail(visit, 'The site replied with status 304.')
    this.#hasUnmodified = true
    if (known.text_hash !== null && !this.#firstWith.has(known.text_hash)) this.#firstWith.set(known.text_hash, visit.address)
    // The site has it again, as it was.
    const isBack = known.held_kind === 'gone' || known.rejected_hash === GONE
    const kept = { ...keptOf(known), ...(isBack && { ...NOTHING_HELD, rejected_hash: null }) }
    const state = stateOfKept(kept)
    this.#store(visit, { ...kept, state, reason: state === 'held' ? 'Its new text waits for staff.' : null })
  }

  /** The page is none of the source, or no longer. Where staff have decided about it, or have to, they decide about this too. */
  #leaveOut(visit: Visit, reason: string): void {
    const { known } = visit
    if (!known || known.text_hash === null)
      return this.#store(visit, { state: 'skipped', reason, rejected_hash: known?.rejected_hash ?? null })
    if (!mayKeep({ reason }) || !isForStaff(known)) return this.#store(visit, { state: 'gone', reason })
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
    const { reason, characters } = this.#writer.add(address, depth, facts)
    this.#characters += characters
    this.#count(facts.state, known)
    if (reason === null) return
    countReason(this.#report, reason)
    this.#firstReason ??= reason
  }

  async #complete(): Promise<void> {
    const { id } = this.#options.definition
    const { counts, notes } = this.#report
    const active = this.#writer.answering
    if (active === 0 && counts.new === 0)
      throw new RunFailed(`No page of the source could be read. ${notes[0]?.reason ?? this.#firstReason ?? ''}`.trim())
    const { isPinned } = this.#writer
    const isHeld = isPinned || isQuarantined(active, { ...counts, held: counts.held - this.#waitedBefore })
    this.#report.pages = await this.#writer.complete(isHeld ? 'quarantined' : 'complete')
    if (!isHeld) return
    const why = isPinned ? 'The source was rolled back' : 'More than a fifth of the pages have changed'
    const reason = `${why}; the earlier pages answer on. Accept the later ones with: parley knowledge accept ${id}`
    Object.assign(this.#report, { outcome: 'held', reason, pages: active })
  }
}
