import { z } from 'zod'
import { Problem } from '../problem.ts'

/** Rejections of the staff API besides those that it shares with the visitors' API, by code. `title` says what to do next. */
export const STAFF_PROBLEMS = {
  sign_in_required: { status: 401, title: 'You are not signed in, or your session has ended. Sign in again.' },
  sign_in_failed: { status: 401, title: 'This passkey does not belong to anybody on the staff, or signing in took too long. Try again.' },
  provider_unavailable: { status: 503, title: 'Your organisation’s sign-in can’t be reached. Try again in a moment.' },
  provider_failed: { status: 401, title: 'Signing in did not work, or took longer than ten minutes. Try again.' },
  no_role: { status: 403, title: 'Your account has no role here. Ask the person who manages it in your organisation.' },
  provider_decides: { status: 409, title: 'You sign in with your organisation, so you need no passkey.' },
  link_invalid: { status: 410, title: 'This link was used before or has expired. Ask for a new one.' },
  role_insufficient: { status: 403, title: 'Your role does not allow this. Ask an owner.' },
  confirmation_required: { status: 403, title: 'Confirm with your passkey that it is you. Then try again.' },
  origin_not_allowed: { status: 403, title: 'Changes are accepted only from the console’s own page.' },
  limit_out_of_range: { status: 422, title: 'The environment doesn’t allow this value. Choose one in the range that the page shows.' },
  name_taken: { status: 409, title: 'Someone on the staff, or the console itself, uses this name. Choose another name.' },
  last_owner: { status: 409, title: 'This is the last owner. Invite another owner first.' },
  document_unreadable: { status: 422, title: 'This file can’t be used.' },
  document_type: {
    status: 422,
    title: 'Files of this type can’t be read. Use Markdown, text, HTML, CSV, PDF or Office (.docx, .pptx, .xlsx, .odt, .rtf, .epub).',
  },
  document_ending: {
    status: 422,
    title: 'The new file must have the same ending as the document. Upload another type as a document of its own.',
  },
  document_exists: { status: 409, title: 'There is a document of this name. Replace it, or rename your file.' },
  documents_full: { status: 409, title: 'There’s no room for more documents. Delete some first.' },
  changed_meanwhile: { status: 409, title: 'Someone else has changed this. Review the current version, then save again.' },
  website_conflict: { status: 409, title: 'This can’t be done.' },
  website_private: { status: 422, title: 'A server administrator has to add sites of your own network.' },
  token_insufficient: {
    status: 403,
    title: 'This token doesn’t allow this. Create one with the scope, and the collection, that it needs.',
  },
  token_invalid: { status: 401, title: 'This token has expired or was revoked. Create another one.' },
  too_many_corrections: { status: 409, title: 'There are 500 corrections of documents. Remove one first.' },
  source_unknown: { status: 422, title: 'The answer doesn’t name this document. Choose one that it names.' },
  too_many_tokens: { status: 409, title: 'There are fifty tokens. Revoke one first.' },
  too_many_webhooks: { status: 409, title: 'There are ten webhooks. Delete one first.' },
  target_not_allowed: { status: 422, title: 'Use an https address, or have the host named in CONSOLE_PRIVATE_HOSTS.' },
  model_key_needed: { status: 422, title: 'Enter the key. A stored key is used for its own host alone.' },
  model_mistaken: { status: 422, title: 'This model can’t be connected.' },
  too_many_passkeys: { status: 409, title: 'You have ten passkeys. Remove one first.' },
  agent_exists: { status: 409, title: 'There is a managed agent with this id. Choose another id.' },
  too_many_agents: { status: 409, title: 'There are fifty managed agents. Delete one first.' },
  agent_mistaken: { status: 409, title: 'The draft has mistakes. Correct them first.' },
  embed_exists: { status: 409, title: 'There is an embed with this name. Choose another name.' },
  embed_mistaken: { status: 422, title: 'The embed has a mistake.' },
  too_many_embeds: { status: 409, title: 'There are fifty embeds. Delete one first.' },
  approved_exists: { status: 409, title: 'There is an approved answer with this id. Choose another id.' },
  too_many_approved: { status: 409, title: 'There are 200 approved answers in the console. Delete one first.' },
  approved_mistaken: { status: 409, title: 'The answer has problems. Correct them first.' },
  approved_in_force: { status: 409, title: 'This answer is published. Withdraw it first.' },
  cases_mistaken: { status: 422, title: 'The cases have mistakes. Nothing was saved.' },
  no_cases: { status: 409, title: 'This agent has no cases. Save some first.' },
  evaluation_running: { status: 409, title: 'An evaluation is running. Wait for it or stop it first.' },
  too_many_evaluations: { status: 503, title: 'Other evaluations are running. Try again when they have ended.' },
  agent_not_evaluated: { status: 409, title: 'This draft wasn’t evaluated on the cases as they are. Evaluate it first.' },
  evaluation_failed: { status: 409, title: 'The draft fails its evaluation.' },
  too_many_trials: { status: 429, title: 'Too many trial answers at once or in this hour. Try again later.' },
  agent_in_force: { status: 409, title: 'This agent is live. Withdraw it first.' },
} as const
export type StaffProblemCode = keyof typeof STAFF_PROBLEMS

/** Body of every reply of the staff API that is not a success: `application/problem+json`, RFC 9457. */
export const StaffProblem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string().optional().describe('Exact cause, as a sentence.'),
  errors: Problem.shape.errors,
})
export type StaffProblem = z.infer<typeof StaffProblem>
