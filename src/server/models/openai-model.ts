import type { LanguageModelV4 } from '@ai-sdk/provider'
import { adaptiveRequest, endpointOf } from './requests/adaptive-request.ts'
import type { ConnectOptions } from './connect-options.ts'
import { streamingModel, withCallOptions } from './streaming-model.ts'
import { withCauses } from './with-causes.ts'
import { createModelFetch, type StreamFailures } from './requests/model-fetch.ts'
import type { ModelError } from './requests/model-error.ts'
import { createModelRequest, type SendToModel } from './requests/model-request.ts'
import { type OpenAiEndpoint, openAiChatModel } from './openai-chat/openai-chat-model.ts'
import { defaultEffort } from './reasoning-effort.ts'

const OPENAI_HOST = /(?:^|\.)openai(?:\.azure)?\.com$/

type Options = Pick<ConnectOptions, 'limits' | 'quirks' | 'onWarning'>

/** Connects a model behind OpenAI's protocol, of any provider. Uses the Responses API once the endpoint says that it serves the model only there. */
export async function connectOpenAi(settings: OpenAiEndpoint, { limits, quirks, onWarning }: Options): Promise<LanguageModelV4> {
  const { model, reasoningEffort = defaultEffort(model) } = settings
  const isOpenAi = settings.isOpenAi ?? OPENAI_HOST.test(new URL(settings.baseUrl).hostname)
  const endpoint: OpenAiEndpoint = { ...settings, isOpenAi, ...(reasoningEffort && { reasoningEffort }) }
  const send = adaptiveRequest(createModelRequest(limits, settings.network), { model, quirks, onWarning })
  const failures: StreamFailures = new WeakMap()
  const key = endpointOf(new URL(endpoint.baseUrl), model)
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
