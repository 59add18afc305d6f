import { runSql } from './run-sql.ts'
import type { TestServer } from './server.ts'

const DAY_MS = 86_400_000
const COLUMNS = 'dimension, day, value, turns, complete, lost, not_covered, input_tokens, output_tokens, cost, up, down, rephrased'
const ZEROS = '0, 0, 0, 0, 0, 0'

/** The day whose figures `addPastFigures` adds: the day before yesterday, in UTC. */
export const pastDay = (): string => new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10)

/** Adds 160 prompts of a past day: 70 % of them useful, 10 % not covered. */
export async function addPastFigures(server: TestServer): Promise<void> {
  const row = (dimension: string, value: string, turns: number, rest = '0, 0, 0') =>
    `('${dimension}', '${pastDay()}', '${value}', ${turns}, ${rest}, ${ZEROS})`
  const rows = [
    row('all', '', 160, '120, 8, 16'),
    row('first_text', '500', 150),
    row('first_text', '2000', 10),
    row('whole_answer', '4000', 150),
    row('whole_answer', '16000', 10),
  ]
  await runSql(server, `insert into daily_figures (${COLUMNS}) values ${rows.join(', ')}`)
}
