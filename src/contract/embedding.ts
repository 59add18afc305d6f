/** First message of the framed page to its host page. Contains no data. */
export const HANDSHAKE = 'parley-hello'
/** The reply of the host page, with the port for all further messages. */
export const CONNECT = 'parley-connect'

/** Header of the framed page's writes: the origin of its host page, as the browser states it. */
export const EMBEDDING_SITE = 'embedding-site'

/** Messages of the host page. */
export type HostMessage =
  | { type: 'prefill'; text: string }
  | { type: 'ask'; text: string }
  | { type: 'theme'; theme: 'light' | 'dark'; color: string | undefined }
  | { type: 'context'; context: Readonly<Record<string, string>> }
  | { type: 'focus' }

/** Messages of the framed page. None has a text. */
export type FrameMessage = { type: 'ready' } | { type: 'close' } | { type: 'consent'; isGiven: boolean } | { type: 'answered' }

/** Longest text that the host page can put into the message box, in UTF-16 code units. */
export const MAX_PREFILL_CHARACTERS = 4_000
