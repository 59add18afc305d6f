import { z } from 'zod'

const Code = z.enum(['stops', 'operator', 'knowledge', 'model', 'budget-day', 'budget-month', 'no-backup', 'old-backup', 'migrations'])
const Endpoint = z.object({
  name: z.string().describe('Name of the model.'),
  answered: z.int().describe('Turns that it answered in the last ten minutes.'),
  failed: z.int().describe('Turns that ended because it failed.'),
  lastFailure: z.string().nullable().describe('Code of the last failure.'),
})

/** Facts about the database and the disk, as `parley status` prints them. */
export const SystemFacts = z.object({
  migrations: z.object({ applied: z.int(), pending: z.int() }),
  databaseBytes: z.int(),
  freeBytes: z.int().nullable().describe('In the folder of the data.'),
  runningTurns: z.int().describe('In all processes.'),
  backup: z
    .object({ lastAt: z.iso.datetime().nullable(), rehearsedAt: z.iso.datetime().nullable() })
    .describe('When `parley backup` last made one, and `parley restore --rehearse` last tried one; `null` if never.'),
  sources: z.array(z.object({ id: z.string(), state: z.string() })).describe('Websites that are read as knowledge.'),
})
export type SystemFacts = z.infer<typeof SystemFacts>

export const InstallationStatus = z.object({
  release: z.string(),
  name: z.string().describe('Name of the installation.'),
  staffReading: z.boolean().describe('Whether staff can read chats whose visitors have accepted that: `STAFF_READING=all`.'),
  database: z.enum(['sqlite', 'postgres']),
  models: z.array(z.string()).describe('Labels of the model and the fallback model.'),
  problems: z.array(z.object({ code: z.string(), detail: z.string() })).describe('Problems for the operator to fix, in sentences.'),
  embedding: z
    .object({ embedded: z.int(), total: z.int() })
    .nullable()
    .describe('Progress of embedding the knowledge’s passages; `null` when none is to come.'),
  indexing: z.object({ indexed: z.int(), total: z.int() }).nullable().describe('Progress of indexing the knowledge; `null` when complete.'),
  chat: z.string().describe('Address of the page for visitors.'),
  steps: z
    .array(z.object({ step: z.enum(['content', 'ask', 'model', 'site', 'colleague']), isDone: z.boolean() }))
    .describe('The first steps of an installation, in their order.'),
  budgets: z.array(z.object({ period: z.enum(['day', 'month']), used: z.number(), limit: z.number() })),
  system: SystemFacts,
  endpoints: z
    .array(Endpoint)
    .describe('Models that turns of this process used in the last ten minutes. No requests are made to find out.'),
  attention: z
    .array(
      z.object({
        screen: z.string(),
        code: Code,
        values: z.record(z.string(), z.union([z.string(), z.number()])).describe('Names and numbers in the sentence of the code.'),
        text: z.string(),
      }),
    )
    .describe('Problems that need attention, as sentences and codes, each with the screen of the console that has details.'),
  waiting: z
    .object({
      questions: z.int().describe('Topics of visitors, and trials of staff, without an answer.'),
      feedback: z.int().describe('Reports without a verdict.'),
      websites: z.int().describe('Held pages; a snapshot that is held as a whole counts as one.'),
    })
    .describe('How much waits for staff, by the screen of the console that has it.'),
  agents: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      emergencies: z
        .enum(['off', 'words', 'words_and_model'])
        .describe('Whether emergencies get the numbers to call, and what finds them.'),
    }),
  ),
})
export type InstallationStatus = z.infer<typeof InstallationStatus>
