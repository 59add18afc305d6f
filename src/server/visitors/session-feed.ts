import { MAX_LISTED_SESSIONS } from '../../contract/size-limits.ts'
import type { SessionEvent, SessionSummary } from '../../contract/chat/sessions.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import { ownerTopic } from '../pubsub/topics.ts'
import { Poller } from '../pubsub/poller.ts'
import type { Access } from '../store/visitors/access.ts'
import type { Database } from '../store/engine/database.ts'
import { digestOwners, listSessionsChangedSince, stampOf, listExistingIds } from '../store/sessions/session-changes.ts'
import { listSessions } from '../store/sessions/sessions.ts'
import { onAbort } from '../../async/abort.ts'

/** Poll interval for changes of all owners, in one query, while the pubsub is unreliable. */
const POLL_INTERVAL_MS = 1_000
/** Overlap of these polls, for late transactions and clock differences between machines. */
const OVERLAP_MS = 10_000
const MAX_CHANGES_A_POLL = 1_000
/** Interval for comparing the whole list of each followed owner, which finds deletions and changes missed because of clocks. */
const DIGEST_INTERVAL_MS = 15_000
const OWNERS_A_DIGEST = 200
/** Changed sessions buffered for a slow reader; beyond that, it must reload the list. */
const MAX_PENDING_CHANGES = 200

