import { randomUUID } from 'node:crypto'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type TextStreamPart, toUIMessageChunk } from 'ai'
import { type ChatChunk, type ChatMessage, durationMetadata, TOPICS_KIND } from '../../contract/message.ts'
import { AgentFailure, failureBehind } from './agent-failure.ts'
import type { ApprovalPart, ApprovalRequest, AskedCall, DecidedCall } from './approval.ts'
import { type AnswerPart, answerInSteps } from './answer-steps.ts'
import { type ReadFiles, withAttachments } from './attachments/with-attachments.ts'
import { CitationFilter } from './citation-filter.ts'
import { TextCleaner } from './clean-text.ts'
import { modelMessages } from './history.ts'
import { askedAfter } from './model/asked-after.ts'
import type { ModelLimits } from './model/limits.ts'
import type { MergePace } from './model/merge-pace.ts'
import { BUILTIN } from './definition/agent-definition.ts'
import { NumberedSources, SEARCH } from './numbered-sources.ts'
import { suggestPrompts } from './suggestions.ts'
import type { ThinkingHabit } from './think-tags.ts'
import type { SystemPrompt } from './prompt/system-prompt.ts'
import type { TokenCalibration } from './token-calibration.ts'
import type { Tokens } from './token-meter.ts'
import { ToolFailure } from './tools/guard-tool.ts'
import type { ToolBox } from './tools/tool-box.ts'
import type { AgentTools } from './tools/tools.ts'
import { definitionTokens, TurnBudget } from './turn-budget.ts'

export interface RunContext {
  model: LanguageModelV4
  prompt: SystemPrompt
  toolBox: ToolBox
  takesPictures: boolean
  /** Whether it takes those that tools return, too. */
  takesToolPictures: boolean
  /** Whether the model is asked, after its answer, for prompts that could follow. */
  suggests: boolean
  limits: ModelLimits
  pace: MergePace
  /** How the model writes its thoughts, where they may stand in its text. */
  thinking: ThinkingHabit | null
  onWarning: (message: string, cause?: unknown) => void
  /** What the model counts for an estimated token. */
  calibration: TokenCalibration
}

export interface RunOptions {
  messages: ChatMessage[]
  /** What was said before them, summed up; the built-in assistant does without. */
  summary?: string | null | undefined
  /** Reads the files that the messages name; without it there are none. */
  readFiles?: ReadFiles | undefined
  /** Whether the answer that ends `messages` is to be gone on with, rather than a prompt answered. */
  continues?: boolean | undefined
  signal: AbortSignal
  /** The model is asked, and tools run, when this has resolved and not before; all that can be is made ready meanwhile. */
  ready?: Promise<unknown> | undefined
  /** Asks the visitor whether a tool may run; without it, tools that ask are not there. */
  ask?: ((call: AskedCall) => ApprovalRequest) | undefined
  /** What the visitor has said to calls of the answer that ends `messages`, which this one goes on from. */
  decided?: readonly DecidedCall[] | undefined
  /** Which chat it is of: tools keep apart by it what they remember. One of its own unless told. */
  chat?: string | undefined
  /** The most that the answer may use; the limits of one turn unless told. */
  allowance?: Tokens | undefined
  /** Told once, at the end, whatever it is: what was used, estimated where the model did not say. */
  onUsage?: ((used: Tokens) => void) | undefined
}

const READY = Promise.resolve()
const NO_FILES: ReadFiles = async () => new Map()

/** Why everything of an answer that was left or failed stops; made once, because an error with its stack is dear. */
const ENDED = new DOMException('The answer has ended.', 'AbortError')

/**
 * The chunks of one answer, without those of the turn (start, finish, error, abort).
 * Ends quietly when `signal` aborts; throws `AgentFailure` for anything else that is not a complete answer.
 * An answer that the model ended because it may write no more is one, and a `message-metadata` chunk with a code says so.
 */
