import type { JSONObject, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { parseJson } from '../../../text/parse-json.ts'
import { AgentFailure } from '../agent-failure.ts'
import { newToolCallId } from '../tool-call-ids.ts'
import { offeredName } from '../tool-names.ts'
import type { ToolCallDelta } from './chat-event.ts'

/** Key of the provider metadata with data that must be sent back with the call. */
export const METADATA_KEY = 'openaiChat'

interface ToolCall {
  /** An own id: the provider's may be missing, taken, or refused by another provider that goes on with the chat. */
  id: string
  providerId: string | undefined
  /** `undefined` until it arrives: some providers start a call without it. */
  name: string | undefined
  arguments: string
  extra: Record<string, unknown> | undefined
}

/** Assembles tool calls from deltas, by index, by id, or else the last one: providers reuse or leave out either, or send whole calls. */
export class ToolCalls {
  readonly #write: (part: LanguageModelV4StreamPart) => void
  readonly #offered: readonly string[]
  readonly #calls: ToolCall[] = []
  readonly #byIndex = new Map<number, ToolCall>()

  /** @param offered Names of the tools in the request. */
  constructor(write: (part: LanguageModelV4StreamPart) => void, offered: readonly string[]) {
    this.#write = write
    this.#offered = offered
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0
  }

  accept(delta: ToolCallDelta): void {
    const known = this.#callOf(delta)
    const call = known && !beginsAnother(delta, known) ? known : this.#begin(delta)
    if (delta.index !== undefined) this.#byIndex.set(delta.index, call)
    call.arguments += delta.arguments
    call.extra ??= delta.extra
    if (call.name !== undefined || delta.name === undefined) return
    call.name = delta.name
    this.#write({ type: 'tool-input-start', id: call.id, toolName: this.#nameOf(call.name) })
  }

  /** Emits the calls in order. Not earlier: arguments that parse may still be incomplete. */
  end(): void {
    for (const { id, name, arguments: input, extra } of this.#calls) {
      if (name === undefined) throw new AgentFailure('model_failed', 'The model called a tool without naming it.')
      this.#write({ type: 'tool-input-end', id })
      const metadata = extra && { providerMetadata: { [METADATA_KEY]: { extra: extra as JSONObject } } }
      this.#write({ type: 'tool-call', toolCallId: id, toolName: this.#nameOf(name), input, ...metadata })
    }
  }

  #nameOf(name: string): string {
    return offeredName(name, this.#offered) ?? name
  }

  #callOf({ index, id, name }: ToolCallDelta): ToolCall | undefined {
    if (index !== undefined) return this.#byIndex.get(index)
    if (id !== undefined) return this.#calls.findLast((call) => call.providerId === id)
    return name === undefined ? this.#calls.at(-1) : undefined
  }

  #begin({ id: providerId }: ToolCallDelta): ToolCall {
    const call: ToolCall = { id: newToolCallId(), providerId, name: undefined, arguments: '', extra: undefined }
    this.#calls.push(call)
    return call
  }
}

/** Whether the delta starts a new call despite the same index or id. */
function beginsAnother(delta: ToolCallDelta, call: ToolCall): boolean {
  if (delta.name === undefined || call.name === undefined) return false
  if (delta.name !== call.name) return true
  const hasOtherId = delta.id !== undefined && delta.id !== call.providerId
  const hasBeginning = delta.arguments.trimStart().startsWith('{')
  return hasOtherId ? hasBeginning || isJson(call.arguments) : hasBeginning && isJson(call.arguments)
}

export const isJson = (text: string): boolean => parseJson(text) !== undefined
