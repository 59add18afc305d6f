import { randomUUID } from 'node:crypto'
import type { PageContext } from '../../contract/chat/page-context.ts'
import type { CompleteState } from '../../contract/chat/answer-state.ts'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { AgentFailure, failureBehind } from '../models/agent-failure.ts'
import type { ApprovalRequest, PendingToolCall, DecidedCall } from './approval.ts'
import { AnswerReader } from './answer-reader.ts'
import { ANSWER_FILTERS, pass } from './filters/answer-filters.ts'
import { answerInSteps, type AnswerOptions, type AnswerPart } from './answer-steps.ts'
import { type ReadFiles, withAttachments } from './attachments/with-attachments.ts'
import { modelMessages } from './history/model-messages.ts'
import type { ModelLimits } from '../models/model-limits.ts'
import { BUILTIN } from './agents/definition/agent-definition.ts'
import { NumberedSources } from './filters/numbered-sources.ts'
import { judgeOf } from './facts/judge.ts'
import { areAbout } from './passages/coverage.ts'
import { findsAnswer } from './passages/finds-answer.ts'
import { quotedBeside } from './passages/quoted-passage.ts'
import type { FindPassages } from './passages/find-passages.ts'
import type { FoundPassage } from '../knowledge/retrieval/search.ts'
import { withPageContext, withPassages } from './passages/with-passages.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { SupportCheck, type Unsupported } from './facts/support-filter.ts'
import type { EmergencyKind } from '../safety/emergency/kinds.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import type { SystemPrompt } from './prompt/prompt-parts.ts'
import type { ConfidentialTexts } from './prompt/unquoted-answer.ts'
import type { TokenCalibration } from '../models/tokens/token-calibration.ts'
import type { Tokens } from '../models/tokens/token-meter.ts'
import type { ToolBox } from './tools/tool-box.ts'
import { definitionTokens, TurnBudget } from './history/turn-budget.ts'
import { onAbort } from '../../async/abort.ts'

export interface RunContext extends Pick<AnswerOptions, 'model' | 'acceptsToolImages' | 'thinking' | 'onWarning'> {
  prompt: SystemPrompt
  toolBox: ToolBox
  /** Finds the passages that the prompt is sent with; `null` without knowledge, and for a model that searches itself. */
  findPassages: FindPassages | null
  /** Whether the model is small: it is told and given less. */
  isSmall: boolean
  usesTools: () => boolean
  /** Answers instead where the knowledge has no passage about the prompt; `null` for a model that can say so itself. */
  instead: RunContext | null
  acceptsImages: boolean
  /** Treatment of sentences that no source supports; `null` to show every sentence. */
  unsupported: Unsupported | null
  isJudged: boolean
  /** Texts that the answer must not quote; `null` for a model that reads no system prompt. */
  confidential: ConfidentialTexts | null
  moderator: Moderator | null
  limits: ModelLimits
  /** Ratio of counted to estimated tokens. */
  calibration: TokenCalibration
}

export interface RunOptions {
  messages: ChatMessage[]
  /** Reads files that the messages reference; without it there are none. */
  readFiles?: ReadFiles | undefined
  /** Whether to continue the answer at the end of `messages`. */
  continues?: boolean | undefined
  pageContext?: PageContext
  signal: AbortSignal
  /** Creates an approval request. Without it, tools that need approval are left out. */
  requestApproval?: ((call: PendingToolCall) => ApprovalRequest) | undefined
  /** Decisions about calls of the answer at the end of `messages`, which this one continues. */
  decided?: readonly DecidedCall[] | undefined
  /** Chat id. Tools separate their state by it. Defaults to a new id. */
  chat?: string | undefined
  excludedFiles?: readonly string[] | undefined
  /** Tools that may have effects wait for it. Never rejects. */
  admission?: Promise<unknown> | undefined
  /** Token allowance of the answer. Defaults to the limits of one turn. */
  allowance?: Tokens | undefined
  /** Called once at the end with token usage (estimated if the model reports none). */
  onUsage?: ((used: Tokens) => void) | undefined
  /** Called with the knowledge files whose passages the model is given. */
  onFiles?: ((files: string[]) => void) | undefined
  /** Called if the answer declares an emergency at its start, which ends it. Without it, the model is expected to declare none. */
  onEmergency?: ((kind: EmergencyKind) => void) | undefined
  /** Called once with the state of a complete answer. */
  onState?: ((state: CompleteState) => void) | undefined
}

