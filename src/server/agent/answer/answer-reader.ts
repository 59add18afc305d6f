import { type TextStreamPart, toUIMessageChunk } from 'ai'
import type { ChatChunk, ChatMessage } from '../../../contract/message.ts'
import { durationMetadata } from '../../../contract/parts/reasoning.ts'
import { stepResetChunk } from '../../../contract/parts/step-start.ts'
import { approvalResponseChunk } from '../../../contract/parts/tool.ts'
import { topicsChunk } from '../../../contract/parts/topics.ts'
import type { CompleteState } from '../../../contract/answer-state.ts'
import { AgentFailure, failureBehind } from './agent-failure.ts'
import type { ApprovalPart } from './approval.ts'
import type { AnswerPart } from './answer-steps.ts'
import { CitationFilter } from './citation-filter.ts'
import { TextCleaner } from './clean-text.ts'
import { DeclaredOutcome, type Outcome, outcomeIn, topicsIn } from './declared-outcome.ts'
import { OUTCOME_KIND, TOPICS_KIND } from '../model/builtin/reply-metadata.ts'
import { type NumberedSources, SEARCH } from './numbered-sources.ts'
import type { SupportCheck, SupportFilter } from '../../policy/support/support-filter.ts'
import { ToolFailure } from '../tools/guard-tool.ts'
import type { AgentTools } from '../tools/tools.ts'

const INCOMPLETE_FINISHES: readonly string[] = ['error', 'interrupted']

interface AnswerReaderOptions {
  tools: AgentTools
  sources: NumberedSources
  /** The built-in assistant attaches its sources itself. */
  isBuiltin: boolean
  maxCharacters: number
  /** Leaves out or marks sentences that no source supports; `null` to show every sentence. */
  support: SupportCheck | null
}

/** Converts the parts of an answer to chunks. Throws `AgentFailure` for an incomplete answer. */
export class AnswerReader {
  readonly #options: AnswerReaderOptions
  #characters = 0
  /** Characters of text and reasoning emitted. */
  #written = 0
  #hasText = false
  #awaitsApproval = false
  #isCut = false
  #text = ''
  /** Start of this step's text in `#text`. */
  #stepAt = 0
  #cleaners = new Map<string, TextCleaner>()
  /** By id of the open text part. */
  #citations = new Map<string, CitationFilter>()
  /** By id of the open text part. */
  #declared = new Map<string, DeclaredOutcome>()
  /** By id of the open text part. */
  #supported = new Map<string, SupportFilter>()
  #outcome: Outcome | null = null
  #hasSource = false
  #usedTool = false
  readonly #thoughtsBegunMs = new Map<string, number>()

  constructor(options: AnswerReaderOptions) {
    this.#options = options
  }

  /** The complete text; empty while a tool call awaits approval. */
  get text(): string {
    return this.#awaitsApproval ? '' : this.#text
  }

  /** Whether the model stopped at its output limit. */
  get isCut(): boolean {
    return this.#isCut
  }

  /**
   * The state of the answer if it is complete: the declared one, or what its sources and tools show. An answer without either is not
   * `answered`; one that awaits approval asks back.
   */
  get state(): CompleteState {
    if (this.#awaitsApproval) return 'clarified'
    if (this.#options.support?.isEmpty) return 'blocked_output'
    if (this.#outcome !== null && this.#outcome !== 'answered') return this.#outcome
    const { sources } = this.#options
    return this.#hasSource || sources.isCited || this.#usedTool ? 'answered' : 'answered_without_source'
  }

  *read(part: AnswerPart): Generator<ChatChunk, void, undefined> {
    if (part.type === 'error') throw failureBehind(part.error)
    if (part.type === 'answer-end') return yield* this.#finish(part)
    if (part.type === 'approval-request' || part.type === 'approval-response' || part.type === 'tool-denied')
      return yield approvalChunk(part)
    if (part.type === 'start-step') this.#beginStep()
    if (part.type === 'reset-step') return yield this.#resetStep()
    const { tools, sources, isBuiltin } = this.#options
    if (part.type === 'tool-result' && part.toolName === SEARCH) sources.addResults(part.output)
    if (part.type === 'tool-result' && part.toolName !== SEARCH) this.#addToolResult(part)
    if (part.type === 'custom' && part.kind === OUTCOME_KIND) this.#outcome = outcomeIn(part.providerMetadata)
    if (part.type === 'finish-step') yield* sources.takeNewSources()
    if (part.type === 'text-end') yield* this.#flush(part.id)
    const chunk = visibleChunk(part, tools, isBuiltin)
    if (chunk?.type === 'source-document' && isBuiltin) this.#hasSource = true
    if (chunk?.type === 'text-delta' || chunk?.type === 'reasoning-delta') yield* this.#delta(chunk)
    else if (chunk) yield this.#timed(chunk)
  }

  #beginStep(): void {
    this.#clearParts()
    this.#stepAt = this.#text.length
  }

  #clearParts(): void {
    this.#cleaners.clear()
    this.#citations.clear()
    this.#declared.clear()
    this.#supported.clear()
  }

  #addToolResult({ input, output }: { input: unknown; output: unknown }): void {
    this.#usedTool = true
    this.#options.support?.addToolResult({ input, output })
  }

