import type { LanguageModelV4 } from '@ai-sdk/provider'
import { adaptiveRequest, endpointOf } from './requests/adaptive-request.ts'
import type { ConnectOptions } from './connect-options.ts'
import { withCallOptions } from './streaming-model.ts'
import { withCauses } from './with-causes.ts'
import { createModelFetch, type StreamFailures } from './requests/model-fetch.ts'
import { createModelRequest, type SendToModel } from './requests/model-request.ts'
import { type OpenAiEndpoint, openAiChatModel } from './openai-chat/openai-chat-model.ts'
import { defaultEffort } from './reasoning-effort.ts'

const OPENAI_HOST = /(?:^|\.)openai(?:\.azure)?\.com$/

type Options = Pick<ConnectOptions, 'limits' | 'quirks' | 'onWarning'>

/** Connects a model behind OpenAI's protocol, of any provider. */
export async function connectOpenAi(settings: OpenAiEndpoint, options: Options): Promise<LanguageModelV4> {
  const { limits, quirks, onWarning } = options
  const { model, reasoningEffort = defaultEffort(model) } = settings
  const endpoint: OpenAiEndpoint = { ...settings, ...(reasoningEffort && { reasoningEffort }) }
  const send = adaptiveRequest(createModelRequest(limits, settings.network), { model, quirks, onWarning })
  const responses = () => responsesModel(endpoint, send, options)
  const key = endpointOf(new URL(endpoint.baseUrl), model)
  const otherApi = {
    isNeeded: () => quirks.needsResponses(key),
    learn: () => quirks.learnResponses(key) && onWarning(`${model} supports only the Responses API; using that from now on`),
    model: responses,
  }
  const isOpenAi = endpoint.isOpenAi ?? OPENAI_HOST.test(new URL(endpoint.baseUrl).hostname)
  return openAiChatModel({ ...endpoint, isOpenAi, limits, send, otherApi })
}

/** The model through OpenAI's Responses API. The provider stores nothing, so encrypted reasoning is sent back and forth. */
async function responsesModel(endpoint: OpenAiEndpoint, send: SendToModel, { limits }: Options): Promise<LanguageModelV4> {
  const { baseUrl, apiKey = '', keyHeader, model, reasoningEffort } = endpoint
  const { createOpenAI } = await import('@ai-sdk/openai')
  const failures: StreamFailures = new WeakMap()
  const fetch = createModelFetch({ limits, send: withoutEmptyKey(send), failures })
  const provider = createOpenAI({
    baseURL: baseUrl.replace(/\/+$/, ''),
    apiKey: keyHeader ? '' : apiKey,
    headers: keyHeader ? { [keyHeader]: apiKey } : {},
    fetch,
  })
  const openai = { store: false, reasoningSummary: null, ...(reasoningEffort && { forceReasoning: true }) }
  const responses = withCallOptions(withCauses(provider.responses(model), failures, limits), (options) => ({
    ...options,
    ...(reasoningEffort && { reasoning: reasoningEffort }),
    providerOptions: { ...options.providerOptions, openai },
  }))
  // Files are sent, never fetched by the provider.
  return { ...responses, supportedUrls: {} }
}

/** The package always sends `Authorization`, which some servers reject when it is empty. */
function withoutEmptyKey(send: SendToModel): SendToModel {
  return (request) => {
    const { authorization, ...headers } = request.headers
    return send(authorization?.trim() === 'Bearer' ? { ...request, headers } : request)
  }
}
