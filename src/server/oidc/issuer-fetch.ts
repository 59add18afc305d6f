import type { CustomFetch } from 'openid-client'
import { createEgressFetch } from '../egress/egress-fetch.ts'
import { EgressError } from '../egress/egress-error.ts'
import { createEgress } from '../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../egress/address-policy.ts'

const REQUEST_TIMEOUT_MS = 10_000
/** Maximum size of a decompressed reply; metadata and keys of large providers take about 20 KB. */
const MAX_REPLY_BYTES = 512 * 1024
const TOO_MANY_REQUESTS = 429

/** The provider is unreachable, too slow, or sent an unusable reply. Retrying later may work. */
export class IssuerUnavailable extends Error {}

/** `fetch` for the OIDC library, bounded. No redirects, since requests can contain the secret. Rejects with `IssuerUnavailable`. */
export function createIssuerFetch({ timeoutMs = REQUEST_TIMEOUT_MS, maxReplyBytes = MAX_REPLY_BYTES } = {}): CustomFetch {
  const limits = { connectTimeoutMs: timeoutMs, totalTimeoutMs: timeoutMs, maxBytes: maxReplyBytes, maxRedirects: 0 }
  const send = createEgressFetch(createEgress({ addressPolicy: OPERATOR_ALLOWED, limits }))
  return async (url, { method, headers, body }) => {
    try {
      const response = await send(url, { method, headers, body: body ?? null })
      const content = await response.arrayBuffer()
      if (response.status >= 500 || response.status === TOO_MANY_REQUESTS) throw new IssuerUnavailable(`status ${response.status}`)
      return new Response(content.byteLength > 0 ? content : null, { status: response.status, headers: response.headers })
    } catch (cause) {
      throw cause instanceof IssuerUnavailable ? cause : new IssuerUnavailable(reasonOf(cause))
    }
  }
}

/** A code or an error name. Foreign messages may quote the request. */
function reasonOf(error: unknown): string {
  return error instanceof EgressError ? error.message : (error as Error).name
}
