import { AgentFailure, type AgentFailureOptions } from '../agent-failure.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { parseJson } from '../../../text/parse-json.ts'
import { loggableMessage } from './loggable-message.ts'
import { fieldsOf, readProviderError } from './provider-error.ts'
import { type ErrorReason, errorReason } from './error-reason.ts'

/** An error reported by a provider. The message is for the log: it quotes the provider, without keys and without the conversation. */
export class ModelError extends AgentFailure {
  readonly reason: ErrorReason
  /** Whether the same request may succeed when it is repeated. */
  readonly isTransient: boolean
  /** Whether a stream reported it, whose request had been accepted. */
  readonly isInStream: boolean

  /** @param status HTTP status, or 0 for an error in the stream that stands for none. */
  constructor(status: number, message: string, reason: ErrorReason, options: AgentFailureOptions & { isInStream?: boolean } = {}) {
    const { code, isTransient } = outcomeOf(status, reason)
    super(code, message, options)
    this.name = 'ModelError'
    this.reason = reason
    this.isTransient = isTransient
    this.isInStream = options.isInStream ?? false
  }
}

/** Statuses of an overloaded model. */
const BUSY_STATUSES = [429, 503, 529]
/** A request that took too long, and Bedrock's model that broke off. */
const PASSING_STATUSES = [408, 424]

function outcomeOf(status: number, { kind }: ErrorReason): { code: ErrorCode; isTransient: boolean } {
  if (kind === 'quota') return { code: 'model_unavailable', isTransient: false }
  if (BUSY_STATUSES.includes(status)) return { code: 'model_busy', isTransient: true }
  if (kind === 'context') return { code: 'context_too_long', isTransient: false }
  if (kind === 'content-filter') return { code: 'prompt_blocked', isTransient: false }
  // The model may write it in another way.
  if (kind === 'tool-use-failed') return { code: 'model_failed', isTransient: true }
  return {
    code: status === 0 ? 'model_failed' : 'model_unavailable',
    isTransient: (status >= 500 || PASSING_STATUSES.includes(status)) && kind === 'other',
  }
}

interface RejectedRequest {
  body: string | undefined
  headers?: Record<string, string>
}

/** Reads an error of a provider. @param status HTTP status, or 0 for an error in the stream. */
export function readModelError(status: number, reported: unknown, { body, headers = {} }: RejectedRequest) {
  const error = readProviderError(reported)
  const names = (['type', 'code', 'param'] as const).flatMap((name) => (error[name] === undefined ? [] : [`${name} ${error[name]}`]))
  const options = { conversation: conversationIn(body), secrets: secretsIn(headers) }
  const message = loggableMessage(error.message, options)
  const words = [loggableMessage(names.join(', '), options), message === '' ? '' : JSON.stringify(message)].filter((part) => part !== '')
  return { reason: errorReason(status, error, body), words: words.join(': ') || 'no further reason' }
}

/** Creates the failure for an error in the stream: the same as if its request had been refused with its status. */
export function reportedFailure(reported: unknown, request: RejectedRequest): ModelError {
  const error = readProviderError(reported)
  const status = error.status ?? (statusNamed(`${error.type ?? ''} ${error.code ?? ''}`) || statusSaid(error.message))
  const { reason, words } = readModelError(status, reported, request)
  return new ModelError(status, `The model reported an error in its stream: ${words}.`, reason, { isInStream: true })
}

const CODES_AFTER_OUTPUT: Partial<Record<ErrorCode, ErrorCode>> = {
  model_busy: 'model_failed',
  model_unavailable: 'model_failed',
  prompt_blocked: 'answer_blocked',
}

/** The failure of an answer whose first part was shown. */
export function afterOutput(failure: AgentFailure): AgentFailure {
  const code = failure instanceof ModelError ? CODES_AFTER_OUTPUT[failure.code] : undefined
  return code ? new AgentFailure(code, failure.message, { cause: failure }) : failure
}

/** The status that the names of an error stand for; 0 for none. */
function statusNamed(names: string): number {
  if (/rate_?limit|too_?many_?requests|throttl|resource_?exhausted/i.test(names)) return 429
  if (/overload|unavailable/i.test(names)) return 503
  return /server_?error|stream_?error|internal|api_error|timeout/i.test(names) ? 500 : 0
}

/** The status that the words of an error stand for if it has no name. */
function statusSaid(message: string): number {
  if (/rate limit|too many requests/i.test(message)) return 429
  return /overloaded|temporarily unavailable|try again later/i.test(message) ? 503 : 0
}

/** Fields of request bodies that contain the conversation, for all providers. */
const CONVERSATION_FIELDS = ['messages', 'input', 'contents', 'prompt']
/** Roles of the operator's texts, and fields with names. */
const OTHER_ROLES = ['system', 'developer']
const NAME_FIELDS = ['role', 'type', 'id', 'tool_call_id', 'call_id', 'toolUseId', 'name', 'media_type', 'mimeType']
const MAX_DEPTH = 12

function conversationIn(body: string | undefined): string[] {
  const texts: string[] = []
  const request = fieldsOf(parseJson(body ?? ''))
  for (const field of CONVERSATION_FIELDS) collectTexts(request[field], texts, MAX_DEPTH)
  return texts
}

function collectTexts(value: unknown, texts: string[], depth: number): void {
  if (depth === 0) return
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, texts, depth - 1)
  else if (typeof value === 'object' && value !== null && !('role' in value && OTHER_ROLES.includes(String(value.role))))
    for (const [name, part] of Object.entries(value)) if (!NAME_FIELDS.includes(name)) collectTexts(part, texts, depth - 1)
}

const KEY_HEADERS = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key', 'x-amz-security-token']

function secretsIn(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (KEY_HEADERS.includes(name.toLowerCase()) ? value.split(/\s+/).slice(-1) : []))
}
