import { createHash } from 'node:crypto'
import type { Database } from '../../store/engine/database.ts'
import {
  completeSnapshot,
  createSnapshot,
  deleteSnapshot,
  deleteUnusedTexts,
  listSnapshots,
  readPages,
  readSource,
  type SourcePage,
  type SourceText,
  writePages,
} from '../../store/knowledge/sources.ts'
import { NO_TEXT } from './held-pages.ts'
import type { KnownPage } from './judge-page.ts'
import type { SourceDefinition } from './source-definition.ts'

/** Snapshots that a source can be rolled back to. */
const KEPT_SNAPSHOTS = 5
/** A batch is written within a few milliseconds. */
const BATCH_PAGES = 50
const BATCH_CHARACTERS = 256 * 1024

export type PageFacts = Partial<SourcePage> & Pick<SourcePage, 'state'>

/** The snapshot that a run builds, written in batches: what a crash leaves is where the next run goes on. */
export class SnapshotWriter {
  readonly #database: Database
  readonly #definition: SourceDefinition
  readonly #known = new Map<string, KnownPage>()
  readonly #stored = new Set<string>()
  #number = 0
  /** Whether staff have gone back to an earlier snapshot, so that this one waits for them. */
  isPinned = false
  #pages: SourcePage[] = []
  #texts: SourceText[] = []
  #characters = 0

  constructor(database: Database, definition: SourceDefinition) {
    this.#database = database
    this.#definition = definition
  }

  /** Pages of the snapshot that answers, by address: with a text, or with a decision of staff or for staff. */
  get known(): ReadonlyMap<string, KnownPage> {
    return this.#known
  }

  get answering(): number {
    return [...this.#known.values()].reduce((count, { text_hash: hash }) => (hash === null ? count : count + 1), 0)
  }

  /** Reads the snapshot that answers, and goes on with one that a run of the same definition has left. Returns the pages of that. */
  async open(now: number): Promise<SourcePage[]> {
    const sourceId = this.#definition.id
    const { active = null, pinned = 0 } = (await readSource(this.#database, sourceId)) ?? {}
    this.isPinned = pinned === 1
    if (active !== null)
      for await (const pages of readPages(this.#database, sourceId, active))
        for (const page of pages) if (page.text_hash ?? page.held_kind ?? page.rejected_hash) this.#known.set(page.address, page)
    const definitionHash = createHash('sha256').update(JSON.stringify(this.#definition)).digest('hex')
    const building = (await listSnapshots(this.#database, sourceId)).filter(({ state }) => state === 'building')
    // One that was begun before staff decided on pages doesn't know their decisions.
    const begun = building.find(({ definition_hash: hash, number }) => hash === definitionHash && number > (active ?? 0))
    for (const { number } of building) if (number !== begun?.number) await deleteSnapshot(this.#database, sourceId, number)
    this.#number = begun?.number ?? (await createSnapshot(this.#database, { sourceId, definitionHash, now }))
    return begun ? this.#left() : []
  }

  async #left(): Promise<SourcePage[]> {
    const left: SourcePage[] = []
    for await (const pages of readPages(this.#database, this.#definition.id, this.#number)) left.push(...pages)
    for (const { address, state } of left) if (state !== 'queued' && state !== 'failed') this.#stored.add(address)
    return left
  }

  /** Whether the page has been read, or what it was is kept. */
  has(address: string): boolean {
    return this.#stored.has(address)
  }

  add(address: string, depth: number, facts: PageFacts): SourcePage {
    const page = { ...NO_TEXT, depth, ...facts, address }
    this.#pages.push(page)
    this.#characters += address.length
    if (page.state !== 'queued') this.#stored.add(address)
    return page
  }

  addText(text: SourceText): void {
    this.#texts.push(text)
    this.#characters += text.document.length
  }

  get isFull(): boolean {
    return this.#pages.length >= BATCH_PAGES || this.#characters >= BATCH_CHARACTERS
  }

  async flush(): Promise<void> {
    // The last row of an address is the one that counts.
    const pages = [...new Map(this.#pages.map((page) => [page.address, page])).values()]
    const texts = [...new Map(this.#texts.map((text) => [text.hash, text])).values()]
    this.#pages = []
    this.#texts = []
    this.#characters = 0
    if (this.#number > 0 && pages.length > 0)
      await writePages(this.#database, { sourceId: this.#definition.id, snapshot: this.#number }, pages, texts)
  }

  /** Ends the snapshot, which answers from now on unless it is quarantined. Returns how many pages have a text. */
  async complete(state: 'complete' | 'quarantined'): Promise<number> {
    await this.flush()
    const sourceId = this.#definition.id
    const { pages } = await completeSnapshot(this.#database, { sourceId, number: this.#number, state })
    await removeOldSnapshots(this.#database, sourceId)
    return pages
  }
}

/** Deletes snapshots beyond those that a source can be rolled back to, those with the same texts as the one after them, and unused texts. */
export async function removeOldSnapshots(database: Database, sourceId: string): Promise<void> {
  const active = (await readSource(database, sourceId))?.active
  const snapshots = await listSnapshots(database, sourceId)
  let kept = 0
  let after: string | null = null
  for (const [index, { number, state, hash }] of snapshots.entries()) {
    if (state === 'building') continue
    const isRepeated = state === 'complete' && hash === after
    const isOld = state === 'quarantined' ? index > 0 : kept >= KEPT_SNAPSHOTS
    if (number !== active && (isRepeated || isOld)) await deleteSnapshot(database, sourceId, number)
    else if (state === 'complete') kept += 1
    if (state === 'complete') after = hash
  }
  await deleteUnusedTexts(database, sourceId)
}
