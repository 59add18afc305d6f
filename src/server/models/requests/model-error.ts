import { AgentFailure, type AgentFailureOptions } from '../agent-failure.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { loggableMessage } from './loggable-message.ts'
import { readProviderError } from './provider-error.ts'
import { type ErrorReason, errorReason } from './error-reason.ts'

/** An error reported by a provider. The message is for the log: it quotes the provider, without keys and without the conversation. */
export class ModelError extends AgentFailure {
  readonly reason: ErrorReason

  constructor(code: ErrorCode, message: string, reason: ErrorReason, options: AgentFailureOptions = {}) {
    super(code, message, options)
    this.name = 'ModelError'
    this.reason = reason
  }
}

/** The request that failed, as sent. */
export interface RejectedRequest {
  body: string | undefined
  headers?: Record<string, string>
}

export interface ReadError {
  reason: ErrorReason
  /** Description for the log. */
  words: string
}

/** Reads an error of a provider. @param status HTTP status, or 0 for an error in the stream. */
export function readModelError(status: number, reported: unknown, { body, headers = {} }: RejectedRequest): ReadError {
  const error = readProviderError(reported)
  const names = (['type', 'code', 'param'] as const).flatMap((name) => (error[name] === undefined ? [] : [`${name} ${error[name]}`]))
  const options = { conversation: conversationIn(body), secrets: secretsIn(headers) }
  const message = loggableMessage(error.message, options)
  const words = [loggableMessage(names.join(', '), options), message === '' ? '' : JSON.stringify(message)].filter((part) => part !== '')
  return { reason: errorReason(status, error, body), words: words.join(': ') || 'no further reason' }
}

/** Creates the failure for an error in the stream. */
export function reportedFailure(reported: unknown, request: RejectedRequest): ModelError {
  const { reason, words } = readModelError(0, reported, request)
  const code = reason.kind === 'context' ? 'context_too_long' : 'model_failed'
  return new ModelError(code, `The model reported an error in its stream: ${words}.`, reason)
}

/** Fields of request bodies that contain the conversation, for all providers. */
const CONVERSATION_FIELDS = ['messages', 'input', 'contents', 'prompt']
/** Roles of the operator's texts, and fields with names. */
const OTHER_ROLES = ['system', 'developer']
const NAME_FIELDS = ['role', 'type', 'id', 'tool_call_id', 'call_id', 'toolUseId', 'name', 'media_type', 'mimeType']
const MAX_DEPTH = 12

function conversationIn(body: string | undefined): string[] {
  const texts: string[] = []
  const request = objectIn(body)
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

function objectIn(body: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const KEY_HEADERS = ['authorization', 'api-key', 'x-api-key', 'x-goog-api-key', 'x-amz-security-token']

function secretsIn(headers: Record<string, string>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (KEY_HEADERS.includes(name.toLowerCase()) ? value.split(/\s+/).slice(-1) : []))
}
