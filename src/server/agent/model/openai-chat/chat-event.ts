import { AgentFailure } from '../../answer/agent-failure.ts'

/** What one event of a chat completion stream says, with everything absent that a provider left out or sent as null. */
export interface ChatEvent {
  reasoning: string
  text: string
  toolCalls: ToolCallDelta[]
  /** As the provider calls it. */
  finishReason: string | undefined
  usage: Json | undefined
}

export interface ToolCallDelta {
  index: number | undefined
  id: string | undefined
  name: string | undefined
  /** A piece of the arguments' JSON. */
  arguments: string
  /** What the provider wants back with the call, in its own form. */
  extra: Json | undefined
}

export type Json = Record<string, unknown>

const NO_TOOL_CALLS: ToolCallDelta[] = []

/** Makes a failure of an error that the model reports. */
export type FailureOf = (reported: unknown) => AgentFailure

/** Reads the data of one event. Throws `AgentFailure` if it is not a chat completion event, or reports an error. */
export function readChatEvent(data: string, failureOf: FailureOf): ChatEvent {
  const event = objectIn(parse(data))
  if (!event) throw unreadable()
  if (isError(event)) throw failureOf(event)
  const choices = event['choices']
  // Some providers leave the list out of the event that carries the usage.
  if (choices !== undefined && choices !== null && !Array.isArray(choices)) throw unreadable()
  const choice = firstChoice(choices)
  const delta = objectIn(choice?.['delta'])
  const content = delta?.['content']
  return {
    reasoning: textIn(delta?.['reasoning_content']) || textIn(delta?.['reasoning']) || textOfParts(content, 'thinking'),
    // A refusal takes the place of the text.
    text: textIn(content) + textOfParts(content, 'text') + textIn(delta?.['refusal']),
    toolCalls: toolCallsIn(delta?.['tool_calls']),
    finishReason: textIn(choice?.['finish_reason']) || undefined,
    usage: objectIn(event['usage']),
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw unreadable()
  }
}

// The parser's own message would quote the text that it failed on, which may be the conversation.
function unreadable(): AgentFailure {
  return new AgentFailure('model_failed', 'The model sent an event that could not be read.')
}

/** vLLM and Mistral send an error without a field of that name. */
function isError({ error, object }: Json): boolean {
  return (error !== undefined && error !== null) || object === 'error'
}

/** One answer was asked for; a server that sends more numbers them. */
function firstChoice(choices: unknown[] | null | undefined): Json | undefined {
  if (!choices) return undefined
  for (const choice of choices) {
    const { index = 0 } = objectIn(choice) ?? { index: -1 }
    if (index === 0 || index === null) return choice as Json
  }
  return undefined
}

function objectIn(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Some providers send content as a list of parts: `text`, or `thinking`, which holds parts of its own. */
function textOfParts(content: unknown, type: 'text' | 'thinking'): string {
  if (!Array.isArray(content)) return ''
  const parts = content.map(objectIn).filter((part) => part?.['type'] === type)
  return parts.map((part) => (type === 'text' ? textIn(part?.['text']) : textOfParts(part?.['thinking'], 'text'))).join('')
}

function toolCallsIn(value: unknown): ToolCallDelta[] {
  if (value === undefined || value === null) return NO_TOOL_CALLS
  if (!Array.isArray(value)) throw unreadable()
  return value.map(toolCallIn)
}

function toolCallIn(value: unknown): ToolCallDelta {
  const call = objectIn(value)
  if (!call) throw unreadable()
  const { index, id } = call
  const called = objectIn(call['function'])
  return {
    index: typeof index === 'number' ? index : undefined,
    id: textIn(id) || undefined,
    name: textIn(called?.['name']).trim() || undefined,
    arguments: argumentsIn(called?.['arguments']),
    extra: objectIn(call['extra_content']),
  }
}

/** A few providers send the arguments as the object itself. */
function argumentsIn(value: unknown): string {
  return objectIn(value) ? JSON.stringify(value) : textIn(value)
}
