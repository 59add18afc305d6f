import { randomUUID } from 'node:crypto'
import type { JSONObject, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentFailure } from '../../answer/agent-failure.ts'
import type { ToolCallDelta } from './chat-event.ts'

/** Under this key of its provider metadata a tool call carries what the provider wants back with it. */
export const METADATA_KEY = 'openaiChat'

interface ToolCall {
  /** The provider's id, or one made here when that is missing or taken. */
  id: string
  providerId: string | undefined
  /** Undefined until it came: some providers begin a call without it. */
  name: string | undefined
  arguments: string
  extra: Record<string, unknown> | undefined
}

/**
 * Puts tool calls together from their deltas. Which call a delta belongs to is said by its index, or by its id where there is no index,
 * or else it goes on with the last one. Providers differ: some send a call whole, reuse an index or an id for several calls,
 * repeat the name with each delta, or leave ids out.
 */
export class ToolCalls {
  readonly #write: (part: LanguageModelV4StreamPart) => void
  readonly #calls: ToolCall[] = []
  readonly #byIndex = new Map<number, ToolCall>()

  constructor(write: (part: LanguageModelV4StreamPart) => void) {
    this.#write = write
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
    this.#write({ type: 'tool-input-start', id: call.id, toolName: call.name })
  }

  /** Gives the calls out, in the order in which they began. Only now: arguments that can be parsed may still be a part of longer ones. */
  end(): void {
    for (const { id, name, arguments: input, extra } of this.#calls) {
      if (name === undefined) throw new AgentFailure('model_failed', 'The model called a tool without naming it.')
      this.#write({ type: 'tool-input-end', id })
      const metadata = extra && { providerMetadata: { [METADATA_KEY]: { extra: extra as JSONObject } } }
      this.#write({ type: 'tool-call', toolCallId: id, toolName: name, input, ...metadata })
    }
  }

  #callOf({ index, id, name }: ToolCallDelta): ToolCall | undefined {
    if (index !== undefined) return this.#byIndex.get(index)
    if (id !== undefined) return this.#calls.findLast((call) => call.providerId === id)
    return name === undefined ? this.#calls.at(-1) : undefined
  }

  #begin({ id: providerId }: ToolCallDelta): ToolCall {
    const isTaken = this.#calls.some((call) => call.id === providerId)
    const id = providerId === undefined || isTaken ? `call_${randomUUID()}` : providerId
    const call: ToolCall = { id, providerId, name: undefined, arguments: '', extra: undefined }
    this.#calls.push(call)
    return call
  }
}

/** Whether the delta begins a call of its own, though it bears the index or the id of this one. */
function beginsAnother(delta: ToolCallDelta, call: ToolCall): boolean {
  if (delta.name === undefined || call.name === undefined) return false
  if (delta.name !== call.name) return true
  const hasOtherId = delta.id !== undefined && delta.id !== call.providerId
  const hasBeginning = delta.arguments.trimStart().startsWith('{')
  return hasOtherId ? hasBeginning || isJson(call.arguments) : hasBeginning && isJson(call.arguments)
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
