import { z } from 'zod'

/** State of the installation. */
export const InstallationStatus = z.object({
  release: z.string(),
  name: z.string().describe('Name of the installation.'),
  database: z.enum(['sqlite', 'postgres']),
  models: z.array(z.string()).describe('Labels of the model and the fallback model.'),
  problems: z.array(z.object({ code: z.string(), detail: z.string() })).describe('What the operator should fix, in sentences.'),
  indexing: z.object({ indexed: z.int(), total: z.int() }).nullable().describe('Progress of indexing the knowledge; `null` when complete.'),
  budgets: z.array(z.object({ period: z.enum(['day', 'month']), used: z.number(), limit: z.number() })),
  agents: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type InstallationStatus = z.infer<typeof InstallationStatus>