  /** Discards the text of the current step. */
  #resetStep(): ChatChunk {
    this.#clearParts()
    this.#text = this.#text.slice(0, this.#stepAt)
    this.#hasText = this.#text.trim() !== ''
    return stepResetChunk
  }

  *#delta(chunk: Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>): Generator<ChatChunk, void, undefined> {
    const { maxCharacters } = this.#options
    const room = maxCharacters - this.#written
    const isOver = this.#characters + chunk.delta.length > maxCharacters
    const cleaned = this.#withoutOutcome(chunk, this.#cleanerOf(`${chunk.type}:${chunk.id}`).clean(chunk.delta), isOver)
    const delta = chunk.type === 'text-delta' ? this.#shown(chunk.id, cleaned, isOver) : cleaned
    this.#written += delta.length
    if (cleaned.trim() !== '' && chunk.type === 'text-delta') this.#hasText = true
    if (chunk.type === 'text-delta') this.#text += delta
    if (delta !== '') yield { ...chunk, delta: delta.length > room ? delta.slice(0, room).toWellFormed() : delta }
    this.#count(chunk.delta.length)
  }

  /** Removes the declared outcome. */
  #withoutOutcome({ type, id }: { type: string; id: string }, delta: string, isEnd: boolean): string {
    if (this.#options.isBuiltin || type !== 'text-delta') return delta
    const declared = this.#declared.get(id) ?? new DeclaredOutcome()
    this.#declared.set(id, declared)
    const text = isEnd ? declared.write(delta) + declared.end() : declared.write(delta)
    this.#outcome = declared.outcome ?? this.#outcome
    return text
  }

  /** The text to show: with citations that have a source, and only what sources support if the policy asks for it. */
  #shown(id: string, delta: string, isEnd: boolean): string {
    const cited = this.#cited(id, delta, isEnd)
    const { support } = this.#options
    if (!support) return cited
    const filter = this.#supported.get(id) ?? support.openFilter()
    this.#supported.set(id, filter)
    return isEnd ? filter.write(cited) + filter.end() : filter.write(cited)
  }

  /** Removes citations without a source. */
  #cited(id: string, delta: string, isEnd: boolean): string {
    if (this.#options.isBuiltin) return delta
    const filter = this.#citations.get(id) ?? new CitationFilter(this.#options.sources)
    this.#citations.set(id, filter)
    return isEnd ? filter.write(delta) + filter.end() : filter.write(delta)
  }

  /** Emits buffered text of an answer that breaks off. */
  *rest(): Generator<ChatChunk, void, undefined> {
    for (const id of this.#declared.keys()) yield* this.#flush(id)
  }

  /** Emits the beginning of a tag or citation that never completed. */
  *#flush(id: string): Generator<ChatChunk, void, undefined> {
    const rest = this.#declared.get(id)?.end() ?? ''
    const cited = (rest === '' ? '' : this.#cited(id, rest, false)) + (this.#citations.get(id)?.end() ?? '')
    const supported = this.#supported.get(id)
    const delta = supported ? supported.write(cited) + supported.end() : cited
    this.#declared.delete(id)
    this.#citations.delete(id)
    this.#supported.delete(id)
    if (cited.trim() !== '') this.#hasText = true
    this.#text += delta
    this.#written += delta.length
    if (delta !== '') yield { type: 'text-delta', id, delta }
  }

  /** Adds the duration to the end of reasoning. */
  #timed(chunk: ChatChunk): ChatChunk {
    if (chunk.type === 'reasoning-start') this.#thoughtsBegunMs.set(chunk.id, performance.now())
    const begunMs = chunk.type === 'reasoning-end' ? this.#thoughtsBegunMs.get(chunk.id) : undefined
    return begunMs === undefined
      ? chunk
      : ({ ...chunk, providerMetadata: durationMetadata(Math.round(performance.now() - begunMs)) } as ChatChunk)
  }

  #cleanerOf(id: string): TextCleaner {
    const cleaner = this.#cleaners.get(id) ?? new TextCleaner()
    this.#cleaners.set(id, cleaner)
    return cleaner
  }

  #count(characters: number): void {
    this.#characters += characters
    const { maxCharacters } = this.#options
    if (this.#characters > maxCharacters)
      throw new AgentFailure('answer_too_long', `The model wrote more than ${maxCharacters} characters.`)
  }

  *#finish({
    finishReason: reason,
    reasoned,
    awaitsApproval,
  }: Extract<AnswerPart, { type: 'answer-end' }>): Generator<ChatChunk, void, undefined> {
    this.#awaitsApproval = awaitsApproval
    if (reason === 'content-filter') throw new AgentFailure('answer_blocked', 'The provider blocked the answer.')
    this.#isCut = reason === 'length'
    if (INCOMPLETE_FINISHES.includes(reason))
      throw new AgentFailure('model_failed', `The model's stream ended with finish reason ${reason}.`)
    if (!this.#hasText && !awaitsApproval && this.#isCut && reasoned)
      throw new AgentFailure(
        'reasoning_too_long',
        'The model used all its tokens for reasoning and wrote no answer. Raise LIMIT_TURN_OUTPUT_TOKENS, or set a lower REASONING_EFFORT.',
      )
    if (!this.#hasText && !awaitsApproval)
      throw new AgentFailure(this.#isCut ? 'answer_too_long' : 'model_failed', `The model finished without text (finish reason ${reason}).`)
    if (this.#options.support?.count) yield* this.#unsupported(this.#options.support)
  }

  /** Tells how many sentences no source supports, and replies if nothing else is left. */
  *#unsupported({ count, isEmpty, emptyReply }: SupportCheck): Generator<ChatChunk, void, undefined> {
    yield { type: 'message-metadata', messageMetadata: { unsupportedSentences: count } }
    if (!isEmpty || this.#awaitsApproval) return
    this.#text = emptyReply
    yield { type: 'text-start', id: UNSUPPORTED_REPLY }
    yield { type: 'text-delta', id: UNSUPPORTED_REPLY, delta: emptyReply }
    yield { type: 'text-end', id: UNSUPPORTED_REPLY }
  }
}

/** Id of the text part that replies in place of an answer without support. */
const UNSUPPORTED_REPLY = 'unsupported'

/** Longest input shown for an invalid tool call. */
const MAX_SHOWN_INPUT_CHARACTERS = 1_000

/** Approval chunks of the SDK's protocol where its clients accept them, so that they can take part. */
function approvalChunk(part: ApprovalPart): ChatChunk {
  switch (part.type) {
    case 'approval-request': {
      const { id: approvalId, expiresAt, signature } = part.approval
      return { type: 'tool-approval-request', approvalId, toolCallId: part.toolCallId, approvalDescriptor: { expiresAt }, signature }
    }
    case 'approval-response':
      return approvalResponseChunk(part.approval.id, part.approved)
    case 'tool-denied':
      return { type: 'tool-output-denied', toolCallId: part.toolCallId }
  }
}

function visibleChunk(
  part: Exclude<AnswerPart, { type: 'answer-end' | 'reset-step' } | ApprovalPart>,
  tools: AgentTools,
  isBuiltin: boolean,
): ChatChunk | undefined {
  if (part.type === 'start-step' || part.type === 'finish-step') return { type: part.type }
  if (part.type === 'tool-input-delta') return undefined
  const chunk: ChatChunk | undefined = toUIMessageChunk<AgentTools, ChatMessage>(part as TextStreamPart<AgentTools>, {
    tools,
    sendSources: true,
    sendStart: false,
    sendFinish: false,
    onError: toolErrorText,
  })
  switch (chunk?.type) {
    case 'custom':
      return chunk.kind === TOPICS_KIND ? topicsChunk(topicsIn(chunk.providerMetadata)) : undefined
    case 'source-document':
      return isBuiltin ? chunk : withoutMetadata(chunk)
    case 'file':
    case 'reasoning-file':
      return undefined
    case 'tool-input-error':
      return { ...withoutMetadata(chunk), input: JSON.stringify(chunk.input)?.slice(0, MAX_SHOWN_INPUT_CHARACTERS) }
    default:
      return chunk && withoutMetadata(chunk)
  }
}

// Provider metadata (signatures, item ids) must not reach the page.
function withoutMetadata<T extends object>(chunk: T): T {
  if (!('providerMetadata' in chunk)) return chunk
  const { providerMetadata: _, ...rest } = chunk
  return rest as T
}

function toolErrorText(error: unknown): string {
  return error instanceof ToolFailure ? error.message : 'The tool could not be used in this way.'
}
