import type { FastifyBaseLogger } from 'fastify'
import type { Agents } from '../agent/agents.ts'
import type { Settings } from '../config/config.ts'
import type { OperatorProblem, RouteOptions } from '../http/routes/route-options.ts'
import { WriteProbe } from '../http/write-probe.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import { type Database, databaseTime } from '../store/database.ts'
import { RetentionClock } from '../visitors/retention-clock.ts'

const CLOCK_PROBLEM =
  'The clock is more than a day ahead of the last run. Nothing is deleted for its age until the time is confirmed: npm run confirm-clock'
const REDIS_PROBLEM = 'Redis is unavailable. Processes notify each other through the database, which is slower.'

/** What the readiness check needs. */
export function readinessOf(
  settings: Pick<Settings, 'redisUrl' | 'metricsToken'>,
  { agents, pubsub, clock }: { agents: Agents; pubsub: PubSub; clock: RetentionClock },
): Pick<RouteOptions, 'writeProbe' | 'problemsNow' | 'operatorToken'> {
  return {
    writeProbe: new WriteProbe(() => clock.record()),
    problemsNow: () => operatorProblems(agents, pubsub, clock, settings),
    operatorToken: settings.metricsToken,
  }
}

/** What the operator should fix, although the server answers. */
function operatorProblems(
  agents: Pick<Agents, 'problemsByArea'>,
  pubsub: Pick<PubSub, 'isReliable'>,
  clock: Pick<RetentionClock, 'isDoubted'>,
  { redisUrl }: Pick<Settings, 'redisUrl'>,
): OperatorProblem[] {
  const areas = Object.entries(agents.problemsByArea) as [OperatorProblem['code'], readonly string[]][]
  return [
    ...(clock.isDoubted ? [{ code: 'clock' as const, detail: CLOCK_PROBLEM }] : []),
    ...(redisUrl !== null && !pubsub.isReliable ? [{ code: 'redis' as const, detail: REDIS_PROBLEM }] : []),
    ...areas.flatMap(([code, details]) => details.map((detail) => ({ code, detail }))),
  ]
}

/** PostgreSQL's clock can confirm this machine's; the embedded database has none of its own. */
export function openRetentionClock(
  settings: Pick<Settings, 'database'>,
  database: Database,
  steady: () => number,
  log: FastifyBaseLogger,
): Promise<RetentionClock> {
  const outside = settings.database.kind === 'postgres' ? () => databaseTime(database) : null
  const monotonic = () => performance.now()
  return RetentionClock.open({ database, wall: Date.now, steady, monotonic, outside, onWarning: (message) => log.warn(message) })
}
