import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from './support/client-jobs.ts'
import { againstRival, type Figure, microseconds } from './support/measurement.ts'
import { cpuTimeMs, withProcesses } from './support/processes.ts'
import { settingsFor } from './support/rivals.ts'
import { median, quantile } from './support/statistics.ts'
import { parleyTarget } from './support/target.ts'

const WARM_UP_PROMPTS = 1_500
const PROMPTS = 2_000
const PAIRS = 10
const TOGETHER = 4
/** Each visitor has a network of its own. */
const APART = { TRUSTED_PROXIES: '127.0.0.1', CLIENT_IDS: 'any', LIMIT_NEW_VISITORS_PER_HOUR: '1000000' }
const ALLOWED_TIME = 1.05
const ALLOWED_SIZE = 1.05

/** CPU time of a prompt, and size of the database, with daily figures and without. */
export const figures: Figure = {
  name: 'figures',
  measure: () =>
    withProcesses(async (processes) => {
      const model = await processes.model()
      const client = new Client(processes)
      const start = async (name: string, console: string) => {
        const dataDirectory = processes.folder()
        const running = await processes.parley({ settings: { ...settingsFor(model), ...APART, CONSOLE_PORT: console }, dataDirectory })
        const target = { ...parleyTarget(name, running.url), visitors: WARM_UP_PROMPTS + PAIRS * PROMPTS }
        const ask = (total: number) => client.number({ kind: 'in-turn', target, together: TOGETHER, total })
        await ask(WARM_UP_PROMPTS)
        const costOfPrompts = async () => {
          const before = cpuTimeMs(running.pid)
          await ask(PROMPTS)
          return ((cpuTimeMs(running.pid) - before) * 1000) / PROMPTS
        }
        return { running, dataDirectory, costOfPrompts }
      }
      const without = await start('without figures', 'off')
      const counting = await start('with figures', '0')
      const samples: [number, number][] = []
      for (let pair = 0; pair < PAIRS; pair++) {
        // In changing order, so that neither always comes second.
        const first = pair % 2 === 0 ? without : counting
        const one = await first.costOfPrompts()
        const other = await (first === without ? counting : without).costOfPrompts()
        samples.push(first === without ? [one, other] : [other, one])
      }
      for (const { running } of [without, counting]) await processes.stop(running)
      const ratios = samples.map(([bare, ours]) => ours / bare)
      const spread = `${quantile(ratios, 0).toFixed(3)} to ${quantile(ratios, 1).toFixed(3)}, median ${median(ratios).toFixed(3)}`
      const [bare, ours] = [median(samples.map(([time]) => time)), median(samples.map(([, time]) => time))]
      const rival = { name: 'without', value: bare }
      return [
        againstRival(`CPU per prompt with daily figures (pairs: ${spread})`, ours, rival, microseconds, ALLOWED_TIME),
        againstRival(
          `database after ${WARM_UP_PROMPTS + PAIRS * PROMPTS} prompts with daily figures`,
          databaseKilobytes(counting.dataDirectory),
          { name: 'without', value: databaseKilobytes(without.dataDirectory) },
          (value) => `${value.toFixed(0)} kB`,
          ALLOWED_SIZE,
        ),
      ]
    }),
}

function databaseKilobytes(directory: string): number {
  const files = readdirSync(directory).filter((file) => file.startsWith('parley.db'))
  return files.reduce((sum, file) => sum + statSync(join(directory, file)).size, 0) / 1024
}
