import type { LanguageModelV4 } from '@ai-sdk/provider'
import { OpenAiChatModel } from './openai-chat/openai-chat-model.ts'
import { abortable } from '../../../contract/abort.ts'

/** Wraps a model so that requests wait for `ready`. The own OpenAI client prepares its request meanwhile. */
export function sendWhenReady(model: LanguageModelV4, ready: Promise<unknown>): LanguageModelV4 {
  if (model instanceof OpenAiChatModel) return model.sendWhenReady(ready)
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: async (options) => {
      await abortable(ready, options.abortSignal)
      return model.doGenerate(options)
    },
    doStream: async (options) => {
      await abortable(ready, options.abortSignal)
      return model.doStream(options)
    },
  }
}
