import { create } from 'zustand'
import type { Challenge } from '../../contract/proof-of-work.ts'
import { EMBEDDED_HEADERS, siteHeaders } from './embedded.ts'
import { type FailureCode, recordDownload } from './failure.ts'

/** The result of a call. Calls throw only when their signal aborts. */
export type Outcome<T> = { ok: true; value: T } | Failed

/**
 * `turn`: the running one, with `session_busy`. `challenge`: the required proof of work, with `proof_of_work_required`. `retryAfterS`: when
 * the server accepts requests again.
 */
export interface Failed {
  ok: false
  code: FailureCode
  turn?: string
  challenge?: Challenge
  retryAfterS?: number | undefined
}

/** How long the rate limit applies; `undefined` for other failures. */
export const limitedForS = ({ code, retryAfterS }: Pick<Failed, 'code' | 'retryAfterS'>): number | undefined =>
  code === 'too_many_requests' ? retryAfterS : undefined

/** Maximum wait for the response headers. The server itself times out earlier. */
const HEAD_TIMEOUT_MS = 30_000

/** Whether the newest request or stream brought anything. */
export const useIsReached = create<boolean>(() => true)

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'DELETE'
  /** A file, or what is sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Continues when the page is closed. */
  keepalive?: boolean
}

/** Sends a request to the page's server. Returns the successful response with its body unread. */
export async function request(
  path: string,
  { method = 'GET', body, headers, signal, keepalive = false }: RequestOptions = {},
): Promise<Outcome<Response>> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), HEAD_TIMEOUT_MS)
  try {
    const response = await fetch(path, {
      method,
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      headers: { ...headersOf(body), ...EMBEDDED_HEADERS, ...headers },
      keepalive,
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    })
    useIsReached.setState(true)
    return response.ok ? { ok: true, value: response } : await failureIn(response)
  } catch (error) {
    if (signal?.aborted) throw error
    console.error(error)
    useIsReached.setState(false)
    return { ok: false, code: timeout.signal.aborted ? 'no_reply' : navigator.onLine ? 'network' : 'offline' }
  } finally {
    clearTimeout(timer)
  }
}

function headersOf(body: unknown): Record<string, string> {
  if (body instanceof Blob) return { 'Content-Type': 'application/octet-stream' }
  return body === undefined ? {} : { 'Content-Type': 'application/json', ...siteHeaders() }
}

/** Like `request`, with the parsed JSON body. */
export async function requestJson<T>(path: string, options?: RequestOptions): Promise<Outcome<T>> {
  const outcome = await request(path, options)
  if (!outcome.ok) return outcome
  try {
    return { ok: true, value: (await outcome.value.json()) as T }
  } catch (error) {
    if (options?.signal?.aborted) throw error
    console.error(error)
    return { ok: false, code: 'network' }
  }
}

async function failureIn(response: Response): Promise<Failed> {
  const problem = (await response.json().catch(() => null)) as (Omit<Failed, 'ok'> & { percent?: number }) | null
  if (problem?.percent !== undefined) recordDownload(problem.percent)
  const retryAfterS = Number(response.headers.get('retry-after')) || undefined
  return { code: 'internal', ...problem, retryAfterS, ok: false }
}
