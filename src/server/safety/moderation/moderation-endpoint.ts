import { z } from 'zod'
import { createEgress, readBody } from '../../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../../egress/address-policy.ts'

export interface EndpointSettings {
  url: string
  apiKey: string | null
  /** `null` for the endpoint's default. */
  model: string | null
}

const LIMITS = { connectTimeoutMs: 2_000, totalTimeoutMs: 5_000, maxBytes: 256 * 1024, maxRedirects: 0 }

/** The part of a reply that is used: https://platform.openai.com/docs/api-reference/moderations */
const Reply = z.object({ results: z.array(z.object({ flagged: z.boolean() })).min(1) })

/** Resolves with whether the endpoint flags a text. Rejects without a verdict, with an error that contains nothing of the text. */
export type Flags = (text: string, signal?: AbortSignal) => Promise<boolean>

export function moderationEndpoint({ url, apiKey, model }: EndpointSettings): Flags {
  const egress = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })
  const headers = { 'content-type': 'application/json', ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) }
  return async (text, signal) => {
    const body = JSON.stringify({ input: text, ...(model !== null && { model }) })
    const reply = await egress({ url: new URL(url), method: 'POST', headers, body, signal })
    const replyText = (await readBody(reply.body)).toString()
    if (reply.status !== 200) throw new Error(`The moderation endpoint responded with status ${reply.status}`)
    return Reply.parse(JSON.parse(replyText)).results.some(({ flagged }) => flagged)
  }
}
