import type { AssistantModelMessage, LanguageModelStreamPart, ModelMessage, ProviderMetadata, ToolModelMessage } from 'ai'
import { DEFAULT_LIMITS } from '../../models/model-limits.ts'
import type { ReadOutcome } from './tool-results.ts'

type AssistantPart = Exclude<AssistantModelMessage['content'], string>[number]
type WrittenPart = Extract<AssistantPart, { type: 'text' | 'reasoning' }>
type ToolResult = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>

/** Longest repeated input of an invalid call. */
const MAX_REPEATED_CHARACTERS = 4_000
/** Longest repeated input of a call that ran; tools accept no more. */
const MAX_RUN_INPUT_CHARACTERS = DEFAULT_LIMITS.maxToolInputBytes

/**
 * Collects what the model wrote in one step and the tool results, as messages for the next step. Provider metadata of a part (such as
 * reasoning signatures) is sent back with it.
 */
export class StepContent {
  readonly #parts: AssistantPart[] = []
  readonly #written = new Map<string, WrittenPart>()
  readonly #results: ToolResult[] = []

  add(part: LanguageModelStreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id)
        this.#attach(this.#writtenBy(part), part.providerMetadata)
        break
      case 'text-delta':
      case 'reasoning-delta': {
        const written = this.#writtenBy(part)
        if (written) written.text += part.text
        this.#attach(written, part.providerMetadata)
        break
      }
      case 'text-end':
      case 'reasoning-end':
        this.#attach(this.#writtenBy(part), part.providerMetadata)
        break
      case 'tool-call': {
        const { toolCallId, toolName, invalid, providerMetadata } = part
        const input: unknown = objectToRepeat(part.input, invalid ? MAX_REPEATED_CHARACTERS : MAX_RUN_INPUT_CHARACTERS)
        this.#parts.push({ type: 'tool-call', toolCallId, toolName, input, ...(providerMetadata && { providerOptions: providerMetadata }) })
        break
      }
      default:
        break
    }
  }

  addOutcome({ outcome: { toolCallId, toolName }, output }: ReadOutcome): void {
    this.#results.push({ type: 'tool-result', toolCallId, toolName, output })
  }

  addDenial(toolCallId: string, toolName: string): void {
    const output = {
      type: 'execution-denied' as const,
      reason: 'The visitor did not allow this. Do not try it again unless they ask for it.',
    }
    this.#results.push({ type: 'tool-result', toolCallId, toolName, output })
  }

  get calledTools(): boolean {
    return this.#results.length > 0
  }

  messages(): ModelMessage[] {
    const content = this.#parts.filter((part) => part.type !== 'text' || part.text !== '')
    return [
      { role: 'assistant', content },
      { role: 'tool', content: this.#results },
    ]
  }

  #begin(type: 'text' | 'reasoning', id: string): void {
    const part: WrittenPart = { type, text: '' }
    this.#written.set(`${type}:${id}`, part)
    this.#parts.push(part)
  }

  #writtenBy(part: { type: string; id: string }): WrittenPart | undefined {
    return this.#written.get(`${part.type.startsWith('text') ? 'text' : 'reasoning'}:${part.id}`)
  }

  #attach(part: WrittenPart | undefined, metadata: ProviderMetadata | undefined): void {
    if (part && metadata) part.providerOptions = metadata
  }
}

/** Input of a call as it is sent back: providers accept only objects, and long ones cost tokens again. */
function objectToRepeat(input: unknown, maxCharacters: number): unknown {
  return typeof input === 'object' && JSON.stringify(input).length <= maxCharacters ? input : {}
}
