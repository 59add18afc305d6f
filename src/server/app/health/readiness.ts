import type { FastifyBaseLogger } from 'fastify'
import type { Agents } from '../../answering/agents/agents.ts'
import type { Settings } from '../../config/config.ts'
import type { RouteOptions } from '../../visitor-api/route-options.ts'
import type { OperatorProblem } from '../../visitor-api/installation/operator-problem.ts'
import { WriteProbe } from '../../visitor-api/requests/write-probe.ts'
import type { PubSub } from '../../pubsub/pubsub.ts'
import type { OpenSources } from '../open-sources.ts'
import { type EndpointHealth, isFailing } from './endpoint-health.ts'
import { providerTime } from './provider-time.ts'
import { type Database, databaseTime } from '../../store/engine/database.ts'
import { RetentionClock } from '../../visitors/retention-clock.ts'

const CLOCK_PROBLEM =
  'The clock is more than a day ahead of the last run. Nothing is deleted for its age until the time is confirmed: parley confirm-clock'
const REDIS_PROBLEM = 'Redis is unavailable. Processes notify each other through the database, which is slower.'

export function readinessOf(
  settings: Pick<Settings, 'redis' | 'metricsToken'>,
  parts: { agents: Agents; sources: OpenSources; pubsub: PubSub; clock: RetentionClock; endpoints: () => EndpointHealth[] },
): Pick<RouteOptions, 'writeProbe' | 'problemsNow' | 'operatorToken'> {
  const { agents, sources, pubsub, clock, endpoints } = parts
  return {
    writeProbe: new WriteProbe(() => clock.record()),
    problemsNow: () => [
      ...(clock.isDoubted ? [{ code: 'clock' as const, detail: CLOCK_PROBLEM }] : []),
      ...(settings.redis !== null && !pubsub.isReliable ? [{ code: 'redis' as const, detail: REDIS_PROBLEM }] : []),
      ...Object.entries(agents.problemsByArea).flatMap(([area, details]) =>
        details.map((detail) => ({ code: area as keyof Agents['problemsByArea'], detail })),
      ),
      ...endpoints().filter(isFailing).map(modelProblem),
      ...sources.problems().map((detail) => ({ code: 'knowledge' as const, detail })),
    ],
    operatorToken: settings.metricsToken,
  }
}

function modelProblem({ name, answered, failed, lastFailure }: EndpointHealth): OperatorProblem {
  const detail = `The model ${name} failed ${failed} of the last ${failed + answered} times (${lastFailure}). The doctor says why: parley doctor`
  return { code: 'model', detail }
}

/** PostgreSQL's clock can confirm this machine's. Beside the embedded database, which has none of its own, the model's provider can. */
export function openRetentionClock(
  settings: Pick<Settings, 'database' | 'model'>,
  database: Database,
  steady: () => number,
  log: FastifyBaseLogger,
): Promise<RetentionClock> {
  const outside = () => (settings.database.kind === 'postgres' ? databaseTime(database) : providerTime(settings.model))
  const monotonic = () => performance.now()
  return RetentionClock.open({ database, wall: Date.now, steady, monotonic, outside, onWarning: (message) => log.warn(message) })
}
