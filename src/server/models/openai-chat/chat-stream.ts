import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { failureBehind } from '../agent-failure.ts'
import { type EventStreamListener, EventStreamReader, isKeepAlive } from '../streams/event-stream-reader.ts'
import type { ModelLimits } from '../model-limits.ts'
import type { ModelReply } from '../requests/model-request.ts'
import { ChatAnswer } from './chat-answer.ts'
import type { FailureOf } from './chat-event.ts'

const QUEUE_CHARACTERS = 64 * 1024

interface Answering {
  offered: readonly string[]
  failureOf: FailureOf
}

interface ChatStreamOptions extends Answering {
  send: () => Promise<ModelReply>
  limits: ModelLimits
  signal: AbortSignal | undefined
}

/** Streams the parts of a chat completion. Failures become an `error` part after all output: an erroring stream discards its queue. */
export function chatStream({ send, limits, signal, ...answering }: ChatStreamOptions): ReadableStream<LanguageModelV4StreamPart> {
  let reader: EventStreamReader | undefined
  let isCancelled = false
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async start(controller) {
        const listener = listenerOf(controller, answering)
        try {
          const { response, sentAt } = await send()
          if (isCancelled) return void response.destroy()
          reader = new EventStreamReader(response, { limits, sentAt, signal })
          reader.read(listener)
        } catch (error) {
          if (isCancelled || signal?.aborted) throw error
          listener.fail(failureBehind(error))
        }
      },
      pull: () => reader?.resume(),
      /** A pending request is ended by the signal. */
      cancel() {
        isCancelled = true
        reader?.stop()
      },
    },
    { highWaterMark: QUEUE_CHARACTERS, size: (part) => ('delta' in part ? part.delta.length : 1) },
  )
}

function listenerOf(
  controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>,
  { failureOf, offered }: Answering,
): EventStreamListener {
  const answer = new ChatAnswer((part) => controller.enqueue(part), failureOf, offered)
  answer.begin()
  return {
    event(event) {
      if (!isKeepAlive(event)) answer.accept(event.data)
    },
    isFull: () => (controller.desiredSize ?? 0) <= 0,
    end(isDone) {
      answer.end(isDone)
      controller.close()
    },
    fail(error) {
      controller.enqueue({ type: 'error', error })
      controller.close()
    },
    abort: (reason) => controller.error(reason),
  }
}
