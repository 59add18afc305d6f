import { moneyFor } from '../limits/budget.ts'
import type { FastifyBaseLogger } from 'fastify'
import { Outage } from '../platform/outage.ts'
import { PubSub } from '../pubsub/pubsub.ts'
import type { Settings } from '../config/config.ts'
import type { Server } from '../platform/server.ts'
import { traceRequests } from '../platform/trace-requests.ts'
import type { InstallationKeys } from '../keys.ts'
import type { GuardOptions } from '../limits/guard.ts'
import { moneyUsed } from '../limits/money-used.ts'
import { Quotas, type QuotasOptions } from '../limits/quotas.ts'
import type { Levels } from '../telemetry/metrics/metrics.ts'
import type { Database } from '../store/engine/database.ts'
import { readFact } from '../store/engine/installation-facts.ts'
import { connectionLevels } from '../store/engine/open-database.ts'
import type { LocalEnd } from '../turns/started-turn.ts'
import type { Turns, TurnsOptions } from '../turns/turns.ts'
import type { createGuard } from './create-guard.ts'
import { type EndpointHealth, isFailing } from './health/endpoint-health.ts'
import { freeBytes } from './health/system-facts.ts'
import { problemsOf } from '../knowledge/websites/run-report.ts'
import { listSources } from '../store/knowledge/sources.ts'
import { databaseBytes } from '../store/visitors/installation-counts.ts'
import type { OperatorProblem } from '../visitor-api/installation/operator-problem.ts'

const REDIS_OUTAGE = {
  begin: 'Redis unavailable; polling the database instead',
  during: 'Redis still unavailable; polling the database instead',
  end: 'Redis available again',
}

export async function createPubSub(at: Settings['redis'], log: FastifyBaseLogger): Promise<PubSub> {
  if (!at) return new PubSub()
  const { redisTransport } = await import('../pubsub/redis-transport.ts')
  const outage = new Outage({
    messages: REDIS_OUTAGE,
    log,
    async check() {
      if (!pubsub.isReliable) throw new Error('Redis is unavailable')
    },
  })
  const onUnavailable = (cause: unknown) => outage.failed(cause, {})
  const pubsub = new PubSub(
    redisTransport({
      at,
      onUnavailable,
      onAvailable: () => log.info('Redis available; processes notify each other through it'),
    }),
  )
  return pubsub
}

/** OpenTelemetry is loaded only when there is a collector. Call it before the parts that it traces are built. */
export async function openTracing({ tracing }: Settings, app: Server, release: string): Promise<void> {
  if (!tracing) return
  const { startTracing } = await import('../telemetry/tracing/start-tracing.ts')
  const onChange = (isDelivered: boolean) =>
    isDelivered
      ? app.log.warn('Traces are exported again')
      : app.log.warn('Exporting traces failed; dropping spans until the collector at OTEL_EXPORTER_OTLP_ENDPOINT responds')
  const stop = startTracing({ ...tracing, release, onChange })
  traceRequests(app)
  app.addHook('onClose', stop)
}

interface MeasuredParts {
  app: Server
  database: Database
  pubsub: PubSub
  turns: Turns
  load: ReturnType<typeof createGuard>
  endpoints: () => EndpointHealth[]
  problemsNow: () => readonly OperatorProblem[]
}

interface MetricsParts {
  release: string
  database: Database
  values: GuardOptions['values']
}

/** Prometheus's client is loaded only when somebody may ask. */
export async function createMetrics(settings: Settings, { release, database, values }: MetricsParts) {
  const { metricsToken: token } = settings
  if (token === null) return null
  const { Metrics } = await import('../telemetry/metrics/metrics.ts')
  const budgets = () => moneyUsed(database, values().budgets, Date.now())
  const factOf = (name: 'last_backup' | 'last_rehearsal' | 'last_purge') => async () => {
    const time = await readFact(database, name)
    return time === null ? null : Number(time) / 1000
  }
  const metrics = new Metrics({
    budgets,
    release,
    lastBackup: factOf('last_backup'),
    lastRehearsal: factOf('last_rehearsal'),
    lastPurge: factOf('last_purge'),
    freeBytes: () => freeBytes(settings.dataDirectory),
    databaseBytes: () => databaseBytes(database),
    sources: async () =>
      (await listSources(database)).map((row) => ({
        id: row.id,
        endedAt: row.ended_at === null ? null : row.ended_at / 1000,
        isFailing: problemsOf(row).length > 0,
      })),
  })
  const turnEnded: TurnsOptions['onTurnEnd'] = (ended) => {
    const { turn, end, agent, model } = ended
    const { usage, firstTextMs } = turn
    const { status, state, code, versions, answer } = end
    metrics.turnEnded({
      ...usage,
      status,
      state,
      code,
      cost: costOf(settings, ended),
      firstTextMs,
      agent: agent.id,
      model: versions?.model ?? 'none',
      provider: (versions?.model && agent.modelOf(model).provider) || 'none',
      unsupportedSentences: answer.metadata?.unsupportedSentences ?? 0,
    })
  }
  return { metrics, token, turnEnded }
}

export function costOf({ prices, fallback }: Pick<Settings, 'prices' | 'fallback'>, { turn, model, agent }: LocalEnd): number {
  const price = model === 'fallback' ? fallback?.price : prices.of(agent.modelOf(model).name)
  return price ? moneyFor(turn.usage, price) : 0
}

export function levelsOf({ redis }: Settings, { app, database, pubsub, turns, load, endpoints, problemsNow }: MeasuredParts): Levels {
  const problems = new Map<string, number>()
  for (const { code } of problemsNow()) problems.set(code, (problems.get(code) ?? 0) + 1)
  return {
    ...load.levels(),
    problems: [...problems],
    runningTurns: turns.count,
    failingModels: endpoints().map((health) => [health.name, Number(isFailing(health))]),
    isDatabaseAvailable: app.storageOutage?.isOver !== false,
    connections: connectionLevels(database),
    isRedisAvailable: redis === null ? null : pubsub.isReliable,
  }
}

export async function createProofOfWork(
  mode: Settings['proofOfWork'],
  keys: InstallationKeys,
  options: QuotasOptions,
): Promise<GuardOptions['proof']> {
  if (mode === 'off') return null
  const { ProofOfWork } = await import('../limits/proof-of-work.ts')
  return { mode, of: new ProofOfWork({ keys, quotas: new Quotas(options), now: options.now }) }
}
