import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { ATTRIBUTES, OPERATIONS } from '../telemetry/tracing/names.ts'
import { errorTypeOf, isTracing, type OpenSpan, openSpan } from '../telemetry/tracing/spans.ts'
import { streamingModel } from './streaming-model.ts'

type Stream = ReadableStream<LanguageModelV4StreamPart>

/** Gives each call of a model a span, from its request to the end of its stream. */
export function tracedModel(model: LanguageModelV4, provider: string): LanguageModelV4 {
  if (!isTracing()) return model
  const { modelId } = model
  const begin = ({ maxOutputTokens }: LanguageModelV4CallOptions) =>
    openSpan(`${OPERATIONS.chat} ${modelId}`, {
      kind: 'CLIENT',
      attributes: {
        [ATTRIBUTES.operation]: OPERATIONS.chat,
        [ATTRIBUTES.provider]: provider,
        [ATTRIBUTES.requestModel]: modelId,
        ...(maxOutputTokens !== undefined && { [ATTRIBUTES.maxTokens]: maxOutputTokens }),
      },
    })
  return streamingModel(model, async (options) => {
    const span = begin(options)
    try {
      const result = await span.run(() => model.doStream(options))
      return { ...result, stream: tracedStream(result.stream, span) }
    } catch (error) {
      span.fail(errorTypeOf(error))
      span.end()
      throw error
    }
  })
}

type End = Pick<Extract<LanguageModelV4StreamPart, { type: 'finish' }>, 'usage' | 'finishReason'>

function setEnd(span: OpenSpan, { usage, finishReason }: End): void {
  const { inputTokens, outputTokens } = usage
  span.set({
    [ATTRIBUTES.finishReasons]: [finishReason.unified],
    ...(inputTokens.total !== undefined && { [ATTRIBUTES.inputTokens]: inputTokens.total }),
    ...(outputTokens.total !== undefined && { [ATTRIBUTES.outputTokens]: outputTokens.total }),
  })
}

/** Reads only as fast as its consumer. */
function tracedStream(source: Stream, span: OpenSpan): Stream {
  const reader = source.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          span.end()
          return controller.close()
        }
        if (value.type === 'finish') setEnd(span, value)
        if (value.type === 'error') span.fail(errorTypeOf(value.error))
        controller.enqueue(value)
      } catch (error) {
        span.fail(errorTypeOf(error))
        span.end()
        controller.error(error)
      }
    },
    async cancel(reason) {
      span.set({ [ATTRIBUTES.outcome]: 'cancelled' })
      span.end()
      await reader.cancel(reason)
    },
  })
}
