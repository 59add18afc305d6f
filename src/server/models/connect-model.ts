import type { ModelSettings, ModelTraits, ProviderSettings } from './model-settings.ts'
import { BUILTIN_LABEL } from '../../contract/model-label.ts'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { AcceptedFiles } from '../../contract/chat/files.ts'
import { failureBehind } from './agent-failure.ts'
import { adaptiveRequest, endpointOf as endpointKey } from './requests/adaptive-request.ts'
import { builtinModel } from './builtin/builtin-model.ts'
import type { Surroundings } from './builtin/next-step.ts'
import type { EndpointQuirks } from './requests/endpoint-quirks.ts'
import type { LocalRuntime } from './local/local-runtime.ts'
import type { ModelLimits } from './model-limits.ts'
import { nameOfSource } from '../local-runtime/model-source.ts'
import { sourceOf } from './local/model-source.ts'
import { ModelError } from './requests/model-error.ts'
import { createModelFetch, type StreamFailures } from './requests/model-fetch.ts'
import { createModelRequest, type SendToModel } from './requests/model-request.ts'
import { withReasoningEffort, defaultEffort } from './reasoning-effort.ts'
import { isSmallModel } from './model-traits.ts'
import { streamingModel, withCallOptions } from './streaming-model.ts'
import { withCauses } from './with-causes.ts'
import { PROVIDERS } from '../telemetry/tracing/names.ts'
import { withAcceptedIds } from './tool-call-ids.ts'
import { tracedModel } from './traced-model.ts'
import { type OpenAiEndpoint, openAiChatModel } from './openai-chat/openai-chat-model.ts'

/** Describes a model to visitors. `provider` receives the prompts, `null` for none; `takes` is what the model reads besides text. */
export interface ModelDescription {
  label: string
  provider: string | null
  runsHere?: true
  acceptedFiles: AcceptedFiles
}

export interface ConnectOptions {
  limits: ModelLimits
  /** Shared by all agents: request fields that endpoints reject. */
  quirks: EndpointQuirks
  onWarning: (message: string, cause?: unknown) => void
  /** Runs the local model; shared by all agents. */
  local: Pick<LocalRuntime, 'answer'> | null
  surroundings?: () => Surroundings
}

// Set explicitly: otherwise the packages read the environment, which only the configuration may do.
const BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
}

/** Creates the model of the settings. Loads the provider's package only if it is used. */
export async function connectModel(settings: ModelSettings, options: ConnectOptions): Promise<LanguageModelV4> {
  const model = withAcceptedIds(tracedModel(await connect(settings, options), providerNameOf(settings)))
  // Whether a small model is right is often a matter of chance, and an endpoint has a temperature of its own.
  return isSmallModel(settings) ? withCallOptions(model, (call) => ({ ...call, temperature: 0 })) : model
}

/** Base URL of the provider; `null` for models without one. */
export function endpointOf(settings: ModelSettings): string | null {
  switch (settings.kind) {
    case 'builtin':
    case 'local':
      return null
    case 'openai':
      return BASE_URLS.openai
    case 'bedrock':
      return settings.baseUrl ?? bedrockBaseUrl(settings.region)
    case 'azure':
    case 'openai-compatible':
      return settings.baseUrl
    default:
      return settings.baseUrl ?? BASE_URLS[settings.kind]
  }
}

function providerNameOf(settings: ModelSettings): string {
  return settings.kind === 'openai-compatible' ? new URL(settings.baseUrl).host : (PROVIDERS[settings.kind] ?? settings.kind)
}