export async function* runAgent(
  context: RunContext,
  {
    messages,
    summary = null,
    readFiles = NO_FILES,
    continues = false,
    signal,
    ready = READY,
    ask,
    decided = [],
    chat = randomUUID(),
    allowance = usualAllowance(context.limits),
    onUsage,
  }: RunOptions,
): AsyncGenerator<ChatChunk, void, undefined> {
  const { limits, toolBox } = context
  const isBuiltin = context.model.provider === BUILTIN
  const definitions = isBuiltin ? undefined : definitionTokens(allowance.inputTokens, limits.windowTokens)
  const { tools: plain, asking, tokens } = toolBox.forTurn(ask !== undefined, definitions)
  const prompt = context.prompt.withTools(Object.keys(plain))
  const budget = new TurnBudget({
    allowance,
    limits,
    fixedTokens: prompt.tokens + tokens,
    hasTools: Object.keys(plain).length > 0,
    calibration: context.calibration,
  })
  const leave = context.pace.enter()
  const stopping = new AbortController()
  const stop = () => stopping.abort(signal.reason)
  const timeout = setTimeout(() => stopping.abort(tooSlow(limits)), limits.totalTimeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  let isComplete = false
  try {
    const earlier = continues || decided.length > 0 ? messages.findLast(({ role }) => role === 'assistant') : undefined
    const sources = new NumberedSources(earlier?.parts)
    // The built-in assistant says itself which passage it took.
    const tools = isBuiltin ? plain : sources.numbering(plain)
    const answer = new AnswerReader({ tools, sources, isBuiltin, maxCharacters: limits.maxAnswerCharacters })
    // The built-in assistant reads no files.
    const readable = isBuiltin
      ? messages
      : await withAttachments(messages, {
          readFiles,
          takesPictures: context.takesPictures,
          maxTokens: budget.longestConversationTokens,
        })
    const history = await modelMessages(readable, tools, {
      maxTokens: budget.conversationTokens,
      maxEarlierTokens: limits.maxHistoryTokens,
      continues,
      summary: isBuiltin ? null : summary,
    })
    const options = {
      model: askedAfter(context.model, ready),
      instructions: prompt.text,
      takesToolPictures: context.takesToolPictures,
      thinking: context.thinking,
      onWarning: context.onWarning,
      ready,
      tools,
      asking,
      ask: ask ?? nobodyToAsk,
      decided,
      budget,
      context: { chat, caller: isBuiltin ? ('builtin' as const) : ('model' as const) },
    }
    for await (const part of answerInSteps(options, history, stopping.signal)) {
      yield* answer.read(part)
      if (signal.aborted) return
      if (stopping.signal.aborted) throw stopping.signal.reason
    }
    const { text, isCut } = answer
    if (isCut) yield { type: 'message-metadata', messageMetadata: { code: 'answer_too_long' } }
    const offer = context.suggests &&
      !isCut &&
      text !== '' && { model: context.model, messages, answer: text, allowance, meter: budget.meter, signal: stopping.signal }
    const suggestions = offer && (await suggestPrompts(offer))
    if (suggestions) yield suggestions
    isComplete = true
  } catch (error) {
    if (signal.aborted) return
    throw stopping.signal.aborted ? failureBehind(stopping.signal.reason) : failureBehind(error)
  } finally {
    onUsage?.(budget.meter.used)
    leave()
    clearTimeout(timeout)
    signal.removeEventListener('abort', stop)
    if (!isComplete) stopping.abort(ENDED)
  }
}

function usualAllowance({ maxInputTokens, maxOutputTokens }: ModelLimits): Tokens {
  return { inputTokens: maxInputTokens, outputTokens: maxOutputTokens }
}

function tooSlow(limits: ModelLimits): AgentFailure {
  return new AgentFailure('model_timeout', `The answer was not complete after ${limits.totalTimeoutMs} ms.`)
}

const INCOMPLETE_FINISHES: readonly string[] = ['error', 'interrupted']

interface AnswerReaderOptions {
  tools: AgentTools
  sources: NumberedSources
  /** It names its sources itself, and cites none by number. */
  isBuiltin: boolean
  maxCharacters: number
}

/** Turns the SDK's parts into chunks, and refuses what is no complete answer. */
class AnswerReader {
  readonly #options: AnswerReaderOptions
  #characters = 0
  /** Characters of text and thoughts that were shown. */
  #written = 0
  #hasText = false
  #asks = false
  #isCut = false
  #text = ''
  /** Where the text of this step begins. */
  #stepAt = 0
  #cleaners = new Map<string, TextCleaner>()
  /** Of the text parts that are being written. */
  #citations = new Map<string, CitationFilter>()
  readonly #thoughtsBegunMs = new Map<string, number>()

  constructor(options: AnswerReaderOptions) {
    this.#options = options
  }

  /** What was said, when that is all of it; nothing while a tool asks the visitor. */
  get text(): string {
    return this.#asks ? '' : this.#text
  }

  /** Whether the model would have written on if it might. */
  get isCut(): boolean {
    return this.#isCut
  }

  *read(part: AnswerPart): Generator<ChatChunk, void, undefined> {
    if (part.type === 'error') throw failureBehind(part.error)
    if (part.type === 'answer-end') return this.#finish(part)
    if (part.type === 'approval-request' || part.type === 'approval-response' || part.type === 'tool-denied')
      return yield approvalChunk(part)
    if (part.type === 'start-step') this.#beginStep()
    if (part.type === 'reset-step') return yield this.#takeBack()
    const { tools, sources, isBuiltin } = this.#options
    if (part.type === 'tool-result' && part.toolName === SEARCH) sources.give(part.output)
    if (part.type === 'finish-step') yield* sources.news()
    if (part.type === 'text-end') yield* this.#heldBack(part.id)
    const chunk = visibleChunk(part, tools, isBuiltin)
    if (chunk?.type === 'text-delta' || chunk?.type === 'reasoning-delta') yield* this.#delta(chunk)
    else if (chunk) yield this.#timed(chunk)
  }

  #beginStep(): void {
    this.#cleaners.clear()
    this.#citations.clear()
    this.#stepAt = this.#text.length
  }

  /** What was said in this step is no part of the answer. */
  #takeBack(): ChatChunk {
    this.#cleaners.clear()
    this.#citations.clear()
    this.#text = this.#text.slice(0, this.#stepAt)
    this.#hasText = this.#text.trim() !== ''
    return { type: 'reset-step' }
  }

  *#delta(chunk: Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>): Generator<ChatChunk, void, undefined> {
    const { maxCharacters } = this.#options
    const room = maxCharacters - this.#written
    const cleaned = this.#cleanerOf(`${chunk.type}:${chunk.id}`).clean(chunk.delta)
    const isOver = this.#characters + chunk.delta.length > maxCharacters
    const delta = chunk.type === 'text-delta' ? this.#cited(chunk.id, cleaned, isOver) : cleaned
    this.#written += delta.length
    if (cleaned.trim() !== '' && chunk.type === 'text-delta') this.#hasText = true
    if (chunk.type === 'text-delta') this.#text += delta
    if (delta !== '') yield { ...chunk, delta: delta.length > room ? delta.slice(0, room).toWellFormed() : delta }
    this.#count(chunk.delta.length)
  }

  /** The text with the citations that have a source. */
  #cited(id: string, delta: string, isEnd: boolean): string {
    if (this.#options.isBuiltin) return delta
    const filter = this.#citations.get(id) ?? new CitationFilter(this.#options.sources)
    this.#citations.set(id, filter)
    return isEnd ? filter.write(delta) + filter.end() : filter.write(delta)
  }

  /** What might have become a citation is text when the text ends. */
  *#heldBack(id: string): Generator<ChatChunk, void, undefined> {
    const delta = this.#citations.get(id)?.end() ?? ''
    this.#citations.delete(id)
    this.#text += delta
    this.#written += delta.length
    if (delta !== '') yield { type: 'text-delta', id, delta }
  }

  /** The end of thoughts says how long they took. */
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

  #finish({ finishReason: reason, reasoned, asks }: Extract<AnswerPart, { type: 'answer-end' }>): void {
    this.#asks = asks
    if (reason === 'content-filter') throw new AgentFailure('answer_refused', 'The provider refused the answer.')
    this.#isCut = reason === 'length'
    if (INCOMPLETE_FINISHES.includes(reason)) throw new AgentFailure('model_failed', `The model's stream ended with the reason ${reason}.`)
    if (!this.#hasText && !asks && this.#isCut && reasoned)
      throw new AgentFailure(
        'reasoning_too_long',
        'The model used all its tokens for reasoning and wrote no answer. Raise LIMIT_TURN_OUTPUT_TOKENS, or set a lower REASONING_EFFORT.',
      )
    if (!this.#hasText && !asks)
      throw new AgentFailure(
        this.#isCut ? 'answer_too_long' : 'model_failed',
        `The model ended with the reason ${reason} and without a text.`,
      )
  }
}

