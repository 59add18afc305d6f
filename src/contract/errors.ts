/**
 * Every rejection and failure, by its stable code. `status` is the HTTP status; codes with 502 to 504 also end turns.
 * `title` states what happened, what is saved, and what to do next.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, title: 'The request is not in the expected format. Nothing was stored.' },
  invalid_json: { status: 400, title: 'The request body is not valid JSON in UTF-8. Nothing was stored.' },
  invalid_id: { status: 400, title: 'The id in the address is not a valid id.' },
  prompt_empty: { status: 400, title: 'The prompt is empty. Type something and send it again.' },
  prompt_too_long: { status: 400, title: 'The prompt is longer than 32,000 characters. Shorten it and send it again.' },
  unauthorized: { status: 401, title: 'The credential is not recognized. Omit it to start as a new visitor.' },
  credential_required: {
    status: 401,
    title: 'A page of another site sends no cookie, so a file needs an id of the client, `?id=`, or a visitor key. Nothing was stored.',
  },
  cross_origin: { status: 403, title: 'Requests from another site are not allowed. Nothing was stored.' },
  host_not_allowed: { status: 421, title: 'The server does not serve this host name. Nothing was stored.' },
  not_found: { status: 404, title: 'There is nothing at this address that you can access.' },
  method_not_allowed: { status: 405, title: 'This address does not support this method.' },
  transfer_code_unknown: {
    status: 404,
    title: 'This code does not work or has expired. Nothing changed. Create a new one on the other device.',
  },
  request_timeout: { status: 408, title: 'The request took too long to arrive. Send it again.' },
  session_busy: { status: 409, title: 'An answer is in progress in this chat. Wait for it or stop it, then send again.' },
  not_retryable: { status: 409, title: 'Only the last prompt of a chat can be retried, once its answer has ended.' },
  approval_gone: {
    status: 409,
    title:
      'This can no longer be allowed: it was already decided, has expired, or does not match the request. Nothing was done. Ask again.',
  },
  device_in_use: { status: 409, title: 'This device already has chats. Nothing changed. Export them first, or agree to delete them.' },
  body_too_large: { status: 413, title: 'The request is too large. Nothing was stored.' },
  report_too_large: { status: 413, title: 'This is more than a report can contain. Nothing was sent. Shorten it and send it again.' },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for a different request. Use a new key. Nothing was stored.',
  },
  file_unreadable: {
    status: 422,
    title:
      'This file type is not supported. Send images (PNG, JPEG, WebP, GIF), documents with text (PDF, Office, OpenDocument) or text files. Nothing was stored.',
  },
  file_too_complex: {
    status: 422,
    title: 'This file takes too much time or memory to read. Nothing was stored. Send a smaller file, or its text.',
  },
  file_unknown: { status: 422, title: 'A file in this prompt is no longer available. Nothing was sent. Attach it again.' },
  files_not_accepted: {
    status: 422,
    title: 'This assistant cannot read this file type. Nothing was sent. Send your prompt without the file.',
  },
  files_full: {
    status: 422,
    title: 'You have used all your file storage. Nothing was stored. Delete a chat with files, or send the files that are attached.',
  },
  suspended: { status: 503, title: 'Answers were paused. What was written so far is saved. Try again later.' },
  personal_data: {
    status: 422,
    title: 'This assistant does not accept the personal data that was found. Nothing was stored. Remove it and send again.',
  },
  prompt_blocked: { status: 422, title: 'This assistant cannot answer that. Try asking something else.' },
  unsupported_media_type: { status: 415, title: 'Send the body uncompressed in UTF-8, as application/json or a type that the API names.' },
  consent_required: { status: 428, title: 'Accept the privacy notice first. Nothing was stored.' },
  proof_of_work_required: {
    status: 428,
    title: 'Solve the challenge in this response, and send the prompt again with the solution. Nothing was stored.',
  },
  too_many_requests: { status: 429, title: 'Too many requests. Nothing is lost. Try again in a moment.' },
  too_many_prompts: { status: 429, title: 'You are sending messages too fast. Nothing was stored. Send yours again in a moment.' },
  daily_prompts_used: { status: 429, title: 'You have reached today’s message limit. Nothing was stored. Try again tomorrow.' },
  embed_prompts_used: {
    status: 429,
    title: 'The chat on this site has reached its message limit for today. Nothing was stored. Try again tomorrow.',
  },
  daily_tokens_used: { status: 429, title: 'You have reached today’s answer limit. Nothing was stored. Try again tomorrow.' },
  too_many_reports: {
    status: 429,
    title: 'You have reached the limit for reports. Nothing was sent. Withdraw one under “My data”, then send it again.',
  },
  too_many_files: { status: 429, title: 'You are sending files too fast. Nothing was stored. Send more later.' },
  too_many_visitors: { status: 429, title: 'Too many new visitors from your network. Nothing was stored. Try again later.' },
  too_many_turns: { status: 429, title: 'You have other answers in progress. Wait for one or stop it, then send again.' },
  too_many_streams: { status: 429, title: 'Too many streams are open. Close one, then try again.' },
  headers_too_large: { status: 431, title: 'The request headers are too large.' },
  internal: { status: 500, title: 'Something went wrong on our side. Your message is saved. Try again.' },
  model_failed: { status: 502, title: 'The model sent an answer that could not be read. The text so far is saved. Try again.' },
  model_interrupted: { status: 502, title: 'The connection to the model was lost. The text so far is saved. Continue from there.' },
  answer_blocked: { status: 502, title: 'The rest of this answer cannot be shown. The text so far is saved. Try asking something else.' },
  answer_too_long: { status: 502, title: 'The answer reached its length limit. The text so far is saved.' },
  reasoning_too_long: {
    status: 502,
    title: 'The model spent all its time thinking and did not answer. Your message is saved. Ask a simpler question, or try again.',
  },
  context_too_long: {
    status: 502,
    title: 'This is more than the model can read at once. Your message is saved. Shorten it and send it again.',
  },
  model_loading: { status: 503, title: 'The model is still downloading. Your message is saved. Send it again when the model is ready.' },
  model_unavailable: { status: 503, title: 'The model is not available right now. Your message is saved. Try again in a moment.' },
  model_busy: { status: 503, title: 'The assistant is busy right now. Your message is saved. Try again in a minute.' },
  moderation_unavailable: {
    status: 503,
    title: 'Messages are checked before they are sent, and the check is not available right now. Yours is saved. Try again in a moment.',
  },
  server_busy: { status: 503, title: 'The server is busy right now. Nothing was stored. Try again in a moment.' },
  data_busy: { status: 503, title: 'Too much is being read right now. Nothing changed. Try again in a moment.' },
  budget_exhausted: { status: 503, title: 'The assistant has reached its usage limit. Nothing was stored. Try again later.' },
  storage_unavailable: { status: 503, title: 'Storage is not available right now. What you have saved is safe. Try again in a moment.' },
  storage_full: { status: 503, title: 'Storage is full right now. What you have saved is safe. Try again later.' },
  shutting_down: { status: 503, title: 'The server is restarting. The text so far is saved. Try again in a moment.' },
  model_timeout: { status: 504, title: 'The answer took too long. The text so far is saved. Try again.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ErrorCode = keyof typeof PROBLEMS
