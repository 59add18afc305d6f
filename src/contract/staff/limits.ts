import { z } from 'zod'

export const LimitName = z.string().regex(/^[A-Za-z]{1,40}$/)
const Amount = z.number().min(0).max(1e12)

export const LimitInForce = z.object({
  name: z.string(),
  setting: z.string().describe('The setting in the environment.'),
  description: z.string(),
  kind: z.enum(['quota', 'budget']).describe('Budgets cost money: only owners change them.'),
  unit: z.enum(['count', 'money']),
  value: z.number().nullable().describe('In force; `null` for a budget that the environment doesn’t set.'),
  source: z.enum(['default', 'environment', 'console']).describe('Where the value comes from.'),
  environmentValue: z.number().nullable().describe('Value that a reset restores.'),
  range: z
    .object({ min: z.number(), max: z.number() })
    .nullable()
    .describe('Values that staff can set; `null` for a budget that the environment doesn’t set.'),
  changedAt: z.iso.datetime().nullable(),
  changedBy: z.string().nullable().describe('Who changed it; `null` for somebody who was removed.'),
  used: z.number().nullable().describe('How much of it is used, for limits of the whole installation; otherwise `null`.'),
})
export type LimitInForce = z.infer<typeof LimitInForce>

export const LimitList = z.object({ limits: z.array(LimitInForce) })
export type LimitList = z.infer<typeof LimitList>

export const LimitChange = z.strictObject({
  value: Amount,
  replaces: Amount.describe('The value in force that the change was decided on. If it is another one by now, nothing is changed.'),
})
