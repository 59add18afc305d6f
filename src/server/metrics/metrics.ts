import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Feedback } from '../../contract/message.ts'
import type { TurnStatus } from '../../contract/sessions.ts'

/** Figures of a turn that has ended; nothing about the visitor or the content. */
export interface EndedTurn {
  status: Exclude<TurnStatus, 'running'>
  inputTokens: number
  outputTokens: number
  /** In the operator's currency. */
  cost: number
  /** From start to first text; `null` if there was none. */
  firstTextMs: number | null
}

/** Gauges, read at each scrape. */
export interface Levels {
  runningTurns: number
  openStreams: number
  waitingPrompts: number
  /** Average event loop lag over the last half second; it decides whether prompts wait. */
  lagMs: number
}

const WAIT_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16]
const FIRST_TEXT_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32]

/** Prometheus metrics. No label identifies a visitor. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #turns = this.#counter('parley_turns_total', 'Ended turns, by status.', ['status'])
  readonly #tokens = this.#counter('parley_tokens_total', 'Tokens read and written by models.', ['direction'])
  readonly #cost = this.#counter('parley_cost_total', 'Cost of these tokens, in the operator’s currency.', [])
  readonly #rejections = this.#counter('parley_rejections_total', 'Rejected requests, by code.', ['code'])
  readonly #feedback = this.#counter('parley_feedback_total', 'Feedback on answers; changed feedback counts again.', ['thumb'])
  readonly #firstText = new Histogram({
    name: 'parley_first_text_seconds',
    help: 'Time from the start of a turn to its first text.',
    buckets: FIRST_TEXT_BUCKETS_S,
    registers: [this.#registry],
  })

  readonly #waits = new Histogram({
    name: 'parley_queue_seconds',
    help: 'Time that prompts waited in the queue, by outcome: entered, late, full, left or closed.',
    labelNames: ['end'],
    buckets: WAIT_BUCKETS_S,
    registers: [this.#registry],
  })

  constructor(levels: () => Levels) {
    // Include event loop lag, memory and CPU time.
    collectDefaultMetrics({ register: this.#registry })
    this.#gauge('parley_running_turns', 'Running turns in this process.', () => levels().runningTurns)
    this.#gauge('parley_open_streams', 'Open streams in this process.', () => levels().openStreams)
    this.#gauge('parley_waiting_prompts', 'Prompts that wait for a place in this process.', () => levels().waitingPrompts)
    this.#gauge('parley_lag_seconds', 'Event loop lag that decides whether prompts wait.', () => levels().lagMs / 1000)
  }

  turnEnded({ status, inputTokens, outputTokens, cost, firstTextMs }: EndedTurn): void {
    this.#turns.inc({ status })
    this.#tokens.inc({ direction: 'input' }, inputTokens)
    this.#tokens.inc({ direction: 'output' }, outputTokens)
    this.#cost.inc(cost)
    if (firstTextMs !== null) this.#firstText.observe(firstTextMs / 1000)
  }

  waited(end: string, waitedMs: number): void {
    this.#waits.observe({ end }, waitedMs / 1000)
  }

  rejected(code: ErrorCode): void {
    this.#rejections.inc({ code })
  }

  feedbackGiven(thumb: Feedback['thumb']): void {
    this.#feedback.inc({ thumb })
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] })
  }

  #gauge(name: string, help: string, level: () => number): void {
    const collect = function setLevel(this: Gauge): void {
      this.set(level())
    }
    this.#registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
}
