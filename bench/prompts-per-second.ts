import { Client } from './support/client-jobs.ts'
import { againstRival, type Figure } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'
import { bareWriter, recordStatements } from './support/recorded-statements.ts'
import { parleyWithModel } from './support/rivals.ts'
import { parleyTarget } from './support/target.ts'

const TOGETHER = 20
const WARM_UP_PROMPTS = 500
const PROMPTS = 2_000

/** Whole prompts per second with a model that answers immediately, compared with running only their database statements. */
export const promptsPerSecond: Figure = {
  name: 'prompts-per-second',
  measure: () =>
    withProcesses(async (processes) => {
      const parley = await parleyWithModel(processes)
      const target = parleyTarget('Parley', parley.url, 'application/json')
      const client = new Client(processes)
      await client.number({ kind: 'in-turn', target, together: TOGETHER, total: WARM_UP_PROMPTS })
      // Disk speed drifts, so the bare inserts run before and after, and both count.
      const before = await bareMilliseconds(processes.folder())
      const elapsedMs = await client.number({ kind: 'in-turn', target, together: TOGETHER, total: PROMPTS })
      const after = await bareMilliseconds(processes.folder())
      const rival = { name: 'bare inserts', value: (2 * PROMPTS * 1000) / (before + after) }
      return [againstRival('prompts per second, instant model', (PROMPTS * 1000) / elapsedMs, rival, perSecond)]
    }),
}

/** Time to run the statements of `PROMPTS` prompts in a fresh database. */
async function bareMilliseconds(directory: string): Promise<number> {
  const writer = bareWriter(directory, await recordStatements(directory))
  for (let prompt = 0; prompt < WARM_UP_PROMPTS; prompt += 1) writer.write(prompt)
  const startedAt = performance.now()
  for (let prompt = 0; prompt < PROMPTS; prompt += 1) writer.write(WARM_UP_PROMPTS + prompt)
  const elapsedMs = performance.now() - startedAt
  writer.close()
  return elapsedMs
}

const perSecond = (value: number): string => `${value.toFixed(0)} /s`
