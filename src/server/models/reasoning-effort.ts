import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { withCallOptions } from './streaming-model.ts'

/** Reasoning effort. Not every model supports every value. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number]

/** OpenAI's models that reason at medium effort unless told otherwise: seconds before the first word. Later ones don't by themselves. */
const REASONS_BY_DEFAULT = /^(?:openai\/)?gpt-5(?:-mini|-nano)?(?:-\d{4}-\d\d-\d\d)?$/

/** The effort for a model whose operator set none; `undefined` for the model's own. */
export function defaultEffort(model: string): ReasoningEffort | undefined {
  return REASONS_BY_DEFAULT.test(model) ? 'low' : undefined
}

/** Share of the output tokens for reasoning, for models with a budget instead of an effort. */
const BUDGET_SHARES: Record<Exclude<ReasoningEffort, 'none'>, number> = { minimal: 0.2, low: 0.35, medium: 0.5, high: 0.7, xhigh: 0.8 }
/** Anthropic's smallest budget. */
const MIN_BUDGET_TOKENS = 1_024
/** Smallest rest for the answer. */
const MIN_ANSWER_TOKENS = 256

/** Claude before 4.6, directly or on Bedrock. */
const CLAUDE_WITH_BUDGET = /claude-(?:3-7-sonnet|(?:opus|sonnet|haiku)-4-(?:[015]\b|20\d{6}))/
const GEMINI_WITH_BUDGET = /^gemini-2\.5/

/** Sets the reasoning effort. A budget is taken out of the output tokens: packages would add it to what an answer may cost. */
export function withReasoningEffort(model: LanguageModelV4, effort: ReasoningEffort | undefined): LanguageModelV4 {
  if (effort === undefined) return model
  return withCallOptions(model, (options) => ({ ...options, ...effortOptions(model.modelId, effort, options) }))
}

type EffortOptions = Pick<LanguageModelV4CallOptions, 'reasoning' | 'maxOutputTokens' | 'providerOptions'>

function effortOptions(modelId: string, effort: ReasoningEffort, options: LanguageModelV4CallOptions): EffortOptions {
  const { maxOutputTokens, providerOptions } = options
  if (effort === 'none' || maxOutputTokens === undefined) return { reasoning: effort }
  const share = Math.floor(BUDGET_SHARES[effort] * maxOutputTokens)
  if (GEMINI_WITH_BUDGET.test(modelId))
    return { providerOptions: { ...providerOptions, google: { thinkingConfig: { thinkingBudget: share, includeThoughts: true } } } }
  if (!CLAUDE_WITH_BUDGET.test(modelId)) return { reasoning: effort }
  const budgetTokens = Math.max(MIN_BUDGET_TOKENS, share)
  if (maxOutputTokens - budgetTokens < MIN_ANSWER_TOKENS) return { reasoning: 'none' }
  return {
    maxOutputTokens: maxOutputTokens - budgetTokens,
    providerOptions: {
      ...providerOptions,
      anthropic: { thinking: { type: 'enabled', budgetTokens } },
      amazonBedrock: { reasoningConfig: { type: 'enabled', budgetTokens } },
    },
  }
}
