import type { RateLimit, Rejection } from '../../contract/rejection.ts'
import type { CountStored } from '../store/quotas.ts'
import type { Quota } from './limit-settings.ts'
import { type QuotaOutcome, type Quotas, rateLimitsOf, type Subjects, type Usage } from './quotas.ts'

export interface PromptCountOptions {
  quotas: Quotas
  subjects: Subjects
  ofPrompts: readonly Quota[]
  /** None for a visitor who is known. */
  ofNewVisitors: readonly Quota[]
  reject: (over: Extract<QuotaOutcome, { kind: 'over' }>) => Rejection
}

/** What one prompt uses of its quotas. Each way of counting returns why the prompt may not be sent, if it may not. */
export class PromptCount {
  readonly #options: PromptCountOptions
  #wanted: readonly Quota[]
  #usages: Usage[] = []

  constructor(options: PromptCountOptions) {
    this.#options = options
    this.#wanted = [...options.ofPrompts, ...options.ofNewVisitors]
  }

  /** What has been used, this prompt included; nothing as long as nobody has looked. */
  get usages(): Usage[] {
    return this.#usages
  }

  /** The visitor's limits as `usages` has them. */
  get rateLimits(): RateLimit[] {
    return rateLimitsOf(this.#usages)
  }

  /** Counts nothing yet. */
  async check(): Promise<Rejection | undefined> {
    const { quotas, subjects } = this.#options
    return this.#seen(await quotas.check(this.#wanted, subjects))
  }

  /** Counts the prompt in the transaction that stores it: one that is rolled back has counted nothing. */
  readonly stored: CountStored = async (transaction) => {
    const { quotas, subjects } = this.#options
    return this.#seen(await quotas.useWithin(transaction, this.#wanted, subjects))
  }

  /** Counts a prompt that is not stored, because of what it says. */
  async unstored(): Promise<void> {
    const { quotas, subjects } = this.#options
    this.#seen(await quotas.use(this.#wanted, subjects))
  }

  /** Counts the visitor, if it is a new one, who is made before the prompt is stored, and not counted with it again. */
  async visitor(): Promise<Rejection | undefined> {
    const { quotas, subjects, ofPrompts, ofNewVisitors, reject } = this.#options
    this.#wanted = ofPrompts
    const outcome = await quotas.use(ofNewVisitors, subjects)
    return outcome.kind === 'over' ? reject(outcome) : undefined
  }

  #seen(outcome: QuotaOutcome): Rejection | undefined {
    this.#usages = outcome.usages
    return outcome.kind === 'over' ? this.#options.reject(outcome) : undefined
  }
}
