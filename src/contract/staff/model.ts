import { z } from 'zod'

/** Providers of a model that owners connect; `address` is any endpoint of OpenAI's protocol. */
const MODEL_PROVIDERS = ['openai', 'anthropic', 'google', 'mistral', 'address'] as const

const address = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .describe('Base URL of an OpenAI-compatible endpoint.')

const chosen = {
  model: z.string().trim().min(1).max(200),
  key: z.string().trim().min(1).max(500).optional().describe('Never returned. Without it, the stored key of the same host is used.'),
}

export const ModelToConnect = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.enum(['openai', 'anthropic', 'google', 'mistral']), ...chosen }),
  z.strictObject({ provider: z.literal('address'), address, ...chosen }),
])
export type ModelConnection = z.infer<typeof ModelToConnect>

export const ConnectedModel = z.object({
  isSetByEnvironment: z.boolean().describe('Whether `MODEL` is set: a connected model isn’t used then.'),
  label: z.string().describe('The model that answers.'),
  connection: z
    .object({ provider: z.enum(MODEL_PROVIDERS), address: z.string().nullable(), model: z.string(), hasKey: z.boolean() })
    .nullable(),
  isLive: z.boolean().describe('Whether the process has started with what is stored.'),
})
export type ConnectedModel = z.infer<typeof ConnectedModel>

export const ModelTested = z.object({
  isAnswering: z.boolean(),
  seconds: z.number(),
  detail: z.string().describe('The answer, or why there is none.'),
})
export type ModelTested = z.infer<typeof ModelTested>
