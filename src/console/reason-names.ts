import { defineMessage, type MessageText, t } from '../ui/language/translate.ts'

/** Why prompts were turned away or answers failed, in a few words. */
const REASON_NAMES: Readonly<Record<string, MessageText>> = {
  network_blocked: defineMessage('network blocked'),
  suspended: defineMessage('suspended'),
  personal_data: defineMessage('personal data'),
  prompt_blocked: defineMessage('prompt blocked'),
  prompt_too_long: defineMessage('prompt too long'),
  session_busy: defineMessage('session busy'),
  consent_required: defineMessage('consent required'),
  proof_of_work_required: defineMessage('proof of work required'),
  too_many_requests: defineMessage('too many requests'),
  too_many_prompts: defineMessage('too many prompts'),
  daily_prompts_used: defineMessage('daily prompts used'),
  daily_tokens_used: defineMessage('daily tokens used'),
  too_many_files: defineMessage('too many files'),
  too_many_visitors: defineMessage('too many visitors'),
  too_many_turns: defineMessage('too many turns'),
  too_many_streams: defineMessage('too many streams'),
  too_many_reports: defineMessage('too many reports'),
  budget_exhausted: defineMessage('budget exhausted'),
  server_busy: defineMessage('server busy'),
  model_busy: defineMessage('model busy'),
  model_loading: defineMessage('model loading'),
  model_unavailable: defineMessage('model unavailable'),
  model_failed: defineMessage('model failed'),
  model_interrupted: defineMessage('model interrupted'),
  model_timeout: defineMessage('model timeout'),
  moderation_unavailable: defineMessage('moderation unavailable'),
  storage_unavailable: defineMessage('storage unavailable'),
  answer_blocked: defineMessage('answer blocked'),
  answer_too_long: defineMessage('answer too long'),
  reasoning_too_long: defineMessage('reasoning too long'),
  context_too_long: defineMessage('context too long'),
  unauthorized: defineMessage('unauthorized'),
  cross_origin: defineMessage('cross origin'),
  host_not_allowed: defineMessage('host not allowed'),
  other: defineMessage('other'),
}

/** The words for a code; for one without, the code. */
export function reasonName(code: string): string {
  const name = REASON_NAMES[code]
  return name ? t(name) : code.replaceAll('_', ' ')
}
