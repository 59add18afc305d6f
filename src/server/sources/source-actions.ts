import { randomUUID } from 'node:crypto'
import type { ExtractedDocument } from '../knowledge/ingestion/document.ts'
import type { Database } from '../store/database.ts'
import {
  activateSnapshot,
  completeSnapshot,
  createSnapshot,
  leaseSource,
  listSnapshots,
  readPages,
  readSource,
  readTexts,
  recordEnd,
  type SourcePage,
  type SourceRow,
  writePages,
} from '../store/sources.ts'
import { removeOldSnapshots } from './snapshot-writer.ts'

/** How long an action may work on a source. */
const LEASE_MS = 600_000

/** A sentence for whoever asked for what can't be done. */
export class Refusal extends Error {}

/** How to do what a sentence proposes. */
export interface NextSteps {
  sync: (id: string) => string
  accept: (id: string) => string
}

interface ActionContext {
  now: () => number
  /** Called with a line that says what was done. */
  write: (line: string) => void
  commands: NextSteps
}

/** Answers from what was held back. @throws {Refusal} */
export async function acceptSource(database: Database, id: string, context: ActionContext): Promise<void> {
  await withLease(database, id, context, async (row) => {
    const waiting = (await listSnapshots(database, id)).find(({ state, number }) => state === 'quarantined' && number > (row.active ?? 0))
    const from = waiting?.number ?? row.active
    if (from === null) throw new Refusal(`The source "${id}" has not been read yet.`)
    const held = await heldPages(database, id, from)
    if (!waiting && held.length === 0) {
      if (row.pinned === 0) throw new Refusal(`Nothing of the source "${id}" waits to be accepted.`)
      await activateSnapshot(database, id, from, false)
      context.write(`${id}: the next run may change the pages again.\n`)
      return
    }
    const number = held.length === 0 ? from : await accepted(database, id, { from, held, now: context.now() })
    await activateSnapshot(database, id, number, false)
    await removeOldSnapshots(database, id)
    context.write(`${id}: answers from snapshot ${number} within a few seconds.\n`)
  })
}

async function heldPages(database: Database, id: string, snapshot: number): Promise<SourcePage[]> {
  const held: SourcePage[] = []
  for await (const pages of readPages(database, id, snapshot)) held.push(...pages.filter(({ held_hash: hash }) => hash !== null))
  return held
}

/** A copy of a snapshot with the later texts of its held pages. Returns its number. */
async function accepted(
  database: Database,
  id: string,
  { from, held, now }: { from: number; held: SourcePage[]; now: number },
): Promise<number> {
  const texts = await readTexts(
    database,
    id,
    held.flatMap(({ held_hash: hash }) => hash ?? []),
  )
  const number = await createSnapshot(database, { sourceId: id, definitionHash: 'accepted', now })
  const today = new Date(now).toISOString().slice(0, 10)
  for await (const pages of readPages(database, id, from)) {
    const copies = pages.map((page): SourcePage => {
      const text = page.held_hash === null ? undefined : texts.get(page.held_hash)
      if (text === undefined) return page
      return {
        ...page,
        state: 'changed',
        text_hash: page.held_hash,
        held_hash: null,
        characters: charactersOf(text),
        as_of: today,
        reason: null,
      }
    })
    await writePages(database, { sourceId: id, snapshot: number }, copies, [])
  }
  await completeSnapshot(database, { sourceId: id, number, state: 'complete' })
  return number
}

function charactersOf(document: string): number {
  const { sections } = JSON.parse(document) as Pick<ExtractedDocument, 'sections'>
  return sections.reduce((sum, { blocks }) => sum + blocks.reduce((length, { text }) => length + text.length, 0), 0)
}

/** Answers from the snapshot before. @throws {Refusal} */
export async function rollBackSource(database: Database, id: string, context: ActionContext): Promise<void> {
  await withLease(database, id, context, async ({ active }) => {
    const before = (await listSnapshots(database, id)).find(({ state, number }) => state === 'complete' && number < (active ?? 0))
    if (!before) throw new Refusal(`The source "${id}" has no earlier snapshot.`)
    await activateSnapshot(database, id, before.number, true)
    const { accept } = context.commands
    context.write(`${id}: answers from snapshot ${before.number} within a few seconds. Later runs wait for: ${accept(id)}\n`)
  })
}

/** Changes a source that nobody reads meanwhile. @throws {Refusal} */
export async function withLease(
  database: Database,
  id: string,
  { now, commands }: Pick<ActionContext, 'now' | 'commands'>,
  change: (row: SourceRow) => Promise<void>,
): Promise<void> {
  await knownSource(database, id, commands)
  const holder = `command ${randomUUID()}`
  if (!(await leaseSource(database, id, { holder, now: now(), durationMs: LEASE_MS })))
    throw new Refusal(`The source "${id}" is being read; try again when that is done.`)
  try {
    await change(await knownSource(database, id, commands))
  } finally {
    await recordEnd(database, id, { holder, now: now(), report: null })
  }
}

/** @throws {Refusal} if it was never read. */
export async function knownSource(database: Database, id: string, { sync }: NextSteps): Promise<SourceRow> {
  const row = await readSource(database, id)
  if (!row) throw new Refusal(`The source "${id}" has not been read yet: ${sync(id)}`)
  return row
}