export interface SessionFeedOptions {
  database: Database
  pubsub: PubSub
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** Streams changes of visitors' session lists from all processes. */
export class SessionFeed {
  readonly #options: SessionFeedOptions
  readonly #owners = new Map<string, OwnerFeed>()
  readonly #topics = new Map<string, OwnerFeed>()
  readonly #watch: Poller
  #isClosed = false
  #digestedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: SessionFeedOptions) {
    this.#options = options
    this.#watch = new Poller({
      pubsub: options.pubsub,
      intervalMs: POLL_INTERVAL_MS,
      poll: (topics, why) => (why === 'published' ? this.#lookAt(topics) : this.#lookAtAll()),
      onFault: (cause) => options.onFault('Reading changed sessions failed; retrying', cause),
    })
  }

  /**
   * Yields `resync` first, so a client that then loads the list misses nothing, followed by changes, each session in its newest state.
   * Ends when `signal` aborts or the feed closes. Throws if the database fails at the start.
   */
  async *follow(access: Access & { owner: string }, signal: AbortSignal): AsyncGenerator<SessionEvent[]> {
    const reader = new FeedReader()
    const feed = this.#join(access, reader)
    const removeListener = onAbort(signal, () => reader.wake())
    try {
      await feed.settle()
      while (!signal.aborted && !this.#isClosed) {
        const events = reader.take()
        if (events.length > 0) yield events
        else await reader.changed()
      }
    } finally {
      removeListener()
      this.#leave(feed, reader)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const { readers } of this.#owners.values()) for (const reader of readers) reader.wake()
    this.#watch.close()
  }

  #join(access: Access & { owner: string }, reader: FeedReader): OwnerFeed {
    const { database, now } = this.#options
    const feed = this.#owners.get(access.owner) ?? new OwnerFeed(database, access, now)
    feed.access = access
    feed.readers.add(reader)
    if (!this.#owners.has(access.owner)) {
      this.#owners.set(access.owner, feed)
      this.#topics.set(feed.topic, feed)
      this.#watch.add(feed.topic)
    }
    return feed
  }

  #leave(feed: OwnerFeed, reader: FeedReader): void {
    feed.readers.delete(reader)
    if (feed.readers.size > 0) return
    this.#owners.delete(feed.owner)
    this.#topics.delete(feed.topic)
    this.#watch.remove(feed.topic)
  }

  async #lookAt(topics: string[]): Promise<void> {
    for (const topic of topics) await this.#topics.get(topic)?.read()
  }

  async #lookAtAll(): Promise<void> {
    if (performance.now() - this.#digestedAtMs >= DIGEST_INTERVAL_MS) return this.#digest()
    const { database, now } = this.#options
    const changes = await listSessionsChangedSince(database, now() - OVERLAP_MS, MAX_CHANGES_A_POLL)
    if (changes.length >= MAX_CHANGES_A_POLL) return this.#digest()
    const changed = new Set<OwnerFeed>()
    for (const { id, owner, stamp } of changes) {
      const feed = this.#owners.get(owner)
      if (feed && feed.stampOf(id) !== stamp) changed.add(feed)
    }
    for (const feed of changed) await feed.read()
  }

  async #digest(): Promise<void> {
    this.#digestedAtMs = performance.now()
    const owners = [...this.#owners.keys()]
    for (let start = 0; start < owners.length; start += OWNERS_A_DIGEST) {
      const some = owners.slice(start, start + OWNERS_A_DIGEST)
      const digests = new Map((await digestOwners(this.#options.database, some)).map(({ owner, digest }) => [owner, digest]))
      for (const owner of some) await this.#owners.get(owner)?.compare(digests.get(owner) ?? '')
    }
  }
}

/** The list of one owner, as last sent to its readers. */
class OwnerFeed {
  readonly owner: string
  readonly topic: string
  readonly readers = new Set<FeedReader>()
  readonly #database: Database
  /** Access of the newest reader; readers differ only in their start time. */
  access: Access
  readonly #now: () => number
  /** Stamps by session. */
  #known: Map<string, string> | null = null
  #digest: string | null = null
  #reading: Promise<void> = Promise.resolve()

  constructor(database: Database, access: Access & { owner: string }, now: () => number) {
    this.owner = access.owner
    this.topic = ownerTopic(access.owner)
    this.#database = database
    this.access = access
    this.#now = now
  }

  async settle(): Promise<void> {
    if (!this.#known) await this.read()
  }

  stampOf(id: string): string | undefined {
    return this.#known?.get(id)
  }

  async compare(digest: string): Promise<void> {
    const before = this.#digest
    this.#digest = digest
    if (digest !== before) await this.read()
  }

  /** Reads the list and emits the changes. Reads are sequential, so no read emits older data. */
  read(): Promise<void> {
    const reading = this.#reading.then(() => this.#readNow())
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  async #readNow(): Promise<void> {
    const access = { ...this.access, now: this.#now() }
    const sessions = await listSessions(this.#database, access)
    const before = this.#known
    const known = new Map(sessions.map((session) => [session.key, stampOfSummary(session)]))
    this.#known = known
    if (!before) return
    const missing = [...before.keys()].filter((key) => !known.has(key))
    // A session missing from a full list may still exist: others may be newer.
    const pushedOut = sessions.length < MAX_LISTED_SESSIONS ? new Set() : await listExistingIds(this.#database, this.owner, missing)
    for (const key of missing) if (!pushedOut.has(key)) this.#tell(key, { type: 'session-deleted', key })
    for (const session of sessions.toReversed()) {
      if (before.get(session.key) !== known.get(session.key)) this.#tell(session.key, { type: 'session', session })
    }
  }

  #tell(key: string, event: SessionEvent): void {
    for (const reader of this.readers) reader.tell(key, event)
  }
}

function stampOfSummary({ updatedAt, runningTurn }: SessionSummary): string {
  return stampOf({ updated_at: Date.parse(updatedAt), turn_id: runningTurn })
}

/** Unread events of one reader: the newest for each session. */
class FeedReader {
  #events = new Map<string, SessionEvent>([['', { type: 'resync' }]])
  #wake: () => void = () => undefined

  tell(key: string, event: SessionEvent): void {
    // Moves the session to the end, so events are in order of their newest change.
    this.#events.delete(key)
    this.#events.set(key, event)
    if (this.#events.size > MAX_PENDING_CHANGES) this.#events = new Map([['', { type: 'resync' }]])
    this.wake()
  }

  take(): SessionEvent[] {
    const events = [...this.#events.values()]
    this.#events.clear()
    return events
  }

  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.#wake()
  }
}
