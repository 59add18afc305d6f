import type { Reading, ReportScope } from '../../../../contract/reports.ts'
import type { Verdict } from '../../../../contract/staff/content/verdicts.ts'
import type { Generated } from 'kysely'

interface ReportTable {
  id: string
  session_id: string
  position: number
  scope: ReportScope
  /** `ReportedMessage[]`, JSON: a copy, as the visitor edited it. */
  messages: string
  reason: string | null
  thumb: 'up' | 'down' | null
  created_at: number
  expires_at: number
  verdict: Generated<Verdict | null>
  fix: Generated<string | null>
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

/** A correction by staff of one answer, or of every answer that names a version of a file. */
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

/** That a visitor has accepted a privacy notice which says that staff can read. Withdrawing deletes it. */
interface AcceptedNoticeTable {
  id: string
  visitor_id: string
  /** `PrivacyNotices.version`. */
  version: string
  accepted_at: number
}

/** A prompt that was sent with such an acceptance. Without a row here, staff can't read a prompt. */
interface ReadablePromptTable {
  /** Names the chat in the console, where a session's id must not be: it may open the chat. */
  id: string
  session_id: string
  position: number
  acceptance_id: string
  sent_at: number
}

export interface ReadingSchema {
  accepted_notices: AcceptedNoticeTable
  readable_prompts: ReadablePromptTable
}
