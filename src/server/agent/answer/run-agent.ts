import { randomUUID } from 'node:crypto'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ChatChunk, ChatMessage } from '../../../contract/message.ts'
import { AgentFailure, failureBehind } from './agent-failure.ts'
import type { ApprovalRequest, PendingToolCall, DecidedCall } from './approval.ts'
import { AnswerReader } from './answer-reader.ts'
import { answerInSteps } from './answer-steps.ts'
import { type ReadFiles, withAttachments } from '../attachments/with-attachments.ts'
import { modelMessages } from './model-messages.ts'
import { sendWhenReady } from '../model/send-when-ready.ts'
import type { ModelLimits } from '../model/model-limits.ts'
import type { MergePace } from '../model/merge-pace.ts'
import { BUILTIN } from '../definition/agent-definition.ts'
import { NumberedSources } from './numbered-sources.ts'
import { suggestPrompts } from './suggestions.ts'
import type { ThinkingFormat } from './think-tags.ts'
import type { SystemPrompt } from '../prompt/system-prompt.ts'
import type { TokenCalibration } from '../tokens/token-calibration.ts'
import type { Tokens } from '../tokens/token-meter.ts'
import type { ToolBox } from '../tools/tool-box.ts'
import { definitionTokens, TurnBudget } from './turn-budget.ts'
import { onAbort } from '../../abort.ts'

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
  thinking: ThinkingFormat | null
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
  requestApproval?: ((call: PendingToolCall) => ApprovalRequest) | undefined
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
    requestApproval,
    decided = [],
    chat = randomUUID(),
    allowance = defaultAllowance(context.limits),
    onUsage,
  }: RunOptions,
): AsyncGenerator<ChatChunk, void, undefined> {
  const { limits, toolBox } = context
  const isBuiltin = context.model.provider === BUILTIN
  const definitions = isBuiltin ? undefined : definitionTokens(allowance.inputTokens, limits.windowTokens)
  const { tools: plain, approvalRequired, tokens } = toolBox.forTurn(requestApproval !== undefined, definitions)
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
  const timeout = setTimeout(() => stopping.abort(tooSlow(limits)), limits.totalTimeoutMs)
  const removeListener = onAbort(signal, (reason) => stopping.abort(reason))
  let isComplete = false
  let answer: AnswerReader | undefined
  try {
    const earlier = continues || decided.length > 0 ? messages.findLast(({ role }) => role === 'assistant') : undefined
    const sources = new NumberedSources(earlier?.parts)
    // The built-in assistant says itself which passage it took.
    const tools = isBuiltin ? plain : sources.numbering(plain)
    answer = new AnswerReader({ tools, sources, isBuiltin, maxCharacters: limits.maxAnswerCharacters })
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
      model: sendWhenReady(context.model, ready),
      instructions: prompt.text,
      takesToolPictures: context.takesToolPictures,
      thinking: context.thinking,
      onWarning: context.onWarning,
      ready,
      tools,
      approvalRequired,
      requestApproval: requestApproval ?? rejectApproval,
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
    if (answer) yield* answer.rest()
    throw stopping.signal.aborted ? failureBehind(stopping.signal.reason) : failureBehind(error)
  } finally {
    onUsage?.(budget.meter.used)
    leave()
    clearTimeout(timeout)
    removeListener()
    if (!isComplete) stopping.abort(ENDED)
  }
}

function defaultAllowance({ maxInputTokens, maxOutputTokens }: ModelLimits): Tokens {
  return { inputTokens: maxInputTokens, outputTokens: maxOutputTokens }
}

function tooSlow(limits: ModelLimits): AgentFailure {
  return new AgentFailure('model_timeout', `The answer was not complete after ${limits.totalTimeoutMs} ms.`)
}

function rejectApproval(): never {
  throw new Error('There is nobody to ask.')
}
