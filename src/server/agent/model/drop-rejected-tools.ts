import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamResult } from '@ai-sdk/provider'
import { failureBehind } from '../answer/agent-failure.ts'
import { ModelError } from './model-error.ts'

/** Calls the model without tools once it has rejected them. For signed requests, which can't be changed later. */
export function dropRejectedTools(model: LanguageModelV4, onWarning: (message: string, cause?: unknown) => void): LanguageModelV4 {
  const { specificationVersion, provider, modelId, supportedUrls } = model
  let rejectsTools = false
  const doStream = async (options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> => {
    const { tools: _tools, toolChoice: _toolChoice, ...others } = options
    if (rejectsTools) return model.doStream(others)
    try {
      return await model.doStream(options)
    } catch (error) {
      const failure = failureBehind(error)
      if (!(failure instanceof ModelError) || failure.reason.kind !== 'tools') throw error
      rejectsTools = true
      onWarning(`${modelId} rejected a request; using it without tools: it cannot search the knowledge from now on`, failure)
      return model.doStream(others)
    }
  }
  return { specificationVersion, provider, modelId, supportedUrls, doGenerate: (options) => model.doGenerate(options), doStream }
}
