import type { SourcePage } from '../../store/knowledge/sources.ts'
import { heldKind } from './held-pages.ts'
import type { ReadPage } from './reading/page-reader.ts'

/** A page that loses more of its text than this share is held. */
const MAX_LOSS = 0.5

export type KnownPage = Pick<
  SourcePage,
  'text_hash' | 'held_hash' | 'held_as_of' | 'held_kind' | 'rejected_hash' | 'characters' | 'as_of' | 'etag' | 'last_modified'
>

/** Copies the columns that a page keeps while no new text of it can answer. */
export function keptOf(known: KnownPage): KnownPage {
  const { text_hash, held_hash, held_as_of, held_kind, rejected_hash, characters, as_of, etag, last_modified } = known
  return { text_hash, held_hash, held_as_of, held_kind, rejected_hash, characters, as_of, etag, last_modified }
}

export function stateOfKept(page: KnownPage): 'held' | 'unchanged' | 'skipped' {
  if (heldKind(page) !== null) return 'held'
  return page.text_hash === null ? 'skipped' : 'unchanged'
}

export type Judgement =
  | { state: 'unchanged' | 'new' | 'changed' }
  /** Staff have rejected this text; the page stays as it is. */
  | { state: 'rejected' }
  /** The earlier text stays in use. `mayAccept`: whether staff can accept the new one. `reason` is a sentence. */
  | { state: 'held'; reason: string; mayAccept: false }
  | { state: 'held'; reason: string; mayAccept: true; kind: 'new' | 'changed' | null }
  | { state: 'skipped'; reason: string }

/** Whether staff decide about each later text: one waits for them, or they have rejected one. */
export function isForStaff({ held_kind: kind, rejected_hash: rejected }: KnownPage): boolean {
  return kind !== null || rejected !== null
}

/** Decides whether a page's new text may answer. `sameTextAs` is another page of this run with the same text. */
export function judgePage(page: ReadPage, known: KnownPage | undefined, sameTextAs: string | undefined): Judgement {
  const wasThere = known !== undefined && known.text_hash !== null
  if (wasThere && known.text_hash === page.hash) return { state: 'unchanged' }
  if (known?.rejected_hash === page.hash) return { state: 'rejected' }
  const fault = faultOf(page, sameTextAs)
  if (!wasThere && !known?.held_kind) {
    if (fault) return { state: 'skipped', reason: fault }
    if (!known?.rejected_hash) return { state: 'new' }
  }
  if (fault) return { state: 'held', reason: fault, mayAccept: false }
  if (known && isForStaff(known))
    return { state: 'held', reason: 'Its new text waits for staff.', mayAccept: true, kind: wasThere ? 'changed' : 'new' }
  if (known && page.characters < known.characters * (1 - MAX_LOSS))
    return { state: 'held', reason: 'It has lost more than half of its text.', mayAccept: true, kind: null }
  return { state: 'changed' }
}

function faultOf({ isLogin, isError, isEmptyShell, characters }: ReadPage, sameTextAs: string | undefined): string | null {
  if (isLogin) return 'It is a page to sign in.'
  if (isError) return 'It is an error page.'
  if (isEmptyShell) return 'It needs a browser: its scripts make its text (BROWSER_URL).'
  if (characters === 0) return 'It has no text.'
  return sameTextAs === undefined ? null : `It has the same text as ${sameTextAs}.`
}

/** Whether a canonical address is another way to write the page's own: without parameters, with or without a slash or an index. */
export function isSamePage(address: string, canonical: string): boolean {
  return plain(address) === plain(canonical)
}

function plain(address: string): string {
  const { host, pathname } = new URL(address)
  return `${host}${pathname.toLowerCase().replace(/\/(?:index\.(?:html?|php))?$/, '')}`
}

/** Sources with fewer pages change by more than a fifth all the time. */
const MIN_PAGES = 5
const MAX_CHANGED = 0.2

/** Whether so much of a source has changed that staff decide first. */
export function isQuarantined(activePages: number, { changed, gone, held }: { changed: number; gone: number; held: number }): boolean {
  return activePages >= MIN_PAGES && changed + gone + held > activePages * MAX_CHANGED
}
