import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  experimental_streamLanguageModelCall as streamLanguageModelCall,
  type FinishReason,
  type LanguageModelStreamPart,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import type { ModelLimits } from './model/limits.ts'
import { type ApprovalPart, type ApprovalRequest, type AskedCall, callOf, type DecidedCall } from './approval.ts'
import { AgentFailure, failureBehind } from './agent-failure.ts'
import { readyUnless } from './model/ready-unless.ts'
import { shorterHistory } from './shorter-history.ts'
import { StepContent } from './step-content.ts'
import { type StepReset, type ThinkingHabit, ThinkTags } from './think-tags.ts'
import { estimateInput, type TokenMeter, type Tokens } from './token-meter.ts'
import { runTool, type ToolOutcome } from './tools/run-tool.ts'

export interface AnswerOptions {
  model: LanguageModelV4
  instructions: string
  tools: ToolSet
  limits: Pick<ModelLimits, 'maxSteps' | 'maxOutputTokens' | 'windowTokens'>
  /** Tokens that instructions and tools take in every call, estimated. */
  fixedInput: number
  /** The most that the whole answer may use; what no step can be made within is not asked for. */
  allowance: Tokens
  /** Names of tools that ask the visitor before they run. */
  asking: ReadonlySet<string>
  /** Asks the visitor about a call. */
  ask: (call: AskedCall) => ApprovalRequest
  /** Calls that the visitor was asked about before: what was said to them is done first. */
  decided: readonly DecidedCall[]
  /** Which chat it is of. */
  chat: string
  /** Counts what is used. */
  meter: TokenMeter
  /** Told apart from the text by it; null for a model that never writes thoughts into its text. */
  thinking: ThinkingHabit | null
  onWarning: (message: string, cause?: unknown) => void
  /** Tools run when it has resolved, and not before; `model` keeps to it by itself. */
  ready: Promise<unknown>
}

type CallPart = LanguageModelStreamPart
/** What a model's call says about itself, and not to the visitor. */
type CallEvent = Extract<CallPart, { type: `model-call-${string}` }>
export type SpokenPart = Exclude<CallPart, CallEvent>
export type AnswerPart =
  | SpokenPart
  | ToolOutcome
  | ApprovalPart
  | { type: 'start-step' | 'finish-step' }
  | StepReset
  /** `reasoned`: whether the last step used tokens on reasoning. `asks`: the visitor is to say first whether a tool may run. */
  | { type: 'answer-end'; finishReason: FinishReason; reasoned: boolean; asks: boolean }

/**
 * The parts of one answer. A step is one call of the model and the tools that it asked for, all at the same time, whose results
 * open the next step; the answer ends with the first step that asks for none, or that has a tool ask the visitor. The last step
 * allowed may ask for none.
 * Throws what the model's call throws, the signal's reason when it aborts, and `answer_too_long` when the allowance is used up.
 *
 * The SDK's own loop does the same behind three more streams, which made a first token a sixth later.
 */
export async function* answerInSteps(options: AnswerOptions, history: ModelMessage[], signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const messages = [...history]
  if (options.decided.length > 0) yield* doDecided(options, messages, signal)
  for (let step = 1; ; step += 1) {
    yield { type: 'start-step' }
    let content = new StepContent()
    const running: Promise<ToolOutcome>[] = []
    let finishReason: FinishReason = 'other'
    let reasoned = false
    let asks = false
    for await (const part of callParts(options, messages, signal, step)) {
      if (part.type === 'reset-step') {
        content = new StepContent()
        yield part
        continue
      }
      if (part.type === 'model-call-end') {
        finishReason = part.finishReason
        reasoned ||= (part.usage.outputTokenDetails.reasoningTokens ?? 0) > 0
        options.meter.end(part.usage)
      }
      if (isCallEvent(part)) continue
      content.add(part)
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') options.meter.wrote(part.text)
      if (part.type === 'reasoning-delta') reasoned = true
      if (part.type === 'tool-input-delta') options.meter.wrote(part.delta)
      const isCall = part.type === 'tool-call' && !part.invalid
      if (isCall && !options.asking.has(part.toolName)) running.push(runTool(options, part, messages, signal))
      yield part
      if (!isCall || !options.asking.has(part.toolName)) continue
      asks = true
      yield { type: 'approval-request', toolCallId: part.toolCallId, approval: options.ask(part) }
    }
    for (const tool of running) {
      const outcome = await tool
      content.addOutcome(outcome)
      yield outcome
    }
    yield { type: 'finish-step' }
    if (asks || !content.calledTools) return yield { type: 'answer-end', finishReason, reasoned, asks }
    messages.push(...content.messages())
  }
}

