import type { LanguageModelV4 } from '@ai-sdk/provider'
import { BuiltinModel } from './builtin/builtin-model.ts'
import type { ModelLimits } from './limits.ts'
import { mergeDeltas } from './merge-deltas.ts'
import type { MergePace } from './merge-pace.ts'
import { createModelFetch } from './model-fetch.ts'
import { createModelRequest } from './model-request.ts'
import { OpenAiChatModel, type OpenAiChatOptions } from './openai-chat/openai-chat-model.ts'
import { StreamFailures } from './stream-failures.ts'

export type ModelSettings =
  | { kind: 'builtin' }
  | { kind: 'openai'; apiKey: string; model: string }
  | { kind: 'openai-compatible'; baseUrl: string; apiKey: string | undefined; model: string }
  | { kind: 'anthropic'; apiKey: string; model: string }

/** Which model answers, in words for the visitor; `provider` is who receives the prompts, null when nobody does. */
export interface ModelDescription {
  label: string
  provider: string | null
}

// Given, because the providers would otherwise look into the environment, which only the configuration reads.
const OPENAI_BASE_URL = 'https://api.openai.com/v1'
const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1'

/** The model of the settings. Its provider's package is loaded only when it is used. */
export async function connectModel(settings: ModelSettings, limits: ModelLimits, pace: MergePace): Promise<LanguageModelV4> {
  switch (settings.kind) {
    case 'builtin':
      return mergeDeltas(new BuiltinModel({ pauseMs: limits.builtinPauseMs }), pace, new StreamFailures())
    case 'openai':
      return openAiChatModel({ ...settings, baseUrl: OPENAI_BASE_URL, dialect: 'openai' }, limits, pace)
    case 'openai-compatible':
      return openAiChatModel({ ...settings, dialect: 'compatible' }, limits, pace)
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      const failures = new StreamFailures()
      const fetch = createModelFetch({ limits, send: createModelRequest(limits), failures })
      return mergeDeltas(createAnthropic({ baseURL: ANTHROPIC_BASE_URL, apiKey: settings.apiKey, fetch })(settings.model), pace, failures)
    }
  }
}

type Endpoint = Pick<OpenAiChatOptions, 'baseUrl' | 'apiKey' | 'model' | 'dialect'>

function openAiChatModel({ baseUrl, apiKey, model, dialect }: Endpoint, limits: ModelLimits, pace: MergePace): OpenAiChatModel {
  return new OpenAiChatModel({ baseUrl, apiKey, model, dialect, limits, pace, send: createModelRequest(limits) })
}

export function describeModel(settings: ModelSettings): ModelDescription {
  switch (settings.kind) {
    case 'builtin':
      return { label: 'Built-in assistant', provider: null }
    case 'openai':
      return { label: settings.model, provider: 'OpenAI' }
    case 'openai-compatible':
      return { label: settings.model, provider: new URL(settings.baseUrl).host }
    case 'anthropic':
      return { label: settings.model, provider: 'Anthropic' }
  }
}
