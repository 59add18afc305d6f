export type EgressErrorReason =
  /** No http or https address, or one with a name and password in it. */
  | 'bad-address'
  /** It leads to where this request may not go. */
  | 'forbidden-address'
  /** It could not be reached, or the connection broke; `code` of the cause says how. */
  | 'unreachable'
  | 'too-slow'
  | 'too-large'
  | 'too-many-redirects'
  /** Its encoding is unknown or broken. */
  | 'unreadable'

/** Why a request did not get its reply. The message holds no address, no header and nothing of the reply. */
export class EgressError extends Error {
  readonly reason: EgressErrorReason

  constructor(reason: EgressErrorReason, cause?: unknown) {
    const code = (cause as { code?: unknown } | undefined)?.code
    super(typeof code === 'string' ? `${reason} (${code})` : reason)
    this.name = 'EgressError'
    this.reason = reason
  }
}
