interface SourceTable {
  id: string
  active: number | null
  /** Whether staff have gone back to it, so that later snapshots wait. */
  pinned: number
  /** The process that reads the website now, until `lease_until`. */
  holder: string | null
  lease_until: number
  started_at: number | null
  ended_at: number | null
  /** `RunReport` of the last run, JSON. */
  report: string | null
}

interface SourceSnapshotTable {
  source_id: string
  number: number
  /** A quarantined one waits for staff. */
  state: 'building' | 'complete' | 'quarantined'
  definition_hash: string
  /** Hash of its addresses and texts; null while it is built. */
  hash: string | null
  /** With a text. */
  pages: number
  created_at: number
}

interface SourcePageTable {
  source_id: string
  snapshot: number
  address: string
  state: 'queued' | 'unchanged' | 'new' | 'changed' | 'held' | 'failed' | 'gone' | 'skipped'
  /** Links from a start address. */
  depth: number
  text_hash: string | null
  /** A later text that staff have to accept. */
  held_hash: string | null
  /** ISO date of that text. */
  held_as_of: string | null
  /** Change that waits for staff; null for none, and for a text less than half as long as the one that answers. */
  held_kind: 'new' | 'changed' | 'gone' | null
  /** The later text that staff have rejected, or `gone` if they keep a page that the site has no more. */
  rejected_hash: string | null
  characters: number
  as_of: string | null
  /** Headers of the last reply, for the next request. */
  etag: string | null
  last_modified: string | null
  reason: string | null
}

interface SourceTextTable {
  source_id: string
  hash: string
  /** Title and sections, JSON. */
  document: string
}

export interface SourcesSchema {
  sources: SourceTable
  source_snapshots: SourceSnapshotTable
  source_pages: SourcePageTable
  source_texts: SourceTextTable
}
