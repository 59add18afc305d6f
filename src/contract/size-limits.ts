/** Limits that the server enforces and the page displays. Without zod, so the page loads only numbers. */

/** Longest prompt, in Unicode code points, after trimming. */
export const MAX_PROMPT_CHARACTERS = 32_000

/** Largest request body, in bytes. The longest prompt in UTF-8 takes half of it. */
export const MAX_BODY_BYTES = 256 * 1024

/** Longest text of one answer, in UTF-16 code units; a turn that would write more ends as failed with `answer_too_long`. */
export const MAX_ANSWER_CHARACTERS = 256 * 1024

/** Maximum number of earlier messages that a temporary chat sends. */
export const MAX_EARLIER_MESSAGES = 200

/** Maximum number of earlier messages that staff send with a prompt to a draft. */
export const MAX_TRIAL_MESSAGES = 40

/** Maximum number of sessions in a list or page. */
export const MAX_LISTED_SESSIONS = 100

/** A session or list returns its newest messages up to this many characters of stored JSON, and omits older ones. */
export const MAX_LISTED_CHARACTERS = 4 * 1024 * 1024

/** Largest `limit` of a page of messages. */
export const MAX_MESSAGES_A_PAGE = 1_000

/** Longest search text, in UTF-16 code units; maximum number of chats per page of results. */
export const MAX_SEARCH_CHARACTERS = 200
export const MAX_CHATS_FOUND = 20

/** Longest title of a session, in UTF-16 code units. */
export const MAX_TITLE_CHARACTERS = 80

/** Longest reason for a thumb up or down, in UTF-16 code units. */
export const MAX_REASON_CHARACTERS = 1_000

/** Longest text and number of messages of a report, and number of reports per visitor. */
export const MAX_REPORTED_CHARACTERS = 100_000
export const MAX_REPORTED_MESSAGES = 200
export const MAX_REPORTS = 20
/** Longest correction of an answer, in UTF-16 code units. */
export const MAX_CORRECTION_CHARACTERS = 2_000

/** Number of letters and digits in a session id. */
export const SESSION_ID_LENGTH = 21
/** The characters of a session's key. */
export const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Time limit for signing in at the provider, in seconds. */
export const ATTEMPT_LIFE_S = 10 * 60

/** Lifetime of the privacy-consent cookie, in seconds: 180 days. */
export const CONSENT_MAX_AGE_S = 180 * 24 * 60 * 60

/** Longest `Idempotency-Key`, in visible ASCII characters. */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255

/** Without a credential, a shorter `Idempotency-Key` has no effect, because another client could choose the same. */
export const MIN_ANONYMOUS_IDEMPOTENCY_KEY_CHARACTERS = 22

/** Maximum number of operator links in the footer. */
export const MAX_LINKS = 5

/** Name of the consent cookie; its value is `true` or `false`. */
export const CONSENT_COOKIE = 'privacy-consent'

/** Maximum number of files per prompt. */
export const MAX_ATTACHMENTS = 4
/** Largest file, in bytes; no provider rejects smaller ones for their size. */
export const MAX_FILE_BYTES = 3.5 * 1024 * 1024
/** Longest text read from a text file or PDF, in UTF-16 code units; the rest is omitted. */
export const MAX_FILE_TEXT_CHARACTERS = 16_000
/** Longest name of a file, in UTF-16 code units. */
export const MAX_FILE_NAME_CHARACTERS = 120
/** Maximum number of uploaded files that are not attached to a prompt yet; they are deleted after an hour. */
export const MAX_PENDING_FILES = 12
/** Storage for files per visitor, in bytes. */
export const MAX_OWN_FILE_BYTES = 60 * 1024 * 1024

/** Largest description of an embedding page, as JSON, its longest text, and the form of its keys. */
export const MAX_CONTEXT_LENGTH = 2048
export const MAX_CONTEXT_CHARACTERS = 500
export const CONTEXT_KEY = /^[\w-]{1,40}$/

/** Most prompts per day that a named embed can have as its limit. */
export const MAX_EMBED_PROMPTS = 10_000_000
