import type { LanguageModelUsage } from 'ai'
import type { ModelLimits } from '../model/model-limits.ts'
import type { TokenCalibration } from '../tokens/token-calibration.ts'
import { TokenMeter, type Tokens } from '../tokens/token-meter.ts'

/** Instructions of the provider's own. */
const TOKENS_AROUND = 40
/** Results of one step: a search's 8,000 characters, with their form. A smaller turn gives a quarter of its allowance. */
const RESULT_TOKENS = 3_000
/** Kept for the result of one more lookup. */
const NEXT_RESULT_TOKENS = 1_000
/** Less than this is no result. */
const MIN_RESULT_TOKENS = 300
/** Steps that the usual answer takes: a search, another one in other words, the answer. */
const PLANNED_STEPS = 3
/** History that is sent even if it leaves room for one search only. */
const MIN_CONVERSATION_TOKENS = 2_000
/** What a model writes to call a tool, at least. */
const MIN_CALL_TOKENS = 100
/** A window that seems full may still have room for this much. */
const LEAST_OUTPUT_TOKENS = 256
/** Estimates may be too low by this. */
const ERROR_MARGIN = 1.05

/** Of what a call may read, the definitions of tools. */
const DEFINITIONS_SHARE = 0.35

type BudgetLimits = Pick<ModelLimits, 'maxSteps' | 'maxOutputTokens' | 'windowTokens'>

export interface TurnBudgetOptions {
  /** The most that all steps together may use. */
  allowance: Tokens
  limits: BudgetLimits
  /** Tokens that instructions and tools take in every call, estimated. */
  fixedTokens: number
  hasTools: boolean
  calibration: TokenCalibration
}

/** What one call of the model may do. */
export interface CallPlan {
  maxOutputTokens: number
  /** Whether the turn has room for a tool's result and for one more call that reads it. */
  mayUseTools: boolean
}

/**
 * Divides what a turn may use among its calls. Each call reads everything again, so the allowance is over all steps
 * together, and the model's window bounds each call. Arguments and results are estimated tokens.
 */
export class TurnBudget {
  readonly meter = new TokenMeter()
  readonly #options: TurnBudgetOptions
  /** What the model counts for an estimated token: of this turn's last call, before that of earlier turns. */
  #factor: number

  constructor(options: TurnBudgetOptions) {
    this.#options = options
    this.#factor = options.calibration.factor
  }

