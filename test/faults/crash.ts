// `npm run test:crash [-- --kills 300 --seed 1 --database sqlite]` kills the server at random under 20 streams, while staff publish, upload and stop,
// and prints what became of both;
// with `--budget` what became of the money, 50 times unless told.
import { parseArgs } from 'node:util'
import { BOTH_DATABASES, type TestDatabase } from '../support/databases.ts'
import provideServices from '../support/global-setup.ts'
import { runBudgetCrashes } from './kit/budget-crash-run.ts'
import { runCrashes } from './kit/crash-run.ts'

const { values } = parseArgs({
  options: {
    budget: { type: 'boolean', default: false },
    kills: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    database: { type: 'string', multiple: true },
  },
})
const kills = Number(values.kills ?? (values.budget ? 50 : 300))
const seed = Number(values.seed)
const databases = (values.database ?? [...BOTH_DATABASES]) as TestDatabase[]
console.log(`Seed ${seed}: give it with --seed to have the same kills again.`)
const endServices = await provideServices()
const onKill = (kill: number, found = 0) => {
  if (kill % 10 === 0) console.log(`  ${kill} of ${kills}, ${found} promises broken`)
}
let broken = 0
for (const database of databases) {
  const sentences = await (values.budget ? killForMoney(database) : killForAnswers(database))
  broken += sentences.length
  for (const sentence of sentences.slice(0, 50)) console.log(`  ${sentence}`)
}
await endServices?.()
process.exitCode = broken === 0 ? 0 : 1

async function killForAnswers(database: TestDatabase): Promise<string[]> {
  const figures = await runCrashes({ database, kills, seed, onKill })
  console.log(
    `${database}: ${figures.kills} kills under 20 streams; ${figures.acknowledged} prompts acknowledged, ${figures.cut} answers cut with ` +
      `${figures.shownCharacters} characters shown, ${figures.sentAgain} prompts sent again; ${figures.staffChanges} changes of staff; at rest ${figures.slowestRecoveryMs.toFixed(0)} ms ` +
      `after a boot at most; ${figures.broken.length} promises broken.`,
  )
  return figures.broken
}

async function killForMoney(database: TestDatabase): Promise<string[]> {
  const figures = await runBudgetCrashes({ database, kills, seed, onKill })
  console.log(
    `${database}: ${figures.kills} kills with 20 visitors and a budget for 7 answers; ${figures.taken} prompts taken, ${figures.refused} ` +
      `refused as budget_exhausted, ${figures.cut} turns cut; at most ${(figures.fullest * 100).toFixed(1)} % of a cap; ` +
      `${figures.broken.length} promises broken.`,
  )
  return figures.broken
}
