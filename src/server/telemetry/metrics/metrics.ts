import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Feedback } from '../../../contract/chat/message.ts'
import type { TurnStatus } from '../../../contract/chat/turn-status.ts'
import { boundedLabels } from './bounded-labels.ts'

/** Figures of a turn that has ended; nothing about the visitor or the content. */
export interface EndedTurn {
  status: Exclude<TurnStatus, 'running'>
  state: AnswerState
  code: ErrorCode | null
  agent: string
  /** The model that answered, and who runs it; `none` for a fixed reply. */
  model: string
  provider: string
  inputTokens: number
  outputTokens: number
  /** In the operator's currency. */
  cost: number
  firstTextMs: number | null
  unsupportedSentences: number
}

/** Gauges, read at each scrape. */
export interface Levels {
  runningTurns: number
  openStreams: number
  waitingPrompts: number
  /** Average event loop lag over the last half second; it decides whether prompts wait. */
  lagMs: number
  /** Models that answered or failed in the last ten minutes, each with 1 if it failed more often, else 0. */
  failingModels: Series
  /** Problems of `/readyz`, counted by code. */
  problems: Series
  isDatabaseAvailable: boolean
  connections: { open: number; idle: number; waiting: number; max: number } | null
  /** `null` if Redis is not configured. */
  isRedisAvailable: boolean | null
}

/** A budget of all answers, in the operator's currency. */
export interface BudgetLevel {
  period: 'day' | 'month'
  used: number
  limit: number
}

export interface MetricsOptions {
  budgets: () => Promise<BudgetLevel[]>
  release: string
  /** In seconds since the epoch; `null` if none is recorded. */
  lastBackup: () => Promise<number | null>
  lastRehearsal: () => Promise<number | null>
  lastPurge: () => Promise<number | null>
  freeBytes: () => Promise<number | null>
  databaseBytes: () => Promise<number>
  /** Websites: when the last run ended, in seconds since the epoch, and whether it failed. */
  sources: () => Promise<{ id: string; endedAt: number | null; isFailing: boolean }[]>
}

/** Values of a gauge by those of its label; one with an empty label if it has none. */
type Series = readonly (readonly [string, number])[]

/** A reply that is not a stream. */
export interface RepliedRequest {
  method: string
  /** The route's pattern; `undefined` if there is none. */
  route: string | undefined
  status: number
  durationMs: number
}

const WAIT_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16]
const REQUEST_BUCKETS_S = [0.005, 0.02, 0.1, 0.5, 2, 10]
const SEARCH_BUCKETS_S = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]
const MAX_LABELS = 50
const FIRST_TEXT_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32]

