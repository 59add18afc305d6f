import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/** How much a reasoning model thinks before it answers. Not every model takes every one. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number]

/** The model, asked with this effort; its provider's package says it in the provider's own way (a budget of tokens, for one). */
export function withReasoningEffort(model: LanguageModelV4, effort: ReasoningEffort | undefined): LanguageModelV4 {
  if (effort === undefined) return model
  const { specificationVersion, provider, modelId, supportedUrls } = model
  const reasoned = (options: LanguageModelV4CallOptions) => ({ ...options, reasoning: effort })
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => model.doGenerate(reasoned(options)),
    doStream: (options) => model.doStream(reasoned(options)),
  }
}
