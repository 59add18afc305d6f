// `npm run test:crash [-- --kills 200 --seed 1 --database sqlite]` kills the server at random under 20 streams and prints what became of the answers.
import { parseArgs } from 'node:util'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import provideServices from '../support/global-setup.ts'
import { runCrashes } from './kit/crash-run.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    database: { type: 'string', multiple: true },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed)
const databases = (values.database ?? [...DATABASES]) as TestDatabase[]
console.log(`Seed ${seed}: give it with --seed to have the same kills again.`)
const endServices = await provideServices()
let broken = 0
for (const database of databases) {
  const onKill = (kill: number) => {
    if (kill % 20 === 0) console.log(`  ${kill} of ${kills}`)
  }
  const figures = await runCrashes({ database, kills, seed, onKill })
  broken += figures.broken.length
  console.log(
    `${database}: ${figures.kills} kills under 20 streams; ${figures.acknowledged} prompts acknowledged, ${figures.cut} answers cut with ` +
      `${figures.shownCharacters} characters shown, ${figures.sentAgain} prompts sent again; at rest ${figures.slowestRecoveryMs.toFixed(0)} ms ` +
      `after a boot at most; ${figures.broken.length} promises broken.`,
  )
  for (const sentence of figures.broken.slice(0, 50)) console.log(`  ${sentence}`)
}
await endServices?.()
process.exitCode = broken === 0 ? 0 : 1
