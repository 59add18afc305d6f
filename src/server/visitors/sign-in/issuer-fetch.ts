import type { CustomFetch } from 'openid-client'
import { createEgressFetch } from '../../egress/egress-fetch.ts'
import { EgressError } from '../../egress/egress-error.ts'
import { createEgress } from '../../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../../egress/address-policy.ts'

/** One request to the provider, with its whole reply, takes no longer. */
const REQUEST_TIMEOUT_MS = 10_000
/** Largest reply that is read, in bytes, decompressed; metadata and keys of large providers have some 20 KB. */
const MAX_REPLY_BYTES = 512 * 1024
const TOO_MANY_REQUESTS = 429

/** The provider gave no answer that could be used: not reached, too slow, too long, or failing itself. It may work later. */
export class IssuerAway extends Error {}

/**
 * The only way to the provider, given to the library as its `fetch`. Bounded in time and size; redirects are not followed,
 * for a request may carry the client's secret. Rejects with `IssuerAway`.
 */
export function createIssuerFetch({ timeoutMs = REQUEST_TIMEOUT_MS, maxReplyBytes = MAX_REPLY_BYTES } = {}): CustomFetch {
  const limits = { connectTimeoutMs: timeoutMs, totalTimeoutMs: timeoutMs, maxBytes: maxReplyBytes, maxRedirects: 0 }
  const send = createEgressFetch(createEgress({ addressPolicy: OPERATOR_ALLOWED, limits }))
  return async (url, { method, headers, body }) => {
    try {
      const response = await send(url, { method, headers, body: body ?? null })
      const content = await response.arrayBuffer()
      if (response.status >= 500 || response.status === TOO_MANY_REQUESTS) throw new IssuerAway(`status ${response.status}`)
      return new Response(content.byteLength > 0 ? content : null, { status: response.status, headers: response.headers })
    } catch (cause) {
      throw cause instanceof IssuerAway ? cause : new IssuerAway(reasonOf(cause))
    }
  }
}

/** A reason or a name, never a foreign message: those may quote what was sent. */
function reasonOf(error: unknown): string {
  return error instanceof EgressError ? error.message : (error as Error).name
}
