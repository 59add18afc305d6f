import { type TextStreamPart, toUIMessageChunk } from 'ai'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { durationMetadata } from '../../contract/chat/parts/reasoning.ts'
import { stepResetChunk } from '../../contract/chat/parts/step-start.ts'
import { approvalResponseChunk } from '../../contract/chat/parts/tool.ts'
import { topicsChunk } from '../../contract/chat/parts/topics.ts'
import type { CompleteState } from '../../contract/chat/answer-state.ts'
import { AgentFailure, failureBehind } from '../models/agent-failure.ts'
import type { ApprovalPart } from './approval.ts'
import type { AnswerPart } from './answer-steps.ts'
import { TextCleaner } from './filters/clean-text.ts'
import { type Outcome, outcomeIn, type OutcomeRecord, topicsIn } from './filters/declared-outcome.ts'
import { OUTCOME_KIND, TOPICS_KIND } from '../models/builtin/reply-metadata.ts'
import { type NumberedSources, SEARCH } from './filters/numbered-sources.ts'
import type { SupportCheck } from './facts/support-filter.ts'
import { ToolFailure } from './tools/guard-tool.ts'
import type { AgentTools } from './tools/tools.ts'

const INCOMPLETE_FINISHES: readonly string[] = ['error', 'interrupted']

interface AnswerReaderOptions {
  tools: AgentTools
  sources: NumberedSources
  /** The built-in assistant attaches its sources itself. */
  isBuiltin: boolean
  maxCharacters: number
  /** Leaves out or marks sentences that no source supports; `null` to show every sentence. */
  support: SupportCheck | null
  /** Whether something else answers where the model writes nothing, as small ones do when they don't know. */
  mayBeEmpty: boolean
}

/** Converts the parts of an answer to chunks, and tells its state. Throws `AgentFailure` for an incomplete answer. */
export class AnswerReader implements OutcomeRecord {
  readonly #options: AnswerReaderOptions
  /** Characters of text and reasoning so far. */
  #characters = 0
  /** Whether a tool call awaits the visitor's approval. */
  awaitsApproval = false
  isComplete = false
  /** Whether the model stopped at its output limit. */
  isCut = false
  #cleaners = new Map<string, TextCleaner>()
  outcome: Outcome | null = null
  hasText = false
  #hasSource = false
  #usedTool = false
  readonly #thoughtsBegunMs = new Map<string, number>()

  constructor(options: AnswerReaderOptions) {
    this.#options = options
  }

  /**
   * The state of the answer if it is complete: the declared one, or what its sources and tools show. An answer without either is not
   * `answered`; one that awaits approval asks back.
   */
  get state(): CompleteState {
    if (this.awaitsApproval) return 'clarified'
    if (this.#options.support?.isEmpty) return 'blocked_output'
    if (this.outcome !== null && this.outcome !== 'answered') return this.outcome
    const { sources } = this.#options
    return this.#hasSource || sources.isCited || this.#usedTool ? 'answered' : 'answered_without_source'
  }

  *read(part: AnswerPart): Generator<ChatChunk, void, undefined> {
    if (part.type === 'error') throw failureBehind(part.error)
    if (part.type === 'answer-end') return this.#finish(part)
    if (part.type === 'approval-request' || part.type === 'approval-response' || part.type === 'tool-denied')
      return yield approvalChunk(part)
    if (part.type === 'start-step' || part.type === 'reset-step') this.#cleaners.clear()
    if (part.type === 'reset-step') return yield stepResetChunk
    const { tools, sources, isBuiltin } = this.#options
    if (part.type === 'tool-result' && part.toolName === SEARCH) sources.addResults(part.output)
    if (part.type === 'tool-result' && part.toolName !== SEARCH) this.#addToolResult(part)
    if (part.type === 'custom' && part.kind === OUTCOME_KIND) this.outcome = outcomeIn(part.providerMetadata)
    const chunk = visibleChunk(part, tools, isBuiltin)
    if (chunk?.type === 'source-document' && isBuiltin) this.#hasSource = true
    if (chunk?.type === 'text-delta' || chunk?.type === 'reasoning-delta') yield* this.#delta(chunk)
    else if (chunk) yield this.#timed(chunk)
  }

  #addToolResult({ input, output }: { input: unknown; output: unknown }): void {
    this.#usedTool = true
    this.#options.support?.addToolResult({ input, output })
  }

  /** Passes on what fits, and fails at the limit. */
  *#delta(chunk: Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>): Generator<ChatChunk, void, undefined> {
    const { maxCharacters } = this.#options
    const room = maxCharacters - this.#characters
    const isOver = chunk.delta.length > room
    const cleaned = this.#cleanerOf(`${chunk.type}:${chunk.id}`).clean(chunk.delta)
    const delta = isOver ? cleaned.slice(0, room).toWellFormed() : cleaned
    this.#characters += chunk.delta.length
    if (delta !== '') yield { ...chunk, delta }
    if (isOver) throw new AgentFailure('answer_too_long', `The model wrote more than ${maxCharacters} characters.`)
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

  #finish({ finishReason: reason, reasoned, awaitsApproval }: Extract<AnswerPart, { type: 'answer-end' }>): void {
    this.awaitsApproval = awaitsApproval
    if (reason === 'content-filter') throw new AgentFailure('answer_blocked', 'The provider blocked the answer.')
    this.isCut = reason === 'length'
    if (INCOMPLETE_FINISHES.includes(reason))
      throw new AgentFailure('model_failed', `The model's stream ended with finish reason ${reason}.`)
    if (!this.hasText && !awaitsApproval && this.isCut && reasoned)
      throw new AgentFailure(
        'reasoning_too_long',
        'The model used all its tokens for reasoning and wrote no answer. Raise LIMIT_TURN_OUTPUT_TOKENS, or set a lower REASONING_EFFORT.',
      )
    const isAllowed = this.hasText || awaitsApproval || (this.#options.mayBeEmpty && reason === 'stop')
    if (!isAllowed)
      throw new AgentFailure(this.isCut ? 'answer_too_long' : 'model_failed', `The model finished without text (finish reason ${reason}).`)
    this.isComplete = true
  }
}

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
