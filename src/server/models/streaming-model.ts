import { type LanguageModelV4, type LanguageModelV4CallOptions, UnsupportedFunctionalityError } from '@ai-sdk/provider'

/** A model of this name that answers by `doStream` alone: the agent streams every answer. */
export function streamingModel(
  { provider, modelId, supportedUrls }: Pick<LanguageModelV4, 'provider' | 'modelId' | 'supportedUrls'>,
  doStream: LanguageModelV4['doStream'],
): LanguageModelV4 {
  const doGenerate = () => Promise.reject(new UnsupportedFunctionalityError({ functionality: 'answers that are not streamed' }))
  return { specificationVersion: 'v4', provider, modelId, supportedUrls, doGenerate, doStream }
}

/** The model with other options in each call. */
export function withCallOptions(
  model: LanguageModelV4,
  change: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions,
): LanguageModelV4 {
  return streamingModel(model, (options) => model.doStream(change(options)))
}
