import { z } from 'zod'
import { EgressError } from '../../egress/egress-error.ts'
import { createEgress, type EgressResponse, readBody } from '../../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../../egress/address-policy.ts'
import { DOCTOR_COOKIE, DOCTOR_PATH, SeenRequest } from '../../../contract/chat/seen-request.ts'

const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 15_000, maxBytes: 1024 * 1024, maxRedirects: 0 }

const request = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })

/** The whole reply of a GET. Rejects with `EgressError`. */
export async function get(url: URL, headers: Record<string, string> = {}): Promise<{ status: number; headers: Headers; text: string }> {
  const reply = await request({ url, headers })
  return { status: reply.status, headers: reply.headers, text: (await readBody(reply.body)).toString() }
}

const Readiness = z.object({
  /** Code of the problem document, if the server takes no prompts. */
  code: z.string().optional(),
  problems: z.array(z.string()).default([]),
  details: z.array(z.string()).optional(),
  embedding: z.object({ embedded: z.number(), total: z.number() }).nullish(),
  indexing: z.object({ indexed: z.number(), total: z.number() }).nullish(),
})

/** Reads `/readyz`, with details if `token` is the one for metrics. */
export async function readReadiness(address: URL, token: string | null): Promise<z.infer<typeof Readiness> & { status: number }> {
  const { status, text } = await get(new URL('/readyz', address), token === null ? {} : { authorization: `Bearer ${token}` })
  return { status, ...Readiness.parse(JSON.parse(text)) }
}

/** The doctor's reply of the server: how it saw the request, and how long the end came after the beginning. */
export interface Echo {
  seen: SeenRequest
  cookie: string | null
  headers: Headers
  /** Milliseconds between the two events of the reply; `null` if `isBrief`. */
  gapMs: number | null
}

/** Asks how the server sees a request. `isBrief` ends with the first event. Resolves with the status if it isn't 200. */
export async function askDoctorRoute(
  address: URL,
  token: string,
  { headers = {}, isBrief = false }: { headers?: Record<string, string>; isBrief?: boolean } = {},
): Promise<Echo | { status: number; text: string }> {
  const all = { accept: 'text/event-stream', authorization: `Bearer ${token}`, cookie: `${DOCTOR_COOKIE}=1`, ...headers }
  const reply = await request({ url: new URL(DOCTOR_PATH, address), headers: all })
  if (reply.status !== 200) return { status: reply.status, text: (await readBody(reply.body)).toString() }
  return readEcho(reply, isBrief)
}

async function readEcho(reply: EgressResponse, isBrief: boolean): Promise<Echo> {
  let text = ''
  let seen: SeenRequest | undefined
  let seenAt = 0
  for await (const chunk of reply.body) {
    text += String(chunk)
    if (!seen) {
      const [, data] = /^event: request\ndata: (.*)\n\n/m.exec(text) ?? []
      if (data === undefined) continue
      seen = SeenRequest.parse(JSON.parse(data))
      seenAt = performance.now()
    }
    if (isBrief || text.includes('event: end')) break
  }
  if (!seen) throw new EgressError('unreadable')
  return { seen, cookie: reply.headers.get('set-cookie'), headers: reply.headers, gapMs: isBrief ? null : performance.now() - seenAt }
}
