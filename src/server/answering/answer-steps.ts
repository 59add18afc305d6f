import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  experimental_streamLanguageModelCall as streamLanguageModelCall,
  type FinishReason,
  type LanguageModelStreamPart,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import { AgentFailure, failureBehind } from '../models/agent-failure.ts'
import { ANSWER_FILTERS, pass } from './filters/answer-filters.ts'
import { type ApprovalPart, type ApprovalRequest, type PendingToolCall, callOf, type DecidedCall } from './approval.ts'
import { estimateMessages } from '../models/tokens/estimate-messages.ts'
import type { ModelHistory } from './history/model-messages.ts'
import { shorterHistory } from './history/shorten-messages.ts'
import { withoutUnanswered } from './history/unanswered-prompts.ts'
import { StepContent } from './history/step-content.ts'
import type { StepReset, ThinkingFormat } from './filters/think-tags.ts'
import { fittingOutcomes, type ReadOutcome, withImages } from './history/tool-results.ts'
import { ToolFailure } from './tools/guard-tool.ts'
import { withCacheMarks } from './prompt/cache-marks.ts'
import { repairToolCall } from './tools/repair-tool-call.ts'
import { runTool, type ToolOutcome } from './tools/run-tool.ts'
import type { ToolContext } from './tools/tool-context.ts'
import type { CallPlan, TurnBudget } from './history/turn-budget.ts'
import { withCallOptions } from '../models/streaming-model.ts'

export interface AnswerOptions {
  model: LanguageModelV4
  instructions: string
  tools: ToolSet
  /** Divides the answer's tokens among its calls and counts them. */
  budget: TurnBudget
  approvalRequired: ReadonlySet<string>
  requestApproval: (call: PendingToolCall) => ApprovalRequest
  /** Approved and denied calls of the answer so far; they are settled first. */
  decided: readonly DecidedCall[]
  context: Pick<ToolContext, 'chat' | 'caller' | 'excludedFiles' | 'admission'>
  acceptsToolImages: boolean
  /** Format of reasoning inside the text; `null` if the model writes none there. */
  thinking: ThinkingFormat | null
  onWarning: (message: string, cause?: unknown) => void
}

type CallPart = LanguageModelStreamPart
/** Events about the call, not part of the answer. */
type CallEvent = Extract<CallPart, { type: `model-call-${string}` }>
export type OutputPart = Exclude<CallPart, CallEvent>
export type AnswerPart =
  | OutputPart
  | ToolOutcome
  | ApprovalPart
  | { type: 'start-step' | 'finish-step' }
  | StepReset
  /** `reasoned`: the last step used reasoning tokens. `awaitsApproval`: a tool call awaits the visitor's approval. */
  | { type: 'answer-end'; finishReason: FinishReason; reasoned: boolean; awaitsApproval: boolean }

const ANSWER_NOW = 'You can use no more tools for this answer. Answer now from what you have read; say so if it is not enough.'
const NO_MORE_TOOLS = 'No more tools can be used for this answer. Answer now from what you have read.'
/** Smallest result worth a search. */
const MIN_RESULT_CHARACTERS = 500
/** Rough ratio for results that are not measured yet. */
const CHARACTERS_PER_TOKEN = 3

/**
 * Yields the parts of one answer. A step is one model call plus the tool calls in it, which run concurrently; their results start the
 * next step. The answer ends with the first step without tool calls or with a call that needs approval. When the budget or step limit
 * allows no further lookup, the model must answer from what it has.
 * Throws the model's error, the signal's reason on abort, and `answer_too_long` when no tokens are left for an answer.
 * Why not the SDK's loop: docs/decisions/2026-11-23-agent-loop-stays.md.
 */