const NO_FILES: ReadFiles = async () => new Map()

/** Abort reason for the remains of an answer. Created once, because errors with a stack are expensive. */
const ENDED = new DOMException('The answer has ended.', 'AbortError')

/**
 * Yields the chunks of one answer, without those of the turn (start, finish, error, abort). Ends without an error when `signal`
 * aborts; throws `AgentFailure` for any other incomplete answer. An answer that reached its output limit is complete; a
 * `message-metadata` chunk carries the code.
 */
export async function* runAgent(context: RunContext, request: RunOptions): AsyncGenerator<ChatChunk, void, undefined> {
  const {
    readFiles = NO_FILES,
    continues = false,
    pageContext = {},
    signal,
    requestApproval,
    decided = [],
    chat = randomUUID(),
    excludedFiles = [],
    admission,
    allowance = { inputTokens: context.limits.maxInputTokens, outputTokens: context.limits.maxOutputTokens },
    onUsage,
    onFiles,
  } = request
  const { limits } = context
  const isBuiltin = context.model.provider === BUILTIN
  const { tools: plain, approvalRequired, tokens } = offeredTools(context, { requestApproval, allowance })
  const prompt = context.prompt(Object.keys(plain))
  const budget = new TurnBudget({
    allowance,
    limits,
    fixedTokens: prompt.tokens + tokens,
    hasTools: Object.keys(plain).length > 0,
    calibration: context.calibration,
  })
  const stopping = new AbortController()
  const timeout = setTimeout(() => stopping.abort(tooSlow(limits)), limits.totalTimeoutMs)
  const removeListener = onAbort(signal, (reason) => stopping.abort(reason))
  let isComplete = false
  try {
    const sources = new NumberedSources(request.messages)
    const { messages } = sources
    // The built-in assistant attaches its source itself.
    const tools = isBuiltin ? plain : sources.numbering(plain)
    const [newestPrompt = ''] = promptsOf(messages)
    // The built-in assistant reads no files.
    const readable = isBuiltin
      ? messages
      : await withAttachments(messages, {
          readFiles,
          acceptsImages: context.acceptsImages,
          maxTokens: budget.longestConversationTokens,
        })
    const placed = isBuiltin || Object.keys(pageContext).length === 0 ? readable : withPageContext(readable, pageContext)
    const passages = await passagesFor(context, { messages, excludedFiles, onFiles })
    const support = supportCheckOf(context, { sources, messages, placed })
    const { maxAnswerCharacters: maxCharacters } = limits
    const answer = new AnswerReader({ tools, sources, isBuiltin, maxCharacters, support, mayBeEmpty: context.isSmall })
    // Whether passages answer a question says nothing about the visitor's own files.
    const instead = hasFiles(messages) ? null : context.instead
    const builtin = (other: RunContext) => answeredBy(other, request, stopping.signal)
    // A follow-up leaves out what it is about.
    const isFollowUp = promptsOf(messages).length > 1
    if (instead && passages && !continues && !isFollowUp && !areAbout(passages)) {
      yield* builtin(instead)
      isComplete = true
      return
    }
    const asked = context.findPassages ? withPassages(placed, passages && sources.offer(passages), context.isSmall) : placed
    const history = await modelMessages(asked, tools, {
      maxTokens: budget.conversationTokens,
      maxEarlierTokens: limits.maxHistoryTokens,
      continues,
    })
    if (instead && passages && !continues) {
      const question = promptsOf(messages).slice(0, 2).toReversed().join('\n')
      const asking = { instructions: prompt.text, messages: history.messages, question, budget, signal: stopping.signal }
      if (!(await findsAnswer(context, asking))) {
        yield* builtin({ ...instead, usesTools: () => false })
        isComplete = true
        return
      }
    }
    const options = {
      ...context,
      instructions: prompt.text,
      tools,
      approvalRequired,
      requestApproval: requestApproval ?? rejectApproval,
      decided,
      budget,
      context: { chat, caller: isBuiltin ? ('builtin' as const) : ('model' as const), excludedFiles, admission },
    }
    const written = chunksOf(answerInSteps(options, history, stopping.signal), answer, { signal, stopping: stopping.signal })
    const judge = support && context.isJudged ? judgeOf(context, { support, budget, signal }) : null
    const beside = context.isSmall ? (text: string) => quotedBeside(text, sources) : null
    const filtering = { ...context, ...request, answer, isBuiltin, prompt: newestPrompt, beside, sources, judge, support }
    yield* pass(ANSWER_FILTERS.answer, written, filtering)
    isComplete = true
  } catch (error) {
    if (signal.aborted) return
    throw stopping.signal.aborted ? failureBehind(stopping.signal.reason) : failureBehind(error)
  } finally {
    onUsage?.(budget.meter.used)
    clearTimeout(timeout)
    removeListener()
    if (!isComplete) stopping.abort(ENDED)
  }
}

