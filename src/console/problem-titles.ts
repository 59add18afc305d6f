import type { ErrorCode } from '../contract/errors.ts'
import type { StaffProblemCode } from '../contract/staff/problems.ts'
import { defineMessage, type MessageText } from '../ui/language/translate.ts'

/** Codes of the visitors' API that the staff API has too. */
type SharedCode = Extract<
  ErrorCode,
  | 'invalid_request'
  | 'not_found'
  | 'request_timeout'
  | 'body_too_large'
  | 'too_many_requests'
  | 'host_not_allowed'
  | 'internal'
  | 'server_busy'
  | 'storage_unavailable'
  | 'storage_full'
  | 'shutting_down'
>

/** The titles of rejections, to be translated. They are those of the contract, which loads zod. */
export const PROBLEM_TITLES: Readonly<Record<StaffProblemCode | SharedCode, MessageText>> = {
  invalid_request: defineMessage('The request is not in the expected format. Nothing was stored.'),
  not_found: defineMessage('There is nothing at this address that you can access.'),
  request_timeout: defineMessage('The request took too long to arrive. Send it again.'),
  body_too_large: defineMessage('The request is too large. Nothing was stored.'),
  too_many_requests: defineMessage('Too many requests. Nothing is lost. Try again in a moment.'),
  host_not_allowed: defineMessage('The server does not serve this host name. Nothing was stored.'),
  internal: defineMessage('Something went wrong on our side. Your message is saved. Try again.'),
  server_busy: defineMessage('The server is busy right now. Nothing was stored. Try again in a moment.'),
  storage_unavailable: defineMessage('Storage is not available right now. What you have saved is safe. Try again in a moment.'),
  storage_full: defineMessage('Storage is full right now. What you have saved is safe. Try again later.'),
  shutting_down: defineMessage('The server is restarting. The text so far is saved. Try again in a moment.'),
  sign_in_required: defineMessage('You are not signed in, or your session has ended. Sign in again.'),
  sign_in_failed: defineMessage('This passkey does not belong to anybody on the staff, or signing in took too long. Try again.'),
  provider_unavailable: defineMessage('Your organisation’s sign-in can’t be reached. Try again in a moment.'),
  provider_failed: defineMessage('Signing in did not work, or took longer than ten minutes. Try again.'),
  no_role: defineMessage('Your account has no role here. Ask the person who manages it in your organisation.'),
  provider_decides: defineMessage('You sign in with your organisation, so you need no passkey.'),
  link_invalid: defineMessage('This link was used before or has expired. Ask for a new one.'),
  role_insufficient: defineMessage('Your role does not allow this. Ask an owner.'),
  confirmation_required: defineMessage('Confirm with your passkey that it is you. Then try again.'),
  origin_not_allowed: defineMessage('Changes are accepted only from the console’s own page.'),
  limit_out_of_range: defineMessage('The environment doesn’t allow this value. Choose one in the range that the page shows.'),
  too_many_blocks: defineMessage('A hundred networks are blocked. Unblock one first.'),
  last_owner: defineMessage('This is the last owner. Invite another owner first.'),
  document_unreadable: defineMessage('This file can’t be used.'),
  document_type: defineMessage(
    'Files of this type can’t be read. Use Markdown, text, HTML, CSV, PDF or Office (.docx, .pptx, .xlsx, .odt, .rtf, .epub).',
  ),
  document_ending: defineMessage('The new file must have the same ending as the document. Upload another type as a document of its own.'),
  document_exists: defineMessage('There is a document of this name. Replace it, or rename your file.'),
  documents_full: defineMessage('There’s no room for more documents. Delete some, or ask for a higher limit.'),
  changed_meanwhile: defineMessage('Someone else has changed this. Review the current version, then save again.'),
  website_conflict: defineMessage('This can’t be done now.'),
  too_many_webhooks: defineMessage('There are ten webhooks. Delete one first.'),
  target_not_allowed: defineMessage('Use an https address, or have the host named in CONSOLE_PRIVATE_HOSTS.'),
  model_key_needed: defineMessage('Enter the key. A stored key is used for its own host alone.'),
  model_mistaken: defineMessage('This model can’t be connected.'),
  token_insufficient: defineMessage('This token doesn’t allow this. Create one with the scope, and the collection, that it needs.'),
  token_invalid: defineMessage('This token has expired or was revoked. Create another one.'),
  report_changed: defineMessage('Someone else has decided about this report. Review it, then decide again.'),
  too_many_corrections: defineMessage('There are 500 corrections of documents. Remove one first.'),
  fix_unknown: defineMessage('What repairs it doesn’t exist any more. Choose something else.'),
  source_unknown: defineMessage('The answer doesn’t name this document. Choose one that it names.'),
  too_many_tokens: defineMessage('There are fifty tokens. Revoke one first.'),
  too_many_passkeys: defineMessage('You have ten passkeys. Remove one first.'),
  agent_exists: defineMessage('There is a managed agent with this id. Choose another id.'),
  too_many_agents: defineMessage('There are fifty managed agents. Delete one first.'),
  agent_changed: defineMessage('Someone else has saved this. Compare both versions, then save yours again.'),
  agent_mistaken: defineMessage('The draft has mistakes. Correct them first.'),
  embed_exists: defineMessage('There is an embed with this name. Choose another name.'),
  embed_mistaken: defineMessage('The embed has a mistake.'),
  too_many_embeds: defineMessage('There are fifty embeds. Delete one first.'),
  approved_exists: defineMessage('There is an approved answer with this id. Choose another id.'),
  too_many_approved: defineMessage('There are 200 approved answers in the console. Delete one first.'),
  approved_mistaken: defineMessage('The answer has problems. Correct them first.'),
  approved_in_force: defineMessage('This answer is published. Withdraw it first.'),
  cases_mistaken: defineMessage('The cases have mistakes. Nothing was saved.'),
  cases_changed: defineMessage('Someone else has saved the cases. Compare both, then save yours again.'),
  no_cases: defineMessage('This agent has no cases. Save some first.'),
  evaluation_running: defineMessage('An evaluation is running. Wait for it or stop it first.'),
  too_many_evaluations: defineMessage('Other evaluations are running. Try again when they have ended.'),
  agent_not_evaluated: defineMessage('This draft wasn’t evaluated on the cases as they are. Evaluate it first.'),
  evaluation_failed: defineMessage('The draft fails its evaluation.'),
  too_many_trials: defineMessage('Too many trial answers at once or in this hour. Try again later.'),
  agent_in_force: defineMessage('This agent is live. Withdraw it first.'),
}