export async function* answerInSteps(options: AnswerOptions, history: ModelHistory, signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const conversation = new Conversation(history)
  const { budget } = options
  if (options.decided.length > 0) yield* settleDecided(options, conversation, signal)
  let hasText = false
  let wasRejected = false
  for (let step = 1; ; step += 1) {
    const plan = budget.beginCall(step, conversation.tokens)
    if (!plan && hasText) return yield { type: 'answer-end', finishReason: 'length', reasoned: false, awaitsApproval: false }
    if (!plan && wasRejected) throw new AgentFailure('model_failed', 'The model called tools instead of answering in its last step.')
    if (!plan) throw new AgentFailure('answer_too_long', 'The turn has no tokens left for an answer.')
    yield { type: 'start-step' }
    let content = new StepContent()
    const running: Promise<ToolOutcome>[] = []
    const context = contextFor(options, step, conversation)
    let finishReason: FinishReason = 'other'
    let reasoned = false
    let awaitsApproval = false
    const hadText: boolean = hasText
    for await (const part of callParts(options, conversation, plan, signal)) {
      if (part.type === 'reset-step') {
        content = new StepContent()
        hasText = hadText
        yield part
        continue
      }
      if (part.type === 'model-call-end') {
        finishReason = part.finishReason
        reasoned ||= (part.usage.outputTokenDetails.reasoningTokens ?? 0) > 0
        budget.endCall(conversation.tokens, part.usage)
      }
      if (isCallEvent(part)) continue
      content.add(part)
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') budget.meter.wrote(part.text)
      if (part.type === 'text-delta' && part.text.trim() !== '') hasText = true
      if (part.type === 'reasoning-delta') reasoned = true
      if (part.type === 'tool-input-delta') budget.meter.wrote(part.delta)
      if (!plan.mayUseTools && part.type.startsWith('tool-')) {
        if (part.type === 'tool-call') running.push(Promise.resolve(rejectedCall(part)))
        continue
      }
      if (part.type === 'tool-error') running.push(Promise.resolve(part))
      const isCall = part.type === 'tool-call' && !part.invalid
      if (isCall && !options.approvalRequired.has(part.toolName))
        running.push(runTool(options.tools, context, part, conversation.messages, signal))
      // Emitted with the other outcomes, below.
      if (part.type === 'tool-error') continue
      yield part
      if (!isCall || !options.approvalRequired.has(part.toolName)) continue
      awaitsApproval = true
      yield { type: 'approval-request', toolCallId: part.toolCallId, approval: options.requestApproval(part) }
    }
    const room = budget.resultTokens(step, conversation.tokens + estimateMessages(content.messages()))
    for (const read of await readOutcomes(options, await Promise.all(running), room)) {
      content.addOutcome(read)
      if (plan.mayUseTools) yield read.outcome
    }
    yield { type: 'finish-step' }
    if (awaitsApproval || !content.calledTools) return yield { type: 'answer-end', finishReason, reasoned, awaitsApproval }
    // A model that calls tools in its last step gets one more chance to answer.
    if (!plan.mayUseTools && (hasText || wasRejected)) return yield { type: 'answer-end', finishReason, reasoned, awaitsApproval }
    wasRejected = !plan.mayUseTools
    conversation.add(content.messages())
  }
}

class Conversation {
  readonly messages: ModelMessage[]
  tokens: number

  constructor({ messages, tokens }: ModelHistory) {
    this.messages = [...messages]
    this.tokens = tokens
  }

  add(messages: readonly ModelMessage[]): void {
    this.messages.push(...messages)
    this.tokens += estimateMessages(messages)
  }

  replace(messages: readonly ModelMessage[]): void {
    this.messages.splice(0, this.messages.length, ...messages)
    this.tokens = estimateMessages(messages)
  }

  /** Merges the answer so far and its calls into one message. */
  append(messages: readonly ModelMessage[]): void {
    const last = this.messages.at(-1)
    const [calls, ...results] = messages
    if (last?.role !== 'assistant' || calls?.role !== 'assistant') return this.add(messages)
    if (typeof last.content === 'string' || typeof calls.content === 'string') return this.add(messages)
    this.messages.splice(-1, 1, { ...last, content: [...last.content, ...calls.content] }, ...results)
    this.tokens += estimateMessages(messages)
  }
}

