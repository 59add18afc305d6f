import type { ModelLimits } from '../../models/model-limits.ts'
import type { TokenCalibration } from '../../models/tokens/token-calibration.ts'
import { type ReportedUsage, TokenMeter, type Tokens } from '../../models/tokens/token-meter.ts'

/** Overhead of the provider. */
const TOKENS_AROUND = 40
/** Results of one step: a search's 8,000 characters with formatting. A smaller turn reserves a quarter of its allowance. */
const RESULT_TOKENS = 3_000
/** Reserved for the result of one more lookup. */
const NEXT_RESULT_TOKENS = 1_000
/** Smallest useful result. */
const MIN_RESULT_TOKENS = 300
/** Steps of a typical answer: a search, a second search, the answer. */
const PLANNED_STEPS = 3
/** History that is sent even if only one search then fits. */
const MIN_CONVERSATION_TOKENS = 2_000
/** Smallest output of a tool call. */
const MIN_CALL_TOKENS = 100
/** Output that is always allowed, since the estimate of the window may be off. */
const LEAST_OUTPUT_TOKENS = 256
/** Factor by which estimates may be too low. */
const ERROR_MARGIN = 1.05

/** Share of a call's input for tool definitions. */
const DEFINITIONS_SHARE = 0.35

type BudgetLimits = Pick<ModelLimits, 'maxSteps' | 'maxOutputTokens' | 'windowTokens'>

export interface TurnBudgetOptions {
  /** Tokens for all steps together. */
  allowance: Tokens
  limits: BudgetLimits
  /** Estimated tokens of instructions and tool definitions in every call. */
  fixedTokens: number
  hasTools: boolean
  calibration: TokenCalibration
}

export interface CallPlan {
  maxOutputTokens: number
  /** Whether a tool's result and one more call still fit. */
  mayUseTools: boolean
}

/**
 * Divides a turn's tokens among its calls. Each call reads the whole conversation again, so the allowance covers all steps together,
 * and the model's window bounds each call. Arguments and results are estimated tokens.
 */
export class TurnBudget {
  readonly meter = new TokenMeter()
  readonly #options: TurnBudgetOptions
  /** Ratio of counted to estimated tokens: of this turn's last call, or of earlier turns. */
  #factor: number

  constructor(options: TurnBudgetOptions) {
    this.#options = options
    this.#factor = options.calibration.factor
  }

  /** Tokens of history and prompt that still allow lookups. */
  get conversationTokens(): number {
    return Math.floor(conversationShare(this.#options, this.#counted(0)) / this.#factor)
  }

  /** Tokens of history and prompt that still allow one lookup: the bound of the prompt's files. */
  get longestConversationTokens(): number {
    const { allowance, limits } = this.#options
    return Math.floor(Math.max(0, longestShare(allowance.inputTokens, limits) - this.#counted(0)) / this.#factor)
  }

  get left(): Tokens {
    const { allowance } = this.#options
    const { inputTokens, outputTokens } = this.meter.used
    return { inputTokens: allowance.inputTokens - inputTokens, outputTokens: allowance.outputTokens - outputTokens }
  }

  /** Plans and counts the next call; `null` if no tokens are left. The first call is always made. */
  beginCall(step: number, messageTokens: number): CallPlan | null {
    const { limits, hasTools } = this.#options
    const input = this.#counted(messageTokens)
    const { inputTokens: left, outputTokens } = this.left
    const maxOutputTokens = Math.min(
      limits.maxOutputTokens,
      outputTokens,
      Math.max(LEAST_OUTPUT_TOKENS, Math.floor(limits.windowTokens - ERROR_MARGIN * input)),
    )
    if (step > 1 && (maxOutputTokens <= 0 || input > left)) return null
    const next = ERROR_MARGIN * (input + MIN_CALL_TOKENS)
    const forResults = Math.min(left - input - next - this.#callTokens, limits.windowTokens - next - answerReserve(limits))
    this.meter.begin(Math.ceil(input))
    return { maxOutputTokens, mayUseTools: hasTools && step < limits.maxSteps && forResults >= MIN_RESULT_TOKENS }
  }

  /** Replaces the rejected current call by one with other messages. */
  repeatCall(messageTokens: number): void {
    this.meter.abandon()
    this.meter.begin(Math.ceil(this.#counted(messageTokens)))
  }

  /** Records the provider's usage report of the call that read `messageTokens`. */
  endCall(messageTokens: number, usage: ReportedUsage): void {
    this.meter.end(usage)
    const { calibration, fixedTokens } = this.#options
    this.#factor = calibration.learn(fixedTokens + TOKENS_AROUND + messageTokens, usage.inputTokens) ?? this.#factor
  }

  /**
   * Tokens for the tool results of this step, if the next call reads `messageTokens` without them: as many as leave room for one more
   * lookup or, if that is too little, as many as the answer itself can read.
   */
  resultTokens(step: number, messageTokens: number): number {
    const { limits } = this.#options
    const base = ERROR_MARGIN * this.#counted(messageTokens)
    const left = this.left.inputTokens
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

  /** Reserved for the model's output before a tool runs, which the next call reads too. */
  get #callTokens(): number {
    const { allowance, limits } = this.#options
    return Math.min(limits.maxOutputTokens, allowance.inputTokens / 16)
  }
}

/** Tokens of a call for history and prompt, beside `fixed`. */
function conversationShare({ allowance, limits, hasTools }: Pick<TurnBudgetOptions, 'allowance' | 'limits' | 'hasTools'>, fixed: number) {
  const { inputTokens } = allowance
  const inWindow = limits.windowTokens - answerReserve(limits)
  if (!hasTools) return Math.max(0, Math.min(inputTokens, inWindow) - fixed)
  const results = Math.min(RESULT_TOKENS, inputTokens / 4)
  const longest = longestShare(inputTokens, limits) - fixed
  const planned = inputTokens / PLANNED_STEPS - results - fixed
  return Math.max(0, Math.min(longest, Math.max(planned, MIN_CONVERSATION_TOKENS)))
}

/** Tokens that a call may read if one result and one more call are to follow. */
function longestShare(inputTokens: number, limits: BudgetLimits): number {
  const results = Math.min(RESULT_TOKENS, inputTokens / 4)
  const inWindow = limits.windowTokens - answerReserve(limits) - Math.min(results, limits.windowTokens / 4)
  return Math.min((inputTokens - results) / 2, inWindow)
}

function answerReserve({ maxOutputTokens, windowTokens }: BudgetLimits): number {
  return Math.min(maxOutputTokens, Math.max(LEAST_OUTPUT_TOKENS, windowTokens / 4))
}

/** Tokens of history and prompt in a turn with the default allowance. */
export function defaultConversationTokens(limits: ModelLimits, fixedTokens: number): number {
  const allowance = { inputTokens: limits.maxInputTokens, outputTokens: limits.maxOutputTokens }
  return Math.floor(conversationShare({ allowance, limits, hasTools: true }, fixedTokens + TOKENS_AROUND))
}

/** Tokens for tool definitions in a turn with this allowance. */
export function definitionTokens(inputTokens: number, windowTokens: number): number {
  return Math.floor(DEFINITIONS_SHARE * Math.min(inputTokens, windowTokens))
}
