import { z } from 'zod'

/** Scopes of a stop: everything, an agent, a topic, or a file of the knowledge. */
const STOP_SCOPES = ['all', 'agent', 'topic', 'file'] as const

const Text = z.string().trim().min(1).max(2_000)
export const StopId = z.string().regex(/^[0-9a-f]{8}$/)

/** A stop, as staff put it into force. */
export const NewStop = z
  .strictObject({
    scope: z.enum(STOP_SCOPES),
    target: z.string().trim().max(2_000).default('').describe('Id of the agent, words of the topic, or path of the file; empty for all.'),
    examples: z.array(Text).max(100).default([]).describe('Prompts that belong to the topic; topics only.'),
    reply: Text.nullable().default(null).describe('Reply to visitors; `null` for a general sentence.'),
    reason: Text.describe('For those who find the stop later.'),
  })
  .refine(({ scope, target }) => (scope === 'all') === (target === ''), {
    path: ['target'],
    message: 'Name what to stop, except for everything',
  })
  .refine(({ scope, examples }) => scope === 'topic' || examples.length === 0, { path: ['examples'], message: 'Only a topic has examples' })
export type NewStop = z.infer<typeof NewStop>

export const StopInForce = z.object({
  id: StopId,
  scope: z.enum(STOP_SCOPES),
  target: z.string(),
  examples: z.array(z.string()),
  reply: z.string().nullable(),
  reason: z.string(),
  since: z.iso.datetime(),
})
export type StopInForce = z.infer<typeof StopInForce>

export const StopList = z.object({ stops: z.array(StopInForce) })
export type StopList = z.infer<typeof StopList>