/** Runs the approved calls concurrently and adds their outcomes and the denials. */
async function* settleDecided(options: AnswerOptions, conversation: Conversation, signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const content = new StepContent()
  yield { type: 'start-step' }
  const context = contextFor(options, 0, conversation)
  const { tools, decided } = options
  const running = decided.map((call) => (call.approved ? [runTool(tools, context, callOf(call), conversation.messages, signal)] : []))
  for (const call of decided) {
    const { toolCallId, approval, approved } = call
    const part = callOf(call)
    content.add(part)
    yield part
    yield { type: 'approval-request', toolCallId, approval }
    yield { type: 'approval-response', approval, approved }
  }
  const room = options.budget.resultTokens(0, conversation.tokens + estimateMessages(content.messages()))
  const outcomes = await readOutcomes(options, await Promise.all(running.flat()), room)
  for (const { toolCallId, toolName } of decided) {
    const read = outcomes.find(({ outcome }) => outcome.toolCallId === toolCallId)
    if (read) content.addOutcome(read)
    else content.addDenial(toolCallId, toolName)
    yield read?.outcome ?? { type: 'tool-denied', toolCallId }
  }
  yield { type: 'finish-step' }
  conversation.append(content.messages())
}

async function readOutcomes(
  { tools, acceptsToolImages }: AnswerOptions,
  outcomes: ToolOutcome[],
  maxTokens: number,
): Promise<ReadOutcome[]> {
  const read = await fittingOutcomes(tools, outcomes, maxTokens)
  return acceptsToolImages ? withImages(read, maxTokens) : read
}

function contextFor({ context, budget }: AnswerOptions, step: number, { tokens }: Conversation): ToolContext {
  const maxCharacters = Math.max(MIN_RESULT_CHARACTERS, CHARACTERS_PER_TOKEN * budget.resultTokens(step, tokens))
  return { ...context, maxCharacters }
}

/**
 * Yields the filtered parts of one call. If the model rejects the conversation as too long, repeats the
 * call once with a shorter one, which stays in effect; or if it rejects it otherwise, without prompts that got no answer.
 */
async function* callParts(
  options: AnswerOptions,
  conversation: Conversation,
  plan: CallPlan,
  signal: AbortSignal,
): AsyncGenerator<CallPart | StepReset> {
  for (let isRepeated = false; ; isRepeated = true) {
    let hasOutput = false
    const written = async function* (): AsyncGenerator<CallPart | StepReset> {
      for await (const part of await callModel(options, conversation.messages, plan, signal)) {
        if (part.type === 'error') throw part.error
        hasOutput ||= !isCallEvent(part)
        yield part
      }
    }
    try {
      const conversationText = () => JSON.stringify(conversation.messages)
      return yield* pass(ANSWER_FILTERS.call, written(), { ...options, conversation: conversationText })
    } catch (error) {
      if (hasOutput || isRepeated) throw error
      const failure = failureBehind(error)
      const isTooLong = failure.code === 'context_too_long'
      const shorter = isTooLong ? shorterHistory(conversation.messages) : withoutUnanswered(conversation.messages, failure)
      if (!shorter) throw error
      const reason = isTooLong
        ? 'the conversation as too long; retrying with a shorter one (set MODEL_WINDOW to avoid this)'
        : 'a conversation; retrying without the prompts that got no answer'
      options.onWarning(`${options.model.modelId} rejected ${reason}`, error)
      conversation.replace(shorter)
      options.budget.repeatCall(conversation.tokens)
    }
  }
}

async function callModel(
  options: AnswerOptions,
  messages: ModelMessage[],
  { maxOutputTokens, mayUseTools }: CallPlan,
  signal: AbortSignal,
) {
  const { model, instructions, tools } = options
  const isLast = !mayUseTools && Object.keys(tools).length > 0
  const { stream } = await streamLanguageModelCall({
    model: isLast ? withoutToolCalls(model) : model,
    ...withCacheMarks(isLast ? `${instructions}\n\n${ANSWER_NOW}` : instructions, messages),
    tools,
    toolChoice: 'auto',
    repairToolCall,
    maxOutputTokens,
    abortSignal: signal,
  })
  return stream
}

/**
 * Calls the model with `tool_choice: none`. Set here, because the SDK fails an answer if its model calls a tool anyway, as some models
 * do.
 */
function withoutToolCalls(model: LanguageModelV4): LanguageModelV4 {
  return withCallOptions(model, (options) => ({ ...options, toolChoice: { type: 'none' } }))
}

function rejectedCall({ toolCallId, toolName, input }: Extract<OutputPart, { type: 'tool-call' }>): ToolOutcome {
  return { type: 'tool-error', toolCallId, toolName, input, dynamic: true, error: new ToolFailure(NO_MORE_TOOLS) }
}

function isCallEvent(part: CallPart): part is CallEvent {
  return part.type.startsWith('model-call-')
}
