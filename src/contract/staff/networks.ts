import { z } from 'zod'
import { MAX_BLOCK_HOURS, MIN_REJECTIONS } from './network-limits.ts'

/** A network under the salt of a day: nobody can tell its address from it, and it has another one every day. */
export const NetworkKey = z.string().regex(/^[0-9a-f]{32}$/)

const MAX_REASON_CHARACTERS = 200

const Timestamp = z.iso.datetime()

export const RejectedNetwork = z.object({
  network: NetworkKey,
  day: z.iso.date().describe('UTC. The same network has another key on another day.'),
  rejections: z.int().describe('Requests that were rejected on that day.'),
  reasons: z
    .array(z.object({ code: z.string(), count: z.int() }))
    .describe('Rejected requests by reason, most first; rare reasons together as `other`.'),
})

export const NetworkBlock = z.object({
  network: NetworkKey,
  reason: z.string(),
  since: Timestamp,
  until: Timestamp,
  by: z.string().nullable().describe('Who blocked it; `null` for somebody who was removed.'),
})

export const NetworkList = z.object({
  rejected: z.array(RejectedNetwork).describe(`Networks with at least ${MIN_REJECTIONS} rejected requests today or yesterday, most first.`),
  blocks: z.array(NetworkBlock).describe('Blocks in force, the latest first.'),
})
export type NetworkList = z.infer<typeof NetworkList>

export const NewNetworkBlock = z.strictObject({
  hours: z.int().min(1).max(MAX_BLOCK_HOURS),
  reason: z.string().trim().min(1).max(MAX_REASON_CHARACTERS).describe('For colleagues. Visitors don’t read it.'),
})
export const NetworkUnblocked = z.object({ unblocked: z.literal(true) })
