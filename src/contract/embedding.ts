/** What the page in a frame says to the page around it, before they have a channel of their own. It tells nothing. */
export const HELLO = 'parley-hello'
/** What the page around it answers, with a port that everything else goes through. */
export const CONNECT = 'parley-connect'

/** What the page around asks for. */
export type HostMessage = { type: 'prefill'; text: string } | { type: 'theme'; theme: 'system' | 'light' | 'dark' } | { type: 'focus' }

/** What the page in the frame tells. */
export type FrameMessage = { type: 'ready' } | { type: 'close' }

/** The longest text that a page around may put into the message box. */
export const MAX_PREFILL_CHARACTERS = 4_000
