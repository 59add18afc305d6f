import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Takes } from '../../../contract/files.ts'
import { adaptiveRequest } from './adaptive-request.ts'
import { BuiltinModel } from './builtin/builtin-model.ts'
import type { EndpointQuirks } from './endpoint-quirks.ts'
import type { ModelLimits } from './model-limits.ts'
import type { LocalRuntime } from './local/local-runtime.ts'
import { nameOfSource } from '../../local-runtime/model-source.ts'
import { type LocalModelSettings, sourceOf } from './local/model-source.ts'
import { mergeDeltas } from './merge-deltas.ts'
import type { MergePace } from './merge-pace.ts'
import { createModelFetch } from './model-fetch.ts'
import { createModelRequest } from './model-request.ts'
import type { OpenAiApi } from './openai-apis.ts'
import { connectOpenAi } from './openai-model.ts'
import { type ReasoningEffort, withReasoningEffort } from './reasoning-effort.ts'
import { StreamFailures } from './stream-failures.ts'
import { dropRejectedTools } from './drop-rejected-tools.ts'

export type ModelSettings = { kind: 'builtin' } | ({ kind: 'local' } & LocalModelSettings) | (ProviderSettings & ModelTraits)

interface ModelTraits {
  /** Whether the model takes pictures, where the operator says so. */
  pictures?: boolean
  /** How much a reasoning model thinks; the provider's default when unset. */
  reasoningEffort?: ReasoningEffort
  /** Which API a model is asked by that speaks the OpenAI protocol. */
  openAiApi?: OpenAiApi
}

/** `baseUrl` is where the provider is reached when not at its own address. */
type ProviderSettings =
  | { kind: 'openai'; apiKey: string; model: string }
  | { kind: 'openai-compatible'; baseUrl: string; apiKey: string | undefined; model: string }
  | { kind: 'anthropic' | 'google' | 'mistral'; apiKey: string; model: string; baseUrl?: string }
  /** `model` is the name of a deployment in the resource at `baseUrl`. */
  | { kind: 'azure'; baseUrl: string; apiKey: string; model: string }
  | { kind: 'bedrock'; region: string; credentials: BedrockCredentials; model: string; baseUrl?: string }

export type BedrockCredentials = { apiKey: string } | { accessKeyId: string; secretAccessKey: string; sessionToken?: string }

/** Which model answers, in words for the visitor; `provider` is who receives the prompts, null when nobody does; `takes` what it reads beside words. */
export interface ModelDescription {
  label: string
  provider: string | null
  /** Whether it is a language model on this server. */
  runsHere?: true
  takes: Takes
}

// Given, because the providers would otherwise look into the environment, which only the configuration reads.
const OPENAI_BASE_URL = 'https://api.openai.com/v1'
const ANTHROPIC_BASE_URL = 'https://api.anthropic.com/v1'
const GOOGLE_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta'
const MISTRAL_BASE_URL = 'https://api.mistral.ai/v1'

type Fetch = typeof globalThis.fetch

export interface ConnectOptions {
  limits: ModelLimits
  pace: MergePace
  /** What endpoints were found not to take, of all agents together. */
  quirks: EndpointQuirks
  onWarning: (message: string, cause?: unknown) => void
  /** What a local model runs in; there is one of it for all agents. */
  local: Pick<LocalRuntime, 'answer'> | null
  /** Prompts that the built-in assistant offers. */
  starters?: () => readonly string[]
}

/** The model of the settings. Its provider's package is loaded only when it is used. */
export async function connectModel(settings: ModelSettings, options: ConnectOptions): Promise<LanguageModelV4> {
  const { limits, pace, local } = options
  switch (settings.kind) {
    case 'builtin':
      return mergeDeltas(new BuiltinModel({ pauseMs: limits.builtinPauseMs, starters: options.starters }), pace, new StreamFailures())
    case 'local': {
      if (!local) throw new Error('A local model has nothing to run in')
      const { LocalModel } = await import('./local/local-model.ts')
      return mergeDeltas(new LocalModel(describeModel(settings).label, local), pace, new StreamFailures())
    }
    case 'openai':
      return connectOpenAi({ ...settings, baseUrl: OPENAI_BASE_URL, isOpenAi: true }, options)
    case 'openai-compatible':
      return connectOpenAi(settings, options)
    case 'azure':
      return connectOpenAi({ ...settings, baseUrl: azureBaseUrl(settings.baseUrl), isOpenAi: true, keyHeader: 'api-key' }, options)
    default: {
      const failures = new StreamFailures()
      const request = createModelRequest(limits)
      // A signed request may not be changed.
      const send = settings.kind === 'bedrock' ? request : adaptiveRequest(request, { ...options, model: settings.model })
      const model = mergeDeltas(await packagedModel(settings, createModelFetch({ limits, send, failures })), pace, failures)
      const able = settings.kind === 'bedrock' ? dropRejectedTools(model, options.onWarning) : model
      return withReasoningEffort(able, settings.reasoningEffort)
    }
  }
}

