import type { RateLimit, Rejection } from '../../contract/rejection.ts'
import type { CountStored } from '../store/turns/quotas.ts'
import type { Quota } from './limit-settings.ts'
import { type QuotaOutcome, type Quotas, rateLimitsOf, type Subjects, type Usage } from './quotas.ts'

export interface PromptCountOptions {
  quotas: Quotas
  subjects: Subjects
  /** Quotas of prompts and, without a known visitor, of new visitors. */
  wanted: readonly Quota[]
  reject: (over: Extract<QuotaOutcome, { kind: 'over' }>) => Rejection
}

/** Counts one prompt against its quotas. Each method returns the rejection, if any. */
export class PromptCount {
  readonly #options: PromptCountOptions
  /** Usage including this prompt; empty before the first count. */
  usages: Usage[] = []

  constructor(options: PromptCountOptions) {
    this.#options = options
  }

  /** The visitor's rate limits. */
  get rateLimits(): RateLimit[] {
    return rateLimitsOf(this.usages)
  }

  /** Checks without counting. */
  async check(): Promise<Rejection | undefined> {
    const { quotas, subjects, wanted } = this.#options
    return this.#seen(await quotas.check(wanted, subjects))
  }

  /** Counts the prompt in the transaction that stores it, so a rollback counts nothing. */
  readonly stored: CountStored = async (transaction) => {
    const { quotas, subjects, wanted } = this.#options
    return this.#seen(await quotas.useWithin(transaction, wanted, subjects))
  }

  /** Counts a prompt that was blocked by moderation. */
  async unstored(): Promise<void> {
    const { quotas, subjects, wanted } = this.#options
    this.#seen(await quotas.use(wanted, subjects))
  }

  #seen(outcome: QuotaOutcome): Rejection | undefined {
    this.usages = outcome.usages
    return outcome.kind === 'over' ? this.#options.reject(outcome) : undefined
  }
}
