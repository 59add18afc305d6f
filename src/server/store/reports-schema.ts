import type { Reading, ReportScope } from '../../contract/reports.ts'
import type { FixKind, Verdict } from '../../contract/staff/verdicts.ts'
import type { Generated } from 'kysely'

/** What a visitor has handed over to staff about an answer. */
interface ReportTable {
  id: string
  session_id: string
  /** Of the answer. */
  position: number
  scope: ReportScope
  /** `ReportedMessage[]`, JSON: a copy, as the visitor edited it. */
  messages: string
  reason: string | null
  /** Of the rating when it was handed over. */
  thumb: 'up' | 'down' | null
  created_at: number
  expires_at: number
  verdict: Generated<Verdict | null>
  /** What repairs it, as staff wrote it. */
  fix: Generated<string | null>
  /** What repairs it as a record, which may be gone meanwhile. */
  fix_kind: Generated<FixKind | null>
  fix_id: Generated<string | null>
  /** Counts verdicts. */
  revision: Generated<number>
}

/** Somebody on the staff has opened a report or a chat. Stays when the report is gone, as long as the chat. */
interface ReadingTable {
  id: string
  session_id: string
  /** Empty for the chat itself: the column takes no null, and the former release has to work with the table too. */
  report_id: string
  role: Reading['role']
  read_at: number
}

/** What staff have written at one answer, or at every answer that names a version of a file. */
interface CorrectionTable {
  id: string
  /** `null` for every answer that names the file. */
  session_id: string | null
  position: number | null
  source: string | null
  /** `sourceVersion` of the file. */
  version: string | null
  text: string
  created_at: number
}

export interface ReportsSchema {
  reports: ReportTable
  readings: ReadingTable
  corrections: CorrectionTable
}
