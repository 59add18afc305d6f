import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  experimental_streamLanguageModelCall as streamLanguageModelCall,
  type FinishReason,
  type LanguageModelStreamPart,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import type { ModelLimits } from './model/limits.ts'
import { StepContent } from './step-content.ts'
import { runTool, type ToolOutcome } from './tools/run-tool.ts'

export interface AnswerOptions {
  model: LanguageModelV4
  instructions: string
  tools: ToolSet
  limits: Pick<ModelLimits, 'maxSteps' | 'maxOutputTokens'>
}

type CallPart = LanguageModelStreamPart
/** What a model's call says about itself, and not to the visitor. */
type CallEvent = Extract<CallPart, { type: `model-call-${string}` }>
export type SpokenPart = Exclude<CallPart, CallEvent>
export type AnswerPart =
  | SpokenPart
  | ToolOutcome
  | { type: 'start-step' | 'finish-step' }
  | { type: 'answer-end'; finishReason: FinishReason }

/**
 * The parts of one answer. A step is one call of the model and the tools that it asked for, all at the same time, whose results
 * open the next step; the answer ends with the first step that asks for none. The last step allowed may ask for none.
 * Throws what the model's call throws, and the signal's reason when it aborts.
 *
 * The SDK's own loop does the same behind three more streams, which made a first token a sixth later.
 */
export async function* answerInSteps(options: AnswerOptions, history: ModelMessage[], signal: AbortSignal): AsyncGenerator<AnswerPart> {
  const messages = [...history]
  for (let step = 1; ; step += 1) {
    yield { type: 'start-step' }
    const content = new StepContent()
    const running: Promise<ToolOutcome>[] = []
    let finishReason: FinishReason = 'other'
    for await (const part of await callModel(options, messages, signal, step >= options.limits.maxSteps)) {
      if (part.type === 'model-call-end') finishReason = part.finishReason
      if (isCallEvent(part)) continue
      content.add(part)
      if (part.type === 'tool-call' && !part.invalid) running.push(runTool(options.tools, part, messages, signal))
      yield part
    }
    for (const tool of running) {
      const outcome = await tool
      content.addOutcome(outcome)
      yield outcome
    }
    yield { type: 'finish-step' }
    if (!content.calledTools) return yield { type: 'answer-end', finishReason }
    messages.push(...content.messages())
  }
}

async function callModel(
  { model, instructions, tools, limits }: AnswerOptions,
  messages: ModelMessage[],
  signal: AbortSignal,
  isLast: boolean,
) {
  const { stream } = await streamLanguageModelCall({
    model,
    instructions,
    messages,
    tools,
    // A model that would call tools for ever has to answer in its last step.
    toolChoice: isLast ? 'none' : 'auto',
    maxOutputTokens: limits.maxOutputTokens,
    abortSignal: signal,
  })
  return stream
}

function isCallEvent(part: CallPart): part is CallEvent {
  return part.type.startsWith('model-call-')
}