async function connect(settings: ModelSettings, options: ConnectOptions): Promise<LanguageModelV4> {
  const { limits, local } = options
  switch (settings.kind) {
    case 'builtin':
      return builtinModel(options.surroundings)
    case 'local': {
      if (!local) throw new Error('A local model needs a local runtime')
      const { localModel } = await import('./local/local-model.ts')
      return withCauses(localModel(describeModel(settings).label, local), new WeakMap(), limits)
    }
    case 'openai':
      return connectOpenAi({ ...settings, baseUrl: BASE_URLS.openai, isOpenAi: true }, options)
    case 'openai-compatible':
      return connectOpenAi(settings, options)
    case 'azure':
      return connectOpenAi({ ...settings, baseUrl: azureBaseUrl(settings.baseUrl), isOpenAi: true, keyHeader: 'api-key' }, options)
    default: {
      const failures: StreamFailures = new WeakMap()
      const request = createModelRequest(limits, settings.network)
      // Signed requests can't be changed.
      const send = settings.kind === 'bedrock' ? request : adaptiveRequest(request, { ...options, model: settings.model })
      const model = withCauses(await packagedModel(settings, createModelFetch({ limits, send, failures })), failures, limits)
      const able = settings.kind === 'bedrock' ? dropRejectedTools(model, options.onWarning) : model
      return withReasoningEffort(able, settings.reasoningEffort)
    }
  }
}

type PackagedSettings = Extract<ProviderSettings, { kind: 'anthropic' | 'google' | 'mistral' | 'bedrock' }>

async function packagedModel(settings: PackagedSettings, fetch: typeof globalThis.fetch): Promise<LanguageModelV4> {
  switch (settings.kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: settings.baseUrl ?? BASE_URLS.anthropic, apiKey: settings.apiKey, fetch })(settings.model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: settings.baseUrl ?? BASE_URLS.google, apiKey: settings.apiKey, fetch })(settings.model)
    }
    case 'mistral': {
      const { createMistral } = await import('@ai-sdk/mistral')
      return createMistral({ baseURL: settings.baseUrl ?? BASE_URLS.mistral, apiKey: settings.apiKey, fetch })(settings.model)
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      const { region, credentials, baseUrl = bedrockBaseUrl(region) } = settings
      // With an empty key the package doesn't read the environment.
      return createAmazonBedrock({ apiKey: '', ...credentials, region, baseURL: baseUrl, fetch })(settings.model)
    }
  }
}

/** The base URL of Azure's OpenAI protocol, unless it has a path. */
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

/** Name prefixes of models that accept images. For others the setting decides. */
const IMAGE_MODELS: Record<ProviderSettings['kind'], RegExp> = {
  openai: /^(?:chatgpt-4o|gpt-4o(?!-audio)|gpt-4\.1|gpt-[5-9]|o1(?!-mini)|o3(?!-mini)|o4)/,
  azure: /^(?:gpt-4o(?!-audio)|gpt-4\.1|gpt-[5-9]|o1(?!-mini)|o3(?!-mini)|o4)/,
  'openai-compatible': /^$/,
  anthropic: /^claude-(?!2|instant)/,
  google: /^gemini-/,
  mistral: /^(?:pixtral|mistral-(?:small|medium))-/,
  bedrock: /(?:^|\.)(?:anthropic\.claude-(?!v2|instant)|amazon\.nova-(?:lite|pro|premier))/,
}

function acceptedFilesOf({ kind, model, images = IMAGE_MODELS[kind].test(model) }: ProviderSettings & ModelTraits): AcceptedFiles {
  return images ? 'images' : 'text'
}

/** Whether tool results may contain images. Mistral accepts only text there. */
export function acceptsToolImages(settings: ModelSettings): boolean {
  return settings.kind !== 'mistral' && describeModel(settings).acceptedFiles === 'images'
}

export function describeModel(settings: ModelSettings): ModelDescription {
  switch (settings.kind) {
    case 'builtin':
      return { label: BUILTIN_LABEL, provider: null, acceptedFiles: 'none' }
    case 'local':
      return { label: nameOfSource(sourceOf(settings)), provider: null, acceptedFiles: 'text', runsHere: true }
    case 'openai-compatible':
      return { label: settings.model, provider: new URL(settings.baseUrl).host, acceptedFiles: acceptedFilesOf(settings) }
    default:
      return { label: settings.model, provider: PROVIDER_NAMES[settings.kind], acceptedFiles: acceptedFilesOf(settings) }
  }
}