/** Longest input of a refused tool call that is shown. */
const MAX_SHOWN_INPUT_CHARACTERS = 1_000

/** As the SDK's protocol has it, so that its clients can ask and answer too. */
function approvalChunk(part: ApprovalPart): ChatChunk {
  switch (part.type) {
    case 'approval-request': {
      const { id: approvalId, expiresAt, signature } = part.approval
      return { type: 'tool-approval-request', approvalId, toolCallId: part.toolCallId, approvalDescriptor: { expiresAt }, signature }
    }
    case 'approval-response':
      return { type: 'tool-approval-response', approvalId: part.approval.id, approved: part.approved }
    case 'tool-denied':
      return { type: 'tool-output-denied', toolCallId: part.toolCallId }
  }
}

function nobodyToAsk(): never {
  throw new Error('There is nobody to ask.')
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
      return chunk.kind === TOPICS_KIND ? chunk : undefined
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

// What providers attach (signatures, item ids) is of no use to the page, and nobody's business there.
function withoutMetadata<T extends object>(chunk: T): T {
  if (!('providerMetadata' in chunk)) return chunk
  const { providerMetadata: _, ...rest } = chunk
  return rest as T
}

function toolErrorText(error: unknown): string {
  return error instanceof ToolFailure ? error.message : 'The tool could not be used in this way.'
}
