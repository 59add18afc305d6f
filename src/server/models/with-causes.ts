import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { reportedFailure } from './requests/model-error.ts'
import type { StreamFailures } from './requests/stream-failures.ts'

/** Replaces a model's errors by their causes. */
export function withCauses(model: LanguageModelV4, failures: StreamFailures): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    doStream: async (callOptions) => {
      const options = failures.withOwnSignal(callOptions)
      const causeOf = (error: unknown) => asReported(failures.behind(options.abortSignal, error), options.prompt)
      try {
        const result = await model.doStream(options)
        return { ...result, stream: streamWithCauses(result.stream, causeOf) }
      } catch (error) {
        throw causeOf(error)
      }
    },
  }
}

/** Packages pass on an error of the stream as the provider sent it, or as a failed validation. */
function asReported(error: unknown, prompt: LanguageModelV4Prompt): unknown {
  const reported = error instanceof Error ? ('value' in error ? error.value : undefined) : error
  const isReport = typeof reported === 'string' || (typeof reported === 'object' && reported !== null)
  return isReport ? reportedFailure(reported, { body: JSON.stringify({ messages: prompt }) }) : error
}

/** Reads only as fast as its consumer. */
function streamWithCauses(
  source: ReadableStream<LanguageModelV4StreamPart>,
  causeOf: (error: unknown) => unknown,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = source.getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value.type === 'error' ? { ...value, error: causeOf(value.error) } : value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
