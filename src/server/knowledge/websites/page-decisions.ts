import type { Database } from '../../store/engine/database.ts'
import {
  completeSnapshot,
  createSnapshot,
  deleteSnapshot,
  listSnapshots,
  readTexts,
  type SourcePage,
  type SourceRow,
  updateSource,
  writePages,
} from '../../store/knowledge/sources.ts'
import { acceptedPage, type HeldSource, heldKind, keptPage, mayKeep, readHeldSource } from './held-pages.ts'
import { charactersOf } from './page-text.ts'
import { settledReport } from './run-report.ts'
import { removeOldSnapshots } from './snapshot-writer.ts'
import { type ActionContext, SourceActionError, withLease } from './source-lease.ts'

/** In place of a definition's hash: a snapshot that staff have made, by decisions on pages. */
const DECIDED = 'decided'
const TEXTS = 50

export interface PageDecision {
  address: string
  decision: 'accept' | 'keep'
  /** Hashes of the texts that whoever decided saw; `null` for none. Without them, the decision is on what waits now. */
  seen?: { before: string | null; after: string | null }
}

/** A page isn't as it was seen any more, since somebody has decided about it or a run has read it again. Nothing was decided. */
export class ChangedMeanwhile extends SourceActionError {}

interface DecisionContext extends ActionContext {
  /** Called in the transaction that puts the decisions into force. */
  record?: (transaction: Database) => Promise<void>
}

/** Accepts or keeps single pages, all of these or none. The others go on waiting, over later runs. @throws {SourceActionError} */
export async function decidePages(
  database: Database,
  id: string,
  decisions: readonly PageDecision[],
  context: DecisionContext,
): Promise<void> {
  await withLease(database, id, context, async (row) => {
    const held = await readHeldSource(database, row)
    const waiting = new Map(held.pages.flatMap((page) => (heldKind(page) === null ? [] : [[page.address, page]])))
    const changed = decisions.filter((decision) => !isAsSeen(waiting.get(decision.address), decision))
    if (changed.length > 0) throw new ChangedMeanwhile(sentenceOf(changed))
    const chosen = new Map(decisions.map(({ address, decision }) => [address, decision]))
    for (const page of waiting.values())
      if (chosen.get(page.address) === 'keep' && !mayKeep(page))
        throw new SourceActionError(`${page.address} can't be kept: ${page.reason}`)
    const left = await applyDecisions(database, row, { held, decisionOf: ({ address }) => chosen.get(address) }, context)
    const accepted = decisions.filter(({ decision }) => decision === 'accept').length
    const counts = [`${accepted} pages accepted`, `${decisions.length - accepted} kept`, `${left} wait`]
    context.write(`${id}: ${counts.join(', ')}. In force within a few seconds.\n`)
  })
}

function isAsSeen(page: SourcePage | undefined, { seen }: PageDecision): boolean {
  return page !== undefined && (!seen || (page.text_hash === seen.before && page.held_hash === seen.after))
}

function sentenceOf(changed: readonly PageDecision[]): string {
  const [first] = changed
  const others = changed.length > 1 ? ` and ${changed.length - 1} more` : ''
  return `Nothing was decided: what waits at ${first?.address}${others} has changed or was decided meanwhile.`
}

/** Answers from a copy of the pages with these decisions, in place of what was held back. Returns how many pages still wait. */
export async function applyDecisions(
  database: Database,
  { id, active, report, pinned }: SourceRow,
  { held, decisionOf }: { held: HeldSource; decisionOf: (page: SourcePage) => PageDecision['decision'] | undefined },
  { now, record }: Pick<DecisionContext, 'now' | 'record'>,
): Promise<number> {
  const number = await createSnapshot(database, { sourceId: id, definitionHash: DECIDED, now: now() })
  const today = new Date(now()).toISOString().slice(0, 10)
  let left = 0
  let unanswered = 0
  for (let start = 0; start < held.pages.length; start += TEXTS) {
    const pages = held.pages.slice(start, start + TEXTS)
    const isAccepted = (page: SourcePage) => heldKind(page) !== null && decisionOf(page) === 'accept'
    const hashes = pages.filter(isAccepted).flatMap(({ held_hash: hash }) => hash ?? [])
    const texts = await readTexts(database, id, hashes)
    const rows = pages.map((page): SourcePage => {
      if (heldKind(page) !== null && decisionOf(page) === 'keep') return keptPage(page)
      if (isAccepted(page)) return acceptedPage(page, charactersOf(texts.get(page.held_hash ?? '')), today)
      if (heldKind(page) !== null) left += 1
      if (page.state === 'held') unanswered += 1
      return page
    })
    await writePages(database, { sourceId: id, snapshot: number }, rows, [])
  }
  const snapshots = await listSnapshots(database, id)
  const completion = { sourceId: id, number, state: 'complete', ...(record && { record }) } as const
  const { pages } = await completeSnapshot(database, completion)
  // Decisions that follow each other are one snapshot to roll back to, so that they don't push out those before them.
  const replaced = snapshots.find((one) => one.number === active && one.definition_hash === DECIDED)
  for (const old of [replaced?.number, held.quarantined]) if (typeof old === 'number') await deleteSnapshot(database, id, old)
  await removeOldSnapshots(database, id)
  if (report !== null) await updateSource(database, id, { report: settledReport(report, { pages, unanswered, isPinned: pinned === 1 }) })
  return left
}
