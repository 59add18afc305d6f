import type { HeldKind } from '../../../contract/staff/content/held-page-kinds.ts'
import type { Database } from '../../store/engine/database.ts'
import { listSnapshots, readPages, type SourcePage, type SourceRow } from '../../store/knowledge/sources.ts'

/** `rejected_hash` of a page that staff keep although the site has it no more. */
export const GONE = 'gone'
/** A site's own restrictions; staff can't override them to keep such pages. */
export const SITE_WISHES = { robots: 'robots.txt does not allow it.', index: 'It asks not to be indexed or quoted.' } as const

export const LEFT_OUT_BY_STAFF = 'Staff have left it out.'

export const NO_TEXT = {
  text_hash: null,
  held_hash: null,
  held_as_of: null,
  held_kind: null,
  rejected_hash: null,
  characters: 0,
  as_of: null,
  etag: null,
  last_modified: null,
  reason: null,
}
export const NOTHING_HELD = { held_hash: null, held_as_of: null, held_kind: null }

/** Decision that a page waits for; `null` for none. */
export function heldKind({ held_kind: kind, held_hash: hash }: Pick<SourcePage, 'held_kind' | 'held_hash'>): HeldKind | null {
  return kind ?? (hash === null ? null : 'shorter')
}

export function mayKeep({ reason }: Pick<SourcePage, 'reason'>): boolean {
  return !Object.values(SITE_WISHES).some((wish) => wish === reason)
}

/** The pages of a website as they answer, with what waits at each, and the snapshot that was held back as a whole, if any. */
export interface HeldSource {
  pages: SourcePage[]
  quarantined: number | null
}

/** Reads what waits for staff: in a snapshot that was held back, or at single pages of the one that answers. */
export async function readHeldSource(database: Database, { id, active }: Pick<SourceRow, 'id' | 'active'>): Promise<HeldSource> {
  if (active === null) return { pages: [], quarantined: null }
  const answering = new Map<string, SourcePage>()
  for await (const part of readPages(database, id, active)) for (const page of part) answering.set(page.address, page)
  const snapshots = await listSnapshots(database, id)
  const quarantined = snapshots.find(({ state, number }) => state === 'quarantined' && number > active)?.number ?? null
  if (quarantined === null) return { pages: [...answering.values()], quarantined }
  const pages: SourcePage[] = []
  for await (const part of readPages(database, id, quarantined))
    for (const page of part) {
      pages.push(withChange(answering.get(page.address), page))
      answering.delete(page.address)
    }
  for (const page of answering.values()) pages.push(gone(page, 'Nothing leads to it any more.'))
  return { pages, quarantined }
}

/** A page as it answers, with what a later snapshot would change. */
function withChange(before: SourcePage | undefined, after: SourcePage): SourcePage {
  const { text_hash: hash, as_of: asOf } = after
  const answers = before?.text_hash ?? null
  if (hash === answers) return after
  if (before && hash === null) return gone(before, after.reason)
  const held = after.held_hash === null ? { held_hash: hash, held_as_of: asOf } : {}
  const { text_hash = null, characters = 0, as_of = null } = before ?? {}
  return {
    ...after,
    text_hash,
    characters,
    as_of,
    ...held,
    state: 'held',
    held_kind: answers === null ? 'new' : 'changed',
    reason: answers === null ? 'It is new.' : 'Its text has changed.',
  }
}

function gone(page: SourcePage, reason: string | null): SourcePage {
  return page.text_hash === null ? page : { ...page, ...NOTHING_HELD, state: 'held', held_kind: 'gone', reason }
}

/** A held page with its later state. `characters`: of its later text; `today`: an ISO date, for a text without one. */
export function acceptedPage(page: SourcePage, characters: number, today: string): SourcePage {
  const { address, depth, text_hash: before, held_hash: hash, held_as_of: asOf } = page
  if (hash === null) return { ...NO_TEXT, address, depth, state: 'gone', reason: page.reason }
  const state = before === null ? 'new' : 'changed'
  return { ...page, ...NOTHING_HELD, state, text_hash: hash, characters, as_of: asOf ?? today, rejected_hash: null, reason: null }
}

/** A held page as it was. It waits again when the site has another text. */
export function keptPage(page: SourcePage): SourcePage {
  const { text_hash: before, held_hash: hash } = page
  const rejected = { ...NOTHING_HELD, rejected_hash: hash ?? GONE }
  return before === null
    ? { ...page, ...rejected, state: 'skipped', reason: LEFT_OUT_BY_STAFF }
    : { ...page, ...rejected, state: 'unchanged', reason: null }
}
