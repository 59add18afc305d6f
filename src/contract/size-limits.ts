/** Limits that the server enforces and the page counts against. Kept free of zod, so that the page carries only numbers. */

/** Longest prompt, in Unicode code points, after trimming. */
export const MAX_PROMPT_CHARACTERS = 32_000

/** Largest request body, in bytes. A prompt at its limit, written in UTF-8, takes half of it. */
export const MAX_BODY_BYTES = 256 * 1024

/** Longest text of one answer, in UTF-16 code units; a turn that would write more ends as failed with `answer_too_long`. */
export const MAX_ANSWER_CHARACTERS = 256 * 1024

/** What a temporary chat may send of what was said before. */
export const MAX_EARLIER_MESSAGES = 200

/** Largest document that one import takes, in bytes. */
export const MAX_IMPORT_BYTES = 10 * 1024 * 1024
/** Chats of one import, messages of one chat, parts of one message. */
export const MAX_IMPORTED_CHATS = 1_000
export const MAX_IMPORTED_MESSAGES = 5_000
export const MAX_IMPORTED_PARTS = 500

/** How many sessions one list, or a page of it, holds. */
export const MAX_LISTED_SESSIONS = 100

/** Newest messages of a session, or of a list, up to this many characters of stored JSON; older ones are left out. */
export const MAX_LISTED_CHARACTERS = 4 * 1024 * 1024

/** How many messages a page of a session holds, where its length is said. */
export const MAX_MESSAGES_A_PAGE = 1_000

/** Longest text that is searched for, in UTF-16 code units; chats of one page of what was found, and messages of one chat there. */
export const MAX_SEARCH_CHARACTERS = 200
export const MAX_CHATS_FOUND = 20
export const MAX_FOUND_IN_CHAT = 5

/** Days after which a link to a chat may end; links that one visitor has; what one shows, in characters of stored JSON. */
export const SHARE_DAYS = [1, 7, 30] as const
export const MAX_SHARES = 20
export const MAX_SHARED_CHARACTERS = 1024 * 1024

/** Longest title of a session, in UTF-16 code units. */
export const MAX_TITLE_CHARACTERS = 80

/** Longest reason for a thumb up or down, in UTF-16 code units. */
export const MAX_REASON_CHARACTERS = 1_000

/** Session ids are this many letters and digits. */
export const SESSION_ID_LENGTH = 21

/** A visitor may take this long at the sign-in provider, in seconds. */
export const ATTEMPT_LIFE_S = 10 * 60

/** The privacy-consent cookie lives this long, in seconds: 180 days. */
export const CONSENT_MAX_AGE_S = 180 * 24 * 60 * 60

/** Longest `Idempotency-Key`, in visible ASCII characters. */
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255

/** Of a caller without a credential, a shorter `Idempotency-Key` has no effect: anybody might choose the same. */
export const MIN_ANONYMOUS_IDEMPOTENCY_KEY_CHARACTERS = 22

/** Links of the operator's at the foot of the page. */
export const MAX_LINKS = 5

/** Name of the consent cookie; its value is `true` or `false`. */
export const CONSENT_COOKIE = 'privacy-consent'

/** Files of one prompt. */
export const MAX_ATTACHMENTS = 4
/** Largest file that is taken, in bytes; what is smaller no provider refuses for its size. */
export const MAX_FILE_BYTES = 3.5 * 1024 * 1024
/** Of a text or a PDF so much is read, in UTF-16 code units; the rest is left out. */
export const MAX_FILE_TEXT_CHARACTERS = 16_000
/** Longest name of a file, in UTF-16 code units. */
export const MAX_FILE_NAME_CHARACTERS = 120
/** Files that a visitor has sent and put into no prompt yet; they go after an hour. */
export const MAX_WAITING_FILES = 12
/** All files of one visitor together, in bytes. */
export const MAX_OWN_FILE_BYTES = 60 * 1024 * 1024
