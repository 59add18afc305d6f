import type { ChatChunk, ChatMessage, ChatMessagePart, MessageMetadata } from './message.ts'

type ToolPart = Extract<ChatMessagePart, { toolCallId: string }>

/**
 * Builds a message from the chunks of its stream, on the server to store it and in the page to show it,
 * so that both always agree. Follows the AI SDK's UI message stream protocol; chunks of unknown types are ignored.
 * A `start` chunk begins anew, so that a replayed stream gives the same message again.
 * Each change replaces the part and the list that hold it: a reader may compare by identity.
 */
export class MessageBuilder {
  #id: string
  #parts: ChatMessagePart[] = []
  #metadata: MessageMetadata = {}
  /** Index of the part that a text or reasoning id of the current step writes to. */
  #open = new Map<string, number>()

  constructor(id = '') {
    this.#id = id
  }

  /** The message so far. Text that is being written has `state: 'streaming'`. */
  get message(): ChatMessage {
    return { id: this.#id, role: 'assistant', metadata: this.#metadata, parts: this.#parts }
  }

  /** The message at its end: nothing is streaming any more. */
  finished(): ChatMessage {
    const parts = this.#parts.map((part) => ('state' in part && part.state === 'streaming' ? { ...part, state: 'done' as const } : part))
    return { ...this.message, parts }
  }

  apply(chunk: ChatChunk): void {
    switch (chunk.type) {
      case 'start':
        this.#id = chunk.messageId ?? this.#id
        this.#parts = []
        this.#metadata = {}
        this.#open.clear()
        this.#mergeMetadata(chunk.messageMetadata)
        break
      case 'message-metadata':
      case 'finish':
        this.#mergeMetadata(chunk.messageMetadata)
        break
      case 'start-step':
        this.#push({ type: 'step-start' })
        break
      case 'finish-step':
        this.#open.clear()
        break
      case 'reset-step': {
        const start = this.#parts.findLastIndex((part) => part.type === 'step-start')
        this.#parts = this.#parts.slice(0, start + 1)
        this.#open.clear()
        break
      }
      case 'text-start':
      case 'reasoning-start': {
        const type = chunk.type === 'text-start' ? 'text' : 'reasoning'
        this.#open.set(`${type}:${chunk.id}`, this.#parts.length)
        const id = type === 'reasoning' ? { id: chunk.id } : {}
        this.#push({ type, ...id, text: '', state: 'streaming', ...withProviderMetadata(chunk) })
        break
      }
      case 'text-delta':
      case 'reasoning-delta':
        this.#write(chunk.type === 'text-delta' ? 'text' : 'reasoning', chunk.id, chunk.delta)
        break
      case 'text-end':
      case 'reasoning-end':
        this.#close(chunk.type === 'text-end' ? 'text' : 'reasoning', chunk)
        break
      case 'tool-input-start':
        this.#setTool({ ...chunk, state: 'input-streaming', input: undefined })
        break
      case 'tool-input-available':
        this.#setTool({ ...chunk, state: 'input-available' })
        break
      case 'tool-input-error':
        this.#setTool({ ...chunk, state: 'output-error', input: undefined, rawInput: chunk.input })
        break
      case 'tool-output-available':
        this.#changeTool(chunk.toolCallId, { state: 'output-available', output: chunk.output })
        break
      case 'tool-output-error':
        this.#changeTool(chunk.toolCallId, { state: 'output-error', errorText: chunk.errorText })
        break
      case 'tool-output-denied':
        this.#changeTool(chunk.toolCallId, { state: 'output-denied' })
        break
      case 'tool-approval-request': {
        const { approvalId: id, approvalDescriptor: descriptor, signature } = chunk
        this.#changeTool(chunk.toolCallId, { state: 'approval-requested', approval: { id, descriptor, signature } })
        break
      }
      case 'tool-approval-response':
        this.#answerRequest(chunk.approvalId, chunk.approved)
        break
      case 'source-url':
      case 'source-document':
      case 'file':
      case 'custom':
        this.#push(chunk)
        break
      default:
        break
    }
  }

  #push(part: ChatMessagePart): void {
    this.#parts = [...this.#parts, part]
  }

  #replace(index: number, part: ChatMessagePart): void {
    this.#parts = this.#parts.with(index, part)
  }

  #mergeMetadata(metadata: MessageMetadata | undefined): void {
    if (metadata) this.#metadata = { ...this.#metadata, ...metadata }
  }

  #write(type: 'text' | 'reasoning', id: string, delta: string): void {
    const index = this.#open.get(`${type}:${id}`)
    const part = index === undefined ? undefined : this.#parts[index]
    if (index !== undefined && part?.type === type) this.#replace(index, { ...part, text: part.text + delta })
  }

  #close(type: 'text' | 'reasoning', chunk: Extract<ChatChunk, { type: 'text-end' | 'reasoning-end' }>): void {
    const index = this.#open.get(`${type}:${chunk.id}`)
    const part = index === undefined ? undefined : this.#parts[index]
    if (index !== undefined && part?.type === type) this.#replace(index, { ...part, state: 'done', ...withProviderMetadata(chunk) })
    this.#open.delete(`${type}:${chunk.id}`)
  }

  #toolIndex(toolCallId: string): number {
    return this.#parts.findLastIndex((part) => 'toolCallId' in part && part.toolCallId === toolCallId)
  }

  #setTool(chunk: {
    toolCallId: string
    toolName: string
    dynamic?: boolean
    title?: string
    state: 'input-streaming' | 'input-available' | 'output-error'
    input: unknown
    rawInput?: unknown
    errorText?: string
  }): void {
    const { toolCallId, toolName, dynamic, title, state, input, rawInput, errorText } = chunk
    const part = {
      ...(dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }),
      toolCallId,
      state,
      input,
      ...(title !== undefined && { title }),
      ...(rawInput !== undefined && { rawInput }),
      ...(errorText !== undefined && { errorText }),
    } as ToolPart
    const index = this.#toolIndex(toolCallId)
    if (index < 0) this.#push(part)
    else this.#replace(index, part)
  }

  #answerRequest(approvalId: string, approved: boolean): void {
    const asking = this.#parts.find((part) => 'toolCallId' in part && part.approval?.id === approvalId) as ToolPart | undefined
    if (asking) this.#changeTool(asking.toolCallId, { state: 'approval-responded', approval: { ...asking.approval, approved } })
  }

  #changeTool(toolCallId: string, change: Record<string, unknown>): void {
    const index = this.#toolIndex(toolCallId)
    if (index >= 0) this.#replace(index, { ...this.#parts[index], ...change } as ToolPart)
  }
}

function withProviderMetadata<T extends { providerMetadata?: unknown }>(chunk: T): Pick<T, 'providerMetadata'> | object {
  return chunk.providerMetadata === undefined ? {} : { providerMetadata: chunk.providerMetadata }
}