type PackagedSettings = Extract<ProviderSettings, { kind: 'anthropic' | 'google' | 'mistral' | 'bedrock' }>

/** A model through its provider's package of the SDK. */
async function packagedModel(settings: PackagedSettings, fetch: Fetch): Promise<LanguageModelV4> {
  switch (settings.kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: settings.baseUrl ?? ANTHROPIC_BASE_URL, apiKey: settings.apiKey, fetch })(settings.model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: settings.baseUrl ?? GOOGLE_BASE_URL, apiKey: settings.apiKey, fetch })(settings.model)
    }
    case 'mistral': {
      const { createMistral } = await import('@ai-sdk/mistral')
      return createMistral({ baseURL: settings.baseUrl ?? MISTRAL_BASE_URL, apiKey: settings.apiKey, fetch })(settings.model)
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      const { region, credentials, baseUrl = bedrockBaseUrl(region) } = settings
      // An empty key keeps the package from looking for one in the environment.
      return createAmazonBedrock({ apiKey: '', ...credentials, region, baseURL: baseUrl, fetch })(settings.model)
    }
  }
}

/** Azure's own address with the path of its OpenAI protocol, unless a path was given. */
function azureBaseUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return pathname === '/' ? `${origin}/openai/v1` : baseUrl
}

function bedrockBaseUrl(region: string): string {
  return `https://bedrock-runtime.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`
}

const PROVIDER_NAMES = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  mistral: 'Mistral',
  azure: 'Microsoft Azure',
  bedrock: 'Amazon Bedrock',
} as const

/** Models that are known to take pictures, by how their names begin. Of others the operator has to say so. */
const TAKE_PICTURES: Record<ProviderSettings['kind'], RegExp> = {
  openai: /^(?:chatgpt-4o|gpt-4o(?!-audio)|gpt-4\.1|gpt-[5-9]|o1(?!-mini)|o3(?!-mini)|o4)/,
  azure: /^(?:gpt-4o(?!-audio)|gpt-4\.1|gpt-[5-9]|o1(?!-mini)|o3(?!-mini)|o4)/,
  'openai-compatible': /^$/,
  anthropic: /^claude-(?!2|instant)/,
  google: /^gemini-/,
  mistral: /^(?:pixtral|mistral-(?:small|medium))-/,
  bedrock: /(?:^|\.)(?:anthropic\.claude-(?!v2|instant)|amazon\.nova-(?:lite|pro|premier))/,
}

function takesOf({ kind, model, pictures = TAKE_PICTURES[kind].test(model) }: ProviderSettings & ModelTraits): Takes {
  return pictures ? 'pictures' : 'texts'
}

/** Whether pictures that tools return can be given to it: Mistral takes texts alone after a call. */
export function takesToolPictures(settings: ModelSettings): boolean {
  return settings.kind !== 'mistral' && describeModel(settings).takes === 'pictures'
}

export function describeModel(settings: ModelSettings): ModelDescription {
  switch (settings.kind) {
    case 'builtin':
      return { label: 'Built-in assistant', provider: null, takes: 'nothing' }
    case 'local':
      return { label: nameOfSource(sourceOf(settings)), provider: null, takes: 'texts', runsHere: true }
    case 'openai-compatible':
      return { label: settings.model, provider: new URL(settings.baseUrl).host, takes: takesOf(settings) }
    default:
      return { label: settings.model, provider: PROVIDER_NAMES[settings.kind], takes: takesOf(settings) }
  }
}

/** The usual model as it is, with everybody who receives prompts: whom the other model's go to, too. */
export function describeModels(usual: ModelSettings, fallback: ModelSettings | null): ModelDescription {
  const description = describeModel(usual)
  const { provider } = description
  const other = fallback && describeModel(fallback).provider
  if (!other || other === provider) return description
  return {
    ...description,
    provider: provider ? `${provider}, or ${other} when that does not answer` : `${other}, when the model on this server does not answer`,
  }
}
