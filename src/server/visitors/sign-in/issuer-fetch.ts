import type { CustomFetch } from 'openid-client'

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
  return async (url, { method, headers, body }) => {
    try {
      const request = { method, headers, body: body ?? null, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const
      const response = await fetch(url, request)
      const content = await readWithin(response, maxReplyBytes)
      if (response.status >= 500 || response.status === TOO_MANY_REQUESTS) throw new IssuerAway(`status ${response.status}`)
      return new Response(content.length > 0 ? content : null, { status: response.status, headers: response.headers })
    } catch (cause) {
      throw cause instanceof IssuerAway ? cause : new IssuerAway(reasonOf(cause))
    }
  }
}

async function readWithin(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new IssuerAway('reply too long')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** A code or a name, never a message: those may quote what was sent. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? name
}