/** Describes the primary model, with all providers that may receive prompts, the fallback's included. */
export function describeModels(primary: ModelSettings, fallback: ModelSettings | null): ModelDescription {
  const description = describeModel(primary)
  const { provider } = description
  const other = fallback && describeModel(fallback).provider
  if (!other || other === provider) return description
  return {
    ...description,
    provider: provider ? `${provider}, or ${other} when that does not answer` : `${other}, when the model on this server does not answer`,
  }
}

/** Calls the model without tools once it has rejected them. For signed requests, which can't be changed later. */
function dropRejectedTools(model: LanguageModelV4, onWarning: (message: string, cause?: unknown) => void): LanguageModelV4 {
  let rejectsTools = false
  return streamingModel(model, async (options) => {
    const { tools: _tools, toolChoice: _toolChoice, ...others } = options
    if (rejectsTools) return model.doStream(others)
    try {
      return await model.doStream(options)
    } catch (error) {
      const failure = failureBehind(error)
      if (!(failure instanceof ModelError) || failure.reason.kind !== 'tools') throw error
      rejectsTools = true
      onWarning(`${model.modelId} rejected a request; using it without tools: it cannot search the knowledge from now on`, failure)
      return model.doStream(others)
    }
  })
}

const OPENAI_HOST = /(?:^|\.)openai(?:\.azure)?\.com$/

type Options = Pick<ConnectOptions, 'limits' | 'quirks' | 'onWarning'>

/** Connects a model behind OpenAI's protocol, of any provider. Uses the Responses API once the endpoint says that it serves the model only there. */
async function connectOpenAi(settings: OpenAiEndpoint, { limits, quirks, onWarning }: Options): Promise<LanguageModelV4> {
  const { model, reasoningEffort = defaultEffort(model) } = settings
  const isOpenAi = settings.isOpenAi ?? OPENAI_HOST.test(new URL(settings.baseUrl).hostname)
  const endpoint: OpenAiEndpoint = { ...settings, isOpenAi, ...(reasoningEffort && { reasoningEffort }) }
  const send = adaptiveRequest(createModelRequest(limits, settings.network), { model, quirks, onWarning })
  const failures: StreamFailures = new WeakMap()
  const key = endpointKey(new URL(endpoint.baseUrl), model)
  const chat = openAiChatModel({ ...endpoint, limits, send })
  const either = streamingModel(chat, async (call) => {
    const used = quirks.needsResponses(key)
      ? await responsesModel(endpoint, createModelFetch({ limits, send: withoutEmptyKey(send), failures }))
      : chat
    return used.doStream(call)
  })
  const adapt = ({ reason }: ModelError) => {
    if (reason.kind !== 'responses-only') return false
    if (quirks.learnResponses(key)) onWarning(`${model} supports only the Responses API; using that from now on`)
    return true
  }
  return withCauses(either, failures, { ...limits, adapt })
}

/** The model through OpenAI's Responses API. The provider stores nothing, so encrypted reasoning is sent back and forth. */
async function responsesModel(endpoint: OpenAiEndpoint, fetch: typeof globalThis.fetch): Promise<LanguageModelV4> {
  const { baseUrl, apiKey = '', keyHeader, model, reasoningEffort } = endpoint
  const { createOpenAI } = await import('@ai-sdk/openai')
  const provider = createOpenAI({
    baseURL: baseUrl.replace(/\/+$/, ''),
    apiKey: keyHeader ? '' : apiKey,
    headers: keyHeader ? { [keyHeader]: apiKey } : {},
    fetch,
  })
  const openai = { store: false, reasoningSummary: null, ...(reasoningEffort && { forceReasoning: true }) }
  return withCallOptions(provider.responses(model), (options) => ({
    ...options,
    ...(reasoningEffort && { reasoning: reasoningEffort }),
    providerOptions: { ...options.providerOptions, openai },
  }))
}

/** The package always sends `Authorization`, which some servers reject when it is empty. */
function withoutEmptyKey(send: SendToModel): SendToModel {
  return (request) => {
    const { authorization, ...headers } = request.headers
    return send(authorization?.trim() === 'Bearer' ? { ...request, headers } : request)
  }
}