/** The chunks of an answer until `signal` aborts. Throws the reason of `stopping`, and for an incomplete answer. */
async function* chunksOf(
  parts: AsyncIterable<AnswerPart>,
  answer: AnswerReader,
  { signal, stopping }: { signal: AbortSignal; stopping: AbortSignal },
): AsyncGenerator<ChatChunk, void, undefined> {
  try {
    for await (const part of parts) {
      yield* answer.read(part)
      if (signal.aborted) return
      if (stopping.aborted) throw stopping.reason
    }
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  if (answer.isCut) yield { type: 'message-metadata', messageMetadata: { code: 'answer_too_long' } }
}

function offeredTools(
  { toolBox, usesTools, model, limits }: RunContext,
  { requestApproval, allowance }: { allowance: Tokens } & Pick<RunOptions, 'requestApproval'>,
): ReturnType<ToolBox['forTurn']> {
  const definitions = model.provider === BUILTIN ? undefined : definitionTokens(allowance.inputTokens, limits.windowTokens)
  const offered = toolBox.forTurn(requestApproval !== undefined, definitions)
  return usesTools() ? offered : { ...offered, tools: {} as typeof offered.tools, approvalRequired: new Set(), tokens: 0 }
}

function supportCheckOf(
  { model, unsupported, isJudged, isSmall }: RunContext,
  { sources, messages, placed }: { sources: NumberedSources; messages: readonly ChatMessage[]; placed: readonly ChatMessage[] },
): SupportCheck | null {
  if (model.provider === BUILTIN || (unsupported === null && !isJudged)) return null
  // A sentence about a file that the visitor attached has no passage.
  const needsSource = isSmall && !hasFiles(messages)
  const support = new SupportCheck(sources, { unsupported: unsupported ?? 'mark', comparesFacts: unsupported !== null, needsSource })
  const own = new Set(messages.flatMap(({ parts }) => parts))
  // What the visitor's files and the embedding page state is no invention, and neither is the question, which a small model repeats.
  const stated = placed.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' && !own.has(part) ? part.text : [])))
  for (const text of isSmall ? [...stated, promptsOf(messages)[0]] : stated) support.addToolResult({ input: null, output: text })
  return support
}

/** Whether the visitor attached files to the newest prompt. */
const hasFiles = (messages: readonly ChatMessage[]): boolean =>
  messages.findLast(({ role }) => role === 'user')?.parts.some(({ type }) => type === 'file') === true

/** Answers with the built-in assistant, which searches itself, or says that nothing was found if it uses no tools. */
async function* answeredBy(builtin: RunContext, request: RunOptions, signal: AbortSignal): AsyncGenerator<ChatChunk, void, undefined> {
  // That the documents were searched once more tells the visitor nothing.
  for await (const chunk of runAgent(builtin, { ...request, signal, allowance: undefined, onUsage: undefined }))
    if (!chunk.type.startsWith('tool-')) yield chunk
}

/** The visitor's prompts, the newest first. */
function promptsOf(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap((message) => (message.role === 'user' ? textOf(message) : [])).toReversed()
}

/** The passages for the newest prompt; `null` without knowledge, and if it can't be searched. */
async function passagesFor(
  { findPassages, onWarning }: RunContext,
  { messages, excludedFiles = [], onFiles }: Pick<RunOptions, 'messages' | 'excludedFiles' | 'onFiles'>,
): Promise<FoundPassage[] | null> {
  if (!findPassages) return null

  const [prompt = '', earlierPrompt = null] = promptsOf(messages)
  try {
    const passages = await findPassages({ prompt, earlierPrompt, excludedFiles })
    onFiles?.(passages.map(({ file }) => file))
    return passages
  } catch (error) {
    onWarning('The knowledge could not be searched; the model answers without it', error)
    return null
  }
}

function tooSlow(limits: ModelLimits): AgentFailure {
  return new AgentFailure('model_timeout', `The answer was not complete after ${limits.totalTimeoutMs} ms.`)
}

function rejectApproval(): never {
  throw new Error('Approval requests are not available.')
}
