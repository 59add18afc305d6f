/**
 * Every rejection and failure that a client can meet. `status` is the HTTP status;
 * codes with a status of 502 to 504 also end turns. Codes are stable: clients may depend on them.
 * The sentence says what happened, what was kept, and what to do next.
 */
export const PROBLEMS = {
  invalid_request: { status: 400, sentence: 'The request does not have the expected form. Nothing was stored.' },
  invalid_json: { status: 400, sentence: 'The request body is not valid JSON in UTF-8. Nothing was stored.' },
  invalid_id: { status: 400, sentence: 'The id in the address is not a valid id.' },
  sign_in_failed: { status: 400, sentence: 'The sign-in could not be completed, and nothing changed. Begin it again.' },
  prompt_empty: { status: 400, sentence: 'The prompt is empty. Write something and send it again.' },
  prompt_too_long: { status: 400, sentence: 'The prompt is longer than 32,000 characters. Shorten it and send it again.' },
  unauthorized: { status: 401, sentence: 'The credential is not known here. Leave it out to start anew.' },
  cross_origin: { status: 403, sentence: 'Requests from another site are not allowed. Nothing was stored.' },
  host_not_allowed: { status: 421, sentence: 'The server does not answer under this host name. Nothing was stored.' },
  not_found: { status: 404, sentence: 'There is nothing here for you under this address.' },
  method_not_allowed: { status: 405, sentence: 'This address does not take that method.' },
  transfer_code_unknown: {
    status: 404,
    sentence: 'This code does not open anything, or not any more. Nothing changed; make a new one on the other device.',
  },
  request_timeout: { status: 408, sentence: 'The request took too long to arrive. Send it again.' },
  session_busy: { status: 409, sentence: 'An answer is still being written in this chat. Wait for it, or stop it, then send again.' },
  not_retryable: { status: 409, sentence: 'Only the last prompt of a chat can be tried again, once its answer has ended.' },
  approval_gone: {
    status: 409,
    sentence: 'This cannot be allowed any more: it was decided already, is too old, or is not what was asked. Nothing was done; ask again.',
  },
  too_many_shares: { status: 409, sentence: 'You have as many links as there may be. Revoke one, then share again.' },
  device_in_use: {
    status: 409,
    sentence: 'This device has chats of its own. Nothing changed; export them first, or say that they may go.',
  },
  body_too_large: { status: 413, sentence: 'The request is too large. Nothing was stored.' },
  uri_too_long: { status: 414, sentence: 'The address is too long.' },
  idempotency_key_reused: {
    status: 422,
    sentence: 'This Idempotency-Key was used for another request. Use a new key. Nothing was stored.',
  },
  file_unreadable: {
    status: 422,
    sentence: 'Such a file cannot be read here. Pictures (PNG, JPEG, WebP, GIF), PDFs with text and text files can. Nothing was stored.',
  },
  file_unknown: { status: 422, sentence: 'A file of this prompt is not there any more. Nothing was sent; attach it again.' },
  files_not_taken: {
    status: 422,
    sentence: 'This assistant cannot read such a file. Nothing was sent; send your prompt without it.',
  },
  files_full: {
    status: 422,
    sentence: 'There is no room for more files of yours. Nothing was stored; delete a chat that has files, or send those that wait.',
  },
  prompt_blocked: { status: 422, sentence: 'This assistant may not answer that. Nothing was stored; you can ask something else.' },
  unsupported_media_type: { status: 415, sentence: 'Send the body as application/json in UTF-8, not compressed.' },
  consent_required: { status: 428, sentence: 'Accept the privacy notice first. Nothing was stored.' },
  proof_of_work_required: {
    status: 428,
    sentence: 'Solve the challenge that comes with this reply, and send the prompt again with the solution. Nothing was stored.',
  },
  too_many_requests: { status: 429, sentence: 'There were too many requests in a short time. Nothing is lost; try again in a moment.' },
  too_many_prompts: { status: 429, sentence: 'That were many prompts in a short time. Yours is kept here; send it again in a moment.' },
  daily_prompts_used: { status: 429, sentence: 'All prompts for today have been used. Yours is kept here; there are new ones tomorrow.' },
  daily_tokens_used: {
    status: 429,
    sentence: 'All that can be answered today has been used. Your prompt is kept here; there is more tomorrow.',
  },
  too_many_files: { status: 429, sentence: 'That were many files in a short time. Your prompt is kept here; attach more later.' },
  too_many_visitors: {
    status: 429,
    sentence: 'Many new visitors have come from your network. Your prompt is kept here; send it again later.',
  },
  too_many_turns: { status: 429, sentence: 'Other answers are still being written for you. Wait for one, or stop it, then send again.' },
  too_many_streams: { status: 429, sentence: 'This is open in too many places at once. Close one, then try again.' },
  too_many_tries: { status: 429, sentence: 'Too many wrong codes came from here. Nothing changed; try again in an hour.' },
  headers_too_large: { status: 431, sentence: 'The request headers are too large.' },
  internal: { status: 500, sentence: 'Something went wrong on our side. Your prompt is kept; try again.' },
  model_failed: { status: 502, sentence: 'The model sent an answer that could not be read. What was written so far is kept; try again.' },
  model_interrupted: { status: 502, sentence: 'The connection to the model broke off. What was written so far is kept; go on from there.' },
  answer_blocked: {
    status: 502,
    sentence: 'The rest of this answer may not be shown. What was written so far is kept; you can ask something else.',
  },
  answer_too_long: { status: 502, sentence: 'The answer grew too long and was cut. What was written so far is kept.' },
  reasoning_too_long: {
    status: 502,
    sentence: 'The model spent all its time thinking and wrote no answer. Your prompt is kept; ask something simpler, or try again.',
  },
  context_too_long: {
    status: 502,
    sentence: 'This is more than the model can read at once. Your prompt is kept; shorten it and send it again.',
  },
  model_loading: { status: 503, sentence: 'The model is still being fetched. Your prompt is kept here; send it again when it is there.' },
  model_unavailable: { status: 503, sentence: 'The model cannot be reached right now. Your prompt is kept; try again in a moment.' },
  model_busy: { status: 503, sentence: 'The model has too much to do right now. Your prompt is kept; try again in a minute.' },
  moderation_unavailable: {
    status: 503,
    sentence: 'What is written here is checked first, and that is not possible right now. Your prompt is kept; try again in a moment.',
  },
  server_busy: { status: 503, sentence: 'Too many answers are being written right now. Your prompt is kept; try again in a moment.' },
  data_busy: { status: 503, sentence: 'Another export or import is still running. Nothing was changed; try again in a moment.' },
  budget_exhausted: {
    status: 503,
    sentence: 'All that this assistant may spend for now has been spent. Your prompt is kept here; send it again later.',
  },
  storage_unavailable: {
    status: 503,
    sentence: 'The storage does not answer right now. What was stored before is kept; try again in a moment.',
  },
  sign_in_unavailable: {
    status: 503,
    sentence: 'The sign-in service cannot be reached right now. Nothing changed; try again in a moment.',
  },
  storage_full: {
    status: 503,
    sentence: 'There is no room to store anything new right now. What was stored before is kept; try again later.',
  },
  shutting_down: { status: 503, sentence: 'The server is restarting. What was written so far is kept; try again in a moment.' },
  model_timeout: { status: 504, sentence: 'The model took too long. What was written so far is kept; try again.' },
} as const satisfies Record<string, { status: number; sentence: string }>

/** Stable code of a rejection or failure. */
export type ErrorCode = keyof typeof PROBLEMS
