import type { LanguageModelV4 } from '@ai-sdk/provider'

/**
 * Calls the model with `tool_choice: none`. Set here, because the SDK fails an answer if its model calls a tool anyway, as some models
 * do.
 */
export function withoutToolCalls(model: LanguageModelV4): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (options) => model.doGenerate({ ...options, toolChoice: { type: 'none' } }),
    doStream: (options) => model.doStream({ ...options, toolChoice: { type: 'none' } }),
  }
}