/** Prometheus metrics. No label identifies a visitor. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #turns = this.#counter('parley_turns_total', 'Ended turns, by status.', ['status'])
  readonly #answers = this.#counter('parley_answers_total', 'Ended turns, by agent, provider, model and status.', [
    'agent',
    'provider',
    'model',
    'status',
  ])
  readonly #failures = this.#counter('parley_failed_turns_total', 'Turns that failed or were interrupted, by code.', ['code'])
  readonly #states = this.#counter('parley_answer_states_total', 'Ended turns, by the state of their answer.', ['state'])
  readonly #tokens = this.#counter('parley_tokens_total', 'Tokens read and written by models.', ['direction', 'provider', 'model'])
  readonly #cost = this.#counter('parley_cost_total', 'Cost of these tokens, in the operator’s currency.', ['provider', 'model'])
  readonly #rejections = this.#counter('parley_rejections_total', 'Rejected requests, by code.', ['code'])
  readonly #unsupported = this.#counter(
    'parley_unsupported_sentences_total',
    'Sentences left out or marked because no source supports them.',
    [],
  )
  readonly #feedback = this.#counter('parley_feedback_total', 'Feedback on answers; changed feedback counts again.', ['thumb'])
  readonly #firstText = this.#histogram(
    'parley_first_text_seconds',
    'Time from the start of a turn to its first text.',
    FIRST_TEXT_BUCKETS_S,
    [],
  )
  readonly #waits = this.#histogram(
    'parley_queue_seconds',
    'Time that prompts waited in the queue, by outcome: entered, late, full, left or closed.',
    WAIT_BUCKETS_S,
    ['end'],
  )
  readonly #requests = this.#histogram(
    'parley_request_seconds',
    'Time to reply, by method, route and class of the status. Streams are left out.',
    REQUEST_BUCKETS_S,
    ['method', 'route', 'status'],
  )
  readonly #searches = this.#histogram(
    'parley_search_seconds',
    'Time of searches of the knowledge, by outcome: done or failed.',
    SEARCH_BUCKETS_S,
    ['outcome'],
  )
  readonly #agents = boundedLabels(MAX_LABELS)
  readonly #models = boundedLabels(MAX_LABELS)
  readonly #providers = boundedLabels(MAX_LABELS)

  constructor({ budgets, release, sources, ...facts }: MetricsOptions) {
    // Include event loop lag, memory and CPU time.
    collectDefaultMetrics({ register: this.#registry })
    this.#budgets(budgets)
    this.#gauge('parley_last_backup_timestamp_seconds', 'When the last backup was made.', facts.lastBackup)
    this.#gauge('parley_last_rehearsal_timestamp_seconds', 'When the last restore was rehearsed.', facts.lastRehearsal)
    this.#gauge('parley_last_purge_timestamp_seconds', 'When what has expired was last deleted.', facts.lastPurge)
    this.#gauge('parley_free_bytes', 'Free space of the data folder.', facts.freeBytes)
    this.#gauge('parley_database_bytes', 'Size of the database.', facts.databaseBytes)
    this.#series('parley_source_last_run_timestamp_seconds', 'When the last run of a website ended.', 'source', async () =>
      (await sources()).flatMap(({ id, endedAt }) => (endedAt === null ? [] : [[id, endedAt]])),
    )
    this.#series('parley_source_failing', 'Whether the last run of a website failed.', 'source', async () =>
      (await sources()).map(({ id, isFailing }) => [id, Number(isFailing)]),
    )
    this.#series('parley_build_info', 'The release that runs.', 'release', () => [[release, 1]])
  }

  showLevels(levels: () => Levels): void {
    this.#gauge('parley_running_turns', 'Running turns in this process.', () => levels().runningTurns)
    this.#gauge('parley_open_streams', 'Open streams in this process.', () => levels().openStreams)
    this.#gauge('parley_waiting_prompts', 'Prompts that wait for a place in this process.', () => levels().waitingPrompts)
    this.#gauge('parley_lag_seconds', 'Event loop lag that decides whether prompts wait.', () => levels().lagMs / 1000)
    this.#series(
      'parley_model_failing',
      'Whether a model failed more often than it answered in the last ten minutes.',
      'model',
      () => levels().failingModels,
    )
    this.#series('parley_problems', 'Problems that /readyz lists, by code.', 'code', () => levels().problems)
    this.#gauge('parley_database_up', 'Whether requests find the database available.', () => Number(levels().isDatabaseAvailable))
    this.#series(
      'parley_database_connections',
      'Connections to PostgreSQL, by state: busy, idle, waiting for one, and the maximum.',
      'state',
      () => connectionSeries(levels().connections),
    )
    this.#gauge('parley_redis_up', 'Whether processes hear each other through Redis; no series without Redis.', () => {
      const { isRedisAvailable } = levels()
      return isRedisAvailable === null ? null : Number(isRedisAvailable)
    })
  }

  turnEnded({ status, state, code, inputTokens, outputTokens, cost, firstTextMs, unsupportedSentences, ...ended }: EndedTurn): void {
    const by = { provider: this.#providers(ended.provider), model: this.#models(ended.model) }
    this.#turns.inc({ status })
    this.#answers.inc({ ...by, agent: this.#agents(ended.agent), status })
    if (code) this.#failures.inc({ code })
    this.#states.inc({ state })
    this.#tokens.inc({ ...by, direction: 'input' }, inputTokens)
    this.#tokens.inc({ ...by, direction: 'output' }, outputTokens)
    this.#cost.inc(by, cost)
    this.#unsupported.inc(unsupportedSentences)
    if (firstTextMs !== null) this.#firstText.observe(firstTextMs / 1000)
  }

  replied({ method, route = 'none', status, durationMs }: RepliedRequest): void {
    this.#requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, durationMs / 1000)
  }

  readonly searched = (outcome: 'done' | 'failed', durationMs: number): void => {
    this.#searches.observe({ outcome }, durationMs / 1000)
  }

  readonly waited = (end: string, waitedMs: number): void => {
    this.#waits.observe({ end }, waitedMs / 1000)
  }

  rejected(code: ErrorCode): void {
    this.#rejections.inc({ code })
  }

  feedbackGiven(thumb: Feedback['thumb']): void {
    this.#feedback.inc({ thumb })
  }

  async text(): Promise<string> {
    return this.#registry.metrics()
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] })
  }

  #histogram<Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[]): Histogram<Label> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.#registry] })
  }

  /** A gauge whose series are read at each scrape, by the values of `label`, or a single one. No series while they can't be read. */
  #series(name: string, help: string, label: string | undefined, read: () => Series | Promise<Series>): void {
    const collect = async function setSeries(this: Gauge): Promise<void> {
      const series = await Promise.resolve()
        .then(read)
        .catch((): Series => [])
      // Without labels, a reset would set it to 0.
      if (label === undefined) this.remove()
      else this.reset()
      for (const [value, level] of series) this.set(label === undefined ? {} : { [label]: value }, level)
    }
    const labelNames = label === undefined ? [] : [label]
    this.#registry.registerMetric(new Gauge({ name, help, labelNames, registers: [], collect }))
  }

  /** A gauge that is read at each scrape; no series while it can't be, or for `null`. */
  #gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
    this.#series(name, help, undefined, async () => {
      const value = await read()
      return value === null ? [] : [['', value]]
    })
  }

  #budgets(read: MetricsOptions['budgets']): void {
    const gauge = (name: string, help: string, level: (budget: BudgetLevel) => number) =>
      this.#series(name, help, 'period', async () => (await read()).map((budget) => [budget.period, level(budget)]))
    gauge('parley_budget_limit', 'Budget of all answers, by period: day or month (UTC), in the operator’s currency.', ({ limit }) => limit)
    gauge('parley_budget_left', 'What is neither spent nor reserved of it.', ({ limit, used }) => Math.max(0, limit - used))
  }
}

function connectionSeries(connections: Levels['connections']): Series {
  if (!connections) return []
  const { open, idle, waiting, max } = connections
  return [
    ['busy', open - idle],
    ['idle', idle],
    ['waiting', waiting],
    ['max', max],
  ]
}
