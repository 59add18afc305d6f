import type { LanguageModelV4 } from '@ai-sdk/provider'
import { BuiltinModel } from './builtin/builtin-model.ts'
import type { ModelLimits } from './limits.ts'
import { mergeDeltas } from './merge-deltas.ts'
import type { MergePace } from './merge-pace.ts'
import { createModelFetch, type ModelFetchOptions } from './model-fetch.ts'
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
  const failures = new StreamFailures()
  return mergeDeltas(await providerModel(settings, { limits, pace, failures }), pace, failures)
}

async function providerModel(settings: ModelSettings, fetching: ModelFetchOptions): Promise<LanguageModelV4> {
  switch (settings.kind) {
    case 'builtin':
      return new BuiltinModel({ pauseMs: fetching.limits.builtinPauseMs })
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: OPENAI_BASE_URL, apiKey: settings.apiKey, fetch: createModelFetch(fetching) }).chat(settings.model)
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const { baseUrl: baseURL, apiKey } = settings
      const provider = createOpenAICompatible({
        name: 'model',
        baseURL,
        includeUsage: true,
        fetch: createModelFetch(fetching),
        ...(apiKey !== undefined && { apiKey }),
      })
      return provider.chatModel(settings.model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: ANTHROPIC_BASE_URL, apiKey: settings.apiKey, fetch: createModelFetch(fetching) })(settings.model)
    }
  }
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