  /** Tokens of history and prompt together, so that the answer can still look something up. */
  get conversationTokens(): number {
    return Math.floor(conversationShare(this.#options, this.#counted(0)) / this.#factor)
  }

  /** Tokens of history and prompt together at which one lookup is still possible: the bound of the prompt's files. */
  get longestConversationTokens(): number {
    const { allowance, limits } = this.#options
    return Math.floor(Math.max(0, longestShare(allowance.inputTokens, limits) - this.#counted(0)) / this.#factor)
  }

  /** Plans and counts the next call; null when nothing is left for it. The first call is always made. */
  beginCall(step: number, messageTokens: number): CallPlan | null {
    const { limits, allowance, hasTools } = this.#options
    const input = this.#counted(messageTokens)
    const { used } = this.meter
    const left = allowance.inputTokens - used.inputTokens
    const maxOutputTokens = Math.min(
      limits.maxOutputTokens,
      allowance.outputTokens - used.outputTokens,
      Math.max(LEAST_OUTPUT_TOKENS, Math.floor(limits.windowTokens - ERROR_MARGIN * input)),
    )
    if (step > 1 && (maxOutputTokens <= 0 || input > left)) return null
    const next = ERROR_MARGIN * (input + MIN_CALL_TOKENS)
    const forResults = Math.min(left - input - next - this.#callTokens, limits.windowTokens - next - answerReserve(limits))
    this.meter.begin(Math.ceil(input))
    return { maxOutputTokens, mayUseTools: hasTools && step < limits.maxSteps && forResults >= MIN_RESULT_TOKENS }
  }

  /** The current call was refused, and is made again with other messages. */
  repeatCall(messageTokens: number): void {
    this.meter.abandon()
    this.meter.begin(Math.ceil(this.#counted(messageTokens)))
  }

  /** Takes the provider's report of the call that read `messageTokens`. */
  endCall(messageTokens: number, usage: Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'>): void {
    this.meter.end(usage)
    const { calibration, fixedTokens } = this.#options
    this.#factor = calibration.learn(fixedTokens + TOKENS_AROUND + messageTokens, usage.inputTokens) ?? this.#factor
  }

  /**
   * Tokens that tools may return together after this step, when the next call reads `messageTokens` without them: as
   * many as leave room for one more lookup, and where that would be too little, as many as the answer itself can take.
   */
  resultTokens(step: number, messageTokens: number): number {
    const { limits, allowance } = this.#options
    const base = ERROR_MARGIN * this.#counted(messageTokens)
    const left = allowance.inputTokens - this.meter.used.inputTokens
    const most = Math.min(left, limits.windowTokens - answerReserve(limits)) - base
    const isLast = step + 1 >= limits.maxSteps
    const afterNext = left - this.#callTokens - NEXT_RESULT_TOKENS - ERROR_MARGIN * MIN_CALL_TOKENS
    const withAnother = isLast ? most : Math.min(most, afterNext / (1 + ERROR_MARGIN) - base)
    const room = Math.max(withAnother, Math.min(most, RESULT_TOKENS))
    return Math.max(0, Math.floor(room / this.#factor))
  }

  #counted(messageTokens: number): number {
    return this.#factor * (this.#options.fixedTokens + TOKENS_AROUND + messageTokens)
  }

  /** Kept free for what the model itself writes before a tool runs, since the next call reads that too. */
  get #callTokens(): number {
    const { allowance, limits } = this.#options
    return Math.min(limits.maxOutputTokens, allowance.inputTokens / 16)
  }
}

/** Of a call's tokens, what history and prompt may take beside `fixed`. */
function conversationShare({ allowance, limits, hasTools }: Pick<TurnBudgetOptions, 'allowance' | 'limits' | 'hasTools'>, fixed: number) {
  const { inputTokens } = allowance
  const inWindow = limits.windowTokens - answerReserve(limits)
  if (!hasTools) return Math.max(0, Math.min(inputTokens, inWindow) - fixed)
  const results = Math.min(RESULT_TOKENS, inputTokens / 4)
  const longest = longestShare(inputTokens, limits) - fixed
  const planned = inputTokens / PLANNED_STEPS - results - fixed
  return Math.max(0, Math.min(longest, Math.max(planned, MIN_CONVERSATION_TOKENS)))
}

/** What a call may read when one result and one more call are to follow. */
function longestShare(inputTokens: number, limits: BudgetLimits): number {
  const results = Math.min(RESULT_TOKENS, inputTokens / 4)
  const inWindow = limits.windowTokens - answerReserve(limits) - Math.min(results, limits.windowTokens / 4)
  return Math.min((inputTokens - results) / 2, inWindow)
}

/** Of the window, what is kept free for the answer. */
function answerReserve({ maxOutputTokens, windowTokens }: BudgetLimits): number {
  return Math.min(maxOutputTokens, Math.max(LEAST_OUTPUT_TOKENS, windowTokens / 4))
}

/** Tokens that history and prompt get in a turn with the usual allowance. */
export function defaultConversationTokens(limits: ModelLimits, fixedTokens: number): number {
  const allowance = { inputTokens: limits.maxInputTokens, outputTokens: limits.maxOutputTokens }
  return Math.floor(conversationShare({ allowance, limits, hasTools: true }, fixedTokens + TOKENS_AROUND))
}

/** What the definitions of tools may take of a turn with this allowance. */
export function definitionTokens(inputTokens: number, windowTokens: number): number {
  return Math.floor(DEFINITIONS_SHARE * Math.min(inputTokens, windowTokens))
}
