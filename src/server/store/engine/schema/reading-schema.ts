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
