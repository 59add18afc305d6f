import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messagesOf, readPage } from '../../scripts/page-messages.mjs'
import { testCatalogs } from '../../test/support/message-catalogs.ts'
import { PROBLEMS } from '../contract/errors.ts'
import { AUDIT_ACTIONS } from '../contract/staff/audit-actions.ts'
import { STAFF_PROBLEMS } from '../contract/staff/problems.ts'
import { ADJUSTABLE_LIMITS } from '../server/limits/adjustable-limits.ts'
import { firstSentenceOf } from './names.ts'

const files = readPage(import.meta.dirname)
/** Shared parts with texts that the console shows. */
const shared = ['language/language-switch.tsx', 'language/model-name.ts'].map((path) => ({
  path: `../ui/${path}`,
  text: readFileSync(join(import.meta.dirname, '../ui', path), 'utf8'),
}))

/** Codes of the visitors' API that the staff API has too. */
const SHARED_CODES = [
  'invalid_request',
  'not_found',
  'request_timeout',
  'body_too_large',
  'too_many_requests',
  'host_not_allowed',
  'internal',
  'server_busy',
  'storage_unavailable',
  'storage_full',
  'shutting_down',
] as const
/** Codes that figures, limits and the system name. */
const REASONS = `
  suspended personal_data prompt_blocked prompt_too_long session_busy consent_required proof_of_work_required
  too_many_requests too_many_prompts daily_prompts_used embed_prompts_used daily_tokens_used too_many_visitors too_many_turns
  too_many_streams budget_exhausted server_busy model_busy model_loading model_unavailable model_failed model_interrupted
  model_timeout moderation_unavailable storage_unavailable answer_blocked answer_too_long reasoning_too_long context_too_long unauthorized
  cross_origin host_not_allowed
`
/** Sentences that the server sends in English and the console translates. */
const sent = [
  ...Object.values(STAFF_PROBLEMS).map(({ title }) => title),
  ...SHARED_CODES.map((code) => PROBLEMS[code].title),
  ...REASONS.trim()
    .split(/\s+/)
    .map((code) => code.replaceAll('_', ' ')),
  ...Object.values(AUDIT_ACTIONS),
  ...ADJUSTABLE_LIMITS.map(({ description }) => firstSentenceOf(description)),
]
const { messages, ...rest } = messagesOf([...files, ...shared])

testCatalogs({
  files,
  apart: [],
  said: { messages: new Set([...messages, ...sent]), ...rest },
  folder: join(import.meta.dirname, 'messages'),
  unfinished: [],
})
