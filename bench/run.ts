// `npm run bench` measures every figure, `npm run bench -- first-token` one. Exits with 1 if one exceeds its limit or cannot be measured.
import { ensureServer, ensureWeb } from '../scripts/builds.mjs'
import { connects } from './connects.ts'
import { cpuPerToken } from './cpu-per-token.ts'
import { firstMinutes } from './first-minutes.ts'
import { firstTokenAtOnce } from './first-token-at-once.ts'
import { firstToken } from './first-token.ts'
import { flood } from './flood.ts'
import { fusion } from './fusion.ts'
import { growth } from './growth.ts'
import { hostileMarks } from './hostile-marks.ts'
import { idleFollowers } from './idle-followers.ts'
import { idleMemory } from './idle-memory.ts'
import { installedSize } from './installed-size.ts'
import { knowledge } from './knowledge.ts'
import { knowledgeSearch } from './knowledge-search.ts'
import { lighthouse } from './lighthouse.ts'
import { longHistory } from './long-history.ts'
import { longSession } from './long-session.ts'
import { otherHosts } from './other-hosts.ts'
import { overview } from './overview.ts'
import { pageSize } from './page-size.ts'
import { passagesFirst } from './passages-first.ts'
import { promptsPerSecond } from './prompts-per-second.ts'
import { purge } from './purge.ts'
import { retrieval } from './retrieval.ts'
import { routing } from './routing.ts'
import { severalProcesses } from './several-processes.ts'
import { sourceSize } from './source-size.ts'
import { typingDelay } from './typing-delay.ts'
import { website } from './website.ts'
import { wholeSite } from './whole-site.ts'
import type { Figure, Measurement } from './support/measurement.ts'
import { table } from './support/report.ts'

const FIGURES: Figure[] = [
  firstMinutes,
  firstToken,
  firstTokenAtOnce,
  flood,
  fusion,
  cpuPerToken,
  idleMemory,
  idleFollowers,
  connects,
  pageSize,
  passagesFirst,
  growth,
  hostileMarks,
  installedSize,
  knowledge,
  knowledgeSearch,
  lighthouse,
  longHistory,
  longSession,
  otherHosts,
  overview,
  promptsPerSecond,
  purge,
  retrieval,
  routing,
  severalProcesses,
  sourceSize,
  typingDelay,
  website,
  wholeSite,
]

const chosen = chooseFigures(process.argv.slice(2))
const launch = { node: process.execPath, verbose: false }
await ensureWeb(launch)
await ensureServer(launch)
const measurements: Measurement[] = []
let unmeasured = 0
for (const figure of chosen) {
  const startedAt = performance.now()
  process.stdout.write(`${figure.name} …`)
  try {
    measurements.push(...(await figure.measure()))
    process.stdout.write(` ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
  } catch (error) {
    unmeasured += 1
    process.stdout.write(` could not be measured: ${String(error)}\n`)
  }
}
process.stdout.write(`\n${table(measurements)}\n`)
process.exitCode = unmeasured === 0 && measurements.every(({ holds }) => holds !== false) ? 0 : 1

function chooseFigures(names: string[]): Figure[] {
  const unknown = names.filter((name) => FIGURES.every((figure) => figure.name !== name))
  if (unknown.length > 0) {
    process.stderr.write(`There is no figure "${unknown.join('", "')}": use any of ${FIGURES.map(({ name }) => name).join(', ')}.\n`)
    process.exit(1)
  }
  return names.length === 0 ? FIGURES : FIGURES.filter(({ name }) => names.includes(name))
}
