export type EgressErrorReason =
  /** Not an http or https URL, or one with credentials. */
  | 'bad-address'
  /** The address policy forbids it. */
  | 'forbidden-address'
  /** Connecting failed or the connection broke; see `code` of the cause. */
  | 'unreachable'
  | 'too-slow'
  | 'too-large'
  | 'too-many-redirects'
  /** The content encoding is unknown or broken. */
  | 'unreadable'

/** Why a request failed. The message contains no address, header or content. */
export class EgressError extends Error {
  readonly reason: EgressErrorReason

  constructor(reason: EgressErrorReason, cause?: unknown) {
    const code = (cause as { code?: unknown } | undefined)?.code
    super(typeof code === 'string' ? `${reason} (${code})` : reason)
    this.name = 'EgressError'
    this.reason = reason
  }
}
