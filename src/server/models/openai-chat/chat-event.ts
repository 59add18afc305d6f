import { parseJson } from '../../../text/parse-json.ts'
import { AgentFailure } from '../agent-failure.ts'

/** Content of one event of a chat completion stream, without `null`s. */
export interface ChatEvent {
  reasoning: string
  text: string
  toolCalls: ToolCallDelta[]
  /** The provider's own value. */
  finishReason: string | undefined
  usage: Json | undefined
  /** Whether it carries the whole answer, which some servers send as the only event and others once more at the end. */
  isWhole: boolean
}

export interface ToolCallDelta {
  index: number | undefined
  id: string | undefined
  name: string | undefined
  /** Part of the arguments' JSON. */
  arguments: string
  /** Provider-specific data that must be sent back with the call. */
  extra: Json | undefined
}

export type Json = Record<string, unknown>

export type FailureOf = (reported: unknown) => AgentFailure

/** Reads the data of one event. Throws `AgentFailure` if it is invalid or reports an error. */
export function readChatEvent(data: string, failureOf: FailureOf): ChatEvent {
  const event = objectIn(parseJson(data))
  if (!event) throw unreadable()
  if (isError(event)) throw failureOf(event)
  const choices = event['choices']
  // Some providers leave the list out of the event that carries the usage.
  if (choices !== undefined && choices !== null && !Array.isArray(choices)) throw unreadable()
  const choice = firstChoice(choices)
  // OpenRouter reports the errors of its providers there.
  if (choice && isError(choice)) throw failureOf(choice)
  const message = objectIn(choice?.['message'])
  const delta = message ?? objectIn(choice?.['delta'])
  const content = delta?.['content']
  return {
    reasoning: textIn(delta?.['reasoning_content']) || textIn(delta?.['reasoning']) || textOfParts(content, 'thinking'),
    // The model's refusal replaces the text.
    text: textIn(content) + textOfParts(content, 'text') + textIn(delta?.['refusal']),
    toolCalls: functionCallIn(delta?.['function_call']) ?? toolCallsIn(delta?.['tool_calls']),
    finishReason: textIn(choice?.['finish_reason']) || undefined,
    usage: objectIn(event['usage']),
    isWhole: message !== undefined,
  }
}

// The parser's message would quote the text, which may be the conversation.
function unreadable(): AgentFailure {
  return new AgentFailure('model_failed', 'The model sent an invalid event.')
}

/** vLLM and Mistral send errors without an `error` field. */
function isError({ error, object }: Json): boolean {
  return (error !== undefined && error !== null) || object === 'error'
}

/** The request asks for one choice; servers that send more number them. */
function firstChoice(choices: unknown[] | null | undefined): Json | undefined {
  return choices?.map(objectIn).find((choice) => choice !== undefined && (choice['index'] ?? 0) === 0)
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
  if (value === undefined || value === null) return []
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

/** The form of a call before there were several in an answer. */
function functionCallIn(value: unknown): ToolCallDelta[] | undefined {
  const called = objectIn(value)
  return called && [toolCallIn({ index: 0, function: called })]
}

/** Some providers send the arguments as an object. */
function argumentsIn(value: unknown): string {
  return objectIn(value) ? JSON.stringify(value) : textIn(value)
}
