import { parseJson } from '../../../text/parse-json.ts'

/** An error as reported by a provider; missing fields are `undefined`. Must not reach visitors. */
export interface ProviderError {
  type: string | undefined
  code: string | undefined
  param: string | undefined
  /** The HTTP status that the error stands for, if it says one. */
  status: number | undefined
  /** The provider's message as sent, not safe to log. */
  message: string
}

type Fields = Record<string, unknown>

/** Names such as `invalid_request_error`; longer values are prose. */
const NAME = /^[\w.:[\]/-]{1,64}$/
const MAX_MESSAGE_CHARACTERS = 4_000
/** Error pages carry no useful message. */
const MARKUP = /^\s*</

/** Reads an error from JSON, text or a value. Every provider has its own form. */
export function readProviderError(reported: unknown): ProviderError {
  const value = typeof reported === 'string' ? (parseJson(reported) ?? (MARKUP.test(reported) ? '' : reported)) : reported
  const outer = fieldsOf(Array.isArray(value) ? value[0] : value)
  const inner = outer['error'] ?? firstOf(outer['errors'])
  const error: Fields = typeof inner === 'string' ? { ...outer, message: inner } : { ...outer, ...fieldsOf(inner) }
  return {
    status: [error['code'], error['status_code'], error['statusCode'], error['status']]
      .map(statusIn)
      .find((status) => status !== undefined),
    type: nameIn(error['type']),
    code: nameIn(error['code']) ?? nameIn(error['status']),
    param: nameIn(error['param']) ?? locationIn(error['detail']),
    message: messageIn(typeof value === 'string' ? { message: value } : error).slice(0, MAX_MESSAGE_CHARACTERS),
  }
}

function messageIn(error: Fields): string {
  const { message, Message, detail, msg, metadata } = error
  // A gateway's own message only says that its provider failed.
  const raw = fieldsOf(metadata)['raw']
  return [message ?? Message ?? msg, detail, raw]
    .filter((part) => part !== undefined && part !== null && part !== '')
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join(' ')
}

/** FastAPI names fields as a path: `["body", "stream_options"]`. */
function locationIn(detail: unknown): string | undefined {
  const location = fieldsOf(firstOf(detail))['loc']
  return Array.isArray(location) ? nameIn(location.filter((part) => part !== 'body').join('.')) : undefined
}

function statusIn(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined
}

function nameIn(value: unknown): string | undefined {
  return (typeof value === 'string' || typeof value === 'number') && NAME.test(String(value)) ? String(value) : undefined
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