/** Runs the calls that were allowed, all at the same time, and adds to the messages what came of them and of those that were not. */
async function* doDecided(options: AnswerOptions, messages: ModelMessage[], signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const content = new StepContent()
  yield { type: 'start-step' }
  await readyUnless(signal, options.ready)
  const running = options.decided.map((call) => (call.approved ? runTool(options, callOf(call), messages, signal) : null))
  for (const call of options.decided) {
    const { toolCallId, approval, approved } = call
    const part = callOf(call)
    content.add(part)
    yield part
    yield { type: 'approval-request', toolCallId, approval }
    yield { type: 'approval-response', approval, approved }
  }
  for (const [index, { toolCallId, toolName }] of options.decided.entries()) {
    const outcome = await running[index]
    if (outcome) content.addOutcome(outcome)
    else content.addDenial(toolCallId, toolName)
    yield outcome ?? { type: 'tool-denied', toolCallId }
  }
  yield { type: 'finish-step' }
  appendTo(messages, content.messages())
}

/** What an answer has said already, and the calls that it made, are one message. */
function appendTo(messages: ModelMessage[], [calls, ...results]: ModelMessage[]): void {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || calls?.role !== 'assistant' || typeof last.content === 'string' || typeof calls.content === 'string')
    return void messages.push(...(calls ? [calls] : []), ...results)
  messages.splice(-1, 1, { ...last, content: [...last.content, ...calls.content] }, ...results)
}

/**
 * The parts of one call, with the thoughts told apart from the text. A model that finds the conversation too long is asked once more
 * with less of it, which is what `messages` hold from then on.
 */
async function* callParts(
  options: AnswerOptions,
  messages: ModelMessage[],
  signal: AbortSignal,
  step: number,
): AsyncGenerator<CallPart | StepReset> {
  for (let isRepeated = false; ; isRepeated = true) {
    const tags = options.thinking && new ThinkTags(options.thinking)
    let hasSpoken = false
    try {
      for await (const part of await callModel(options, messages, signal, step)) {
        if (part.type === 'error') throw part.error
        hasSpoken ||= !isCallEvent(part)
        if (tags) yield* tags.read(part)
        else yield part
      }
      return
    } catch (error) {
      const isTooLong = !hasSpoken && failureBehind(error).code === 'context_too_long'
      const shorter = isTooLong && !isRepeated ? shorterHistory(messages) : null
      if (!shorter) throw error
      options.onWarning(
        `${options.model.modelId} found the conversation too long; asking once more with less of it (see MODEL_WINDOW)`,
        error,
      )
      options.meter.abandon()
      messages.splice(0, messages.length, ...shorter)
    }
  }
}

async function callModel(options: AnswerOptions, messages: ModelMessage[], signal: AbortSignal, step: number) {
  const { model, instructions, tools } = options
  const { maxOutputTokens, isLast } = beginStep(options, messages, step)
  const { stream } = await streamLanguageModelCall({
    model,
    instructions,
    messages,
    tools,
    // A model that would call tools for ever has to answer in its last step.
    toolChoice: isLast ? 'none' : 'auto',
    maxOutputTokens,
    abortSignal: signal,
  })
  return stream
}

/** A window that is full by our estimate, which is rather too high, still has room for so much. */
const LEAST_OUTPUT_TOKENS = 256

/** Tells the meter of the step; returns how much the model may write in it, and whether the allowance leaves no other after it. */
function beginStep({ limits, fixedInput, allowance, meter }: AnswerOptions, messages: ModelMessage[], step: number) {
  const input = estimateInput(messages, fixedInput)
  const { inputTokens, outputTokens } = meter.used
  const leftToRead = Math.min(allowance.inputTokens - inputTokens, limits.windowTokens) - input
  const inWindow = Math.max(LEAST_OUTPUT_TOKENS, limits.windowTokens - input)
  const maxOutputTokens = Math.min(limits.maxOutputTokens, allowance.outputTokens - outputTokens, inWindow)
  // The first step reads the prompt, which is answered whatever its length.
  if (step > 1 && (leftToRead < 0 || maxOutputTokens <= 0))
    throw new AgentFailure(
      'answer_too_long',
      `Another step would use more than ${allowance.inputTokens} tokens in, ${allowance.outputTokens} out.`,
    )
  meter.begin(input)
  return { maxOutputTokens, isLast: step >= limits.maxSteps || leftToRead < input }
}

function isCallEvent(part: CallPart): part is CallEvent {
  return part.type.startsWith('model-call-')
}
