import { ANSWER, type Dialect, DONE, errorReply, line, raw } from './dialect.ts'
import type { Script } from './scripted-model.ts'

const refusal = (status: number, error: object, headers: Record<string, string> = {}): Script => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error }),
})
const AZURE_FILTER = {
  message:
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
  type: null,
  param: 'prompt',
  code: 'content_filter',
  status: 400,
  innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { violence: { filtered: true, severity: 'high' } } },
}
const GROQ_TOOL_USE = {
  message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  type: 'invalid_request_error',
  code: 'tool_use_failed',
  failed_generation: '<function=calculator{"expression":"6*7"}</function>',
}
const inStream = (error: object, ...before: string[]) => raw(...before, `data: ${JSON.stringify({ error })}\n\n`, DONE)

/** Errors that are repeated, or not, whether they come as a status or within an accepted stream. */
export const ERRORS: Record<string, Dialect> = {
  'a rate limit in the stream': {
    replies: [
      inStream({ code: 429, message: 'Provider returned error' }, ': OPENROUTER PROCESSING\n\n', line({ role: 'assistant', content: '' })),
    ],
    text: ANSWER,
    requests: 2,
  },
  'a rate limit in the stream, twice': {
    replies: [inStream({ code: 429, message: 'x' }), inStream({ code: '429', message: 'x' })],
    code: 'model_busy',
    requests: 2,
  },
  'a rate limit with the time in milliseconds': {
    replies: [{ status: 429, headers: { 'retry-after-ms': '1' } }],
    text: ANSWER,
    requests: 2,
  },
  'a rate limit until a date': {
    replies: [{ status: 429, headers: { 'retry-after': new Date(0).toUTCString() } }],
    text: ANSWER,
    requests: 2,
  },
  'an overloaded server': { replies: [refusal(529, { type: 'overloaded_error', message: 'Overloaded' })], text: ANSWER, requests: 2 },
  'an overloaded server in the stream': {
    replies: [inStream({ type: 'overloaded_error', message: 'Overloaded' })],
    text: ANSWER,
    requests: 2,
  },
  'an error of one provider in the choice, as OpenRouter sends it': {
    replies: [
      raw(
        `data: ${JSON.stringify({ choices: [{ delta: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'Disconnected' } }] })}\n\n`,
      ),
    ],
    text: ANSWER,
    requests: 2,
  },
  'an overloaded server after the first word': {
    replies: [inStream({ type: 'overloaded_error', message: 'Overloaded' }, line({ content: 'So' }))],
    text: 'So',
    code: 'model_failed',
    requests: 1,
  },
  'a refusal in the stream': {
    replies: [inStream({ code: 401, message: 'User not found.' })],
    code: 'model_unavailable',
    requests: 1,
  },
  "Azure's filter": { replies: [refusal(400, AZURE_FILTER)], code: 'prompt_blocked', requests: 1 },
  "Azure's filter in the stream": { replies: [inStream(AZURE_FILTER)], code: 'prompt_blocked', requests: 1 },
  "Azure's filter after the first word": {
    replies: [inStream(AZURE_FILTER, line({ content: 'So' }))],
    text: 'So',
    code: 'answer_blocked',
    requests: 1,
  },
  "DeepSeek's filter": {
    replies: [refusal(400, { message: 'Content Exists Risk', type: 'invalid_request_error', param: null, code: 'invalid_request_error' })],
    code: 'prompt_blocked',
  },
  "OpenRouter's moderation": {
    replies: [refusal(403, { code: 403, message: 'Input was flagged', metadata: { reasons: ['violence'], flagged_input: '…' } })],
    code: 'prompt_blocked',
  },
  'no money left at OpenAI': {
    replies: [
      refusal(429, {
        message: 'You exceeded your current quota, please check your plan.',
        type: 'insufficient_quota',
        code: 'insufficient_quota',
      }),
    ],
    code: 'model_unavailable',
    requests: 1,
  },
  'no money left at DeepSeek': {
    replies: [refusal(402, { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' })],
    code: 'model_unavailable',
    requests: 1,
  },
  "a limit per minute in Google's words": {
    replies: [
      refusal(429, { code: 429, message: 'You exceeded your current quota, please check your plan.', status: 'RESOURCE_EXHAUSTED' }),
    ],
    text: ANSWER,
    requests: 2,
  },
  'a call that Groq cannot read': { replies: [refusal(400, GROQ_TOOL_USE)], text: ANSWER, requests: 2 },
  'a call that Groq cannot read, in the stream': {
    replies: [raw(`event: error\ndata: ${JSON.stringify({ error: { ...GROQ_TOOL_USE, status_code: 400 } })}\n\n`, DONE)],
    text: ANSWER,
    requests: 2,
  },
  'calls that Groq cannot read, until there are no tools': {
    replies: [refusal(400, GROQ_TOOL_USE), refusal(400, GROQ_TOOL_USE)],
    text: ANSWER,
    sent: { tools: undefined, tool_choice: undefined },
    requests: 3,
  },
}

const tooLong = (error: unknown, status = 400): Dialect => ({ replies: [errorReply(error, status)], code: 'context_too_long', requests: 1 })

export const CONTEXTS: Record<string, Dialect> = {
  OpenAI: tooLong({ message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded', param: 'messages' }),
  'OpenAI, with its limit of output': tooLong({
    message:
      "This model's maximum context length is 8192 tokens. However, you requested 10240 tokens (8240 in the messages, 2000 in the completion).",
  }),
  Responses: tooLong({ message: 'Your input exceeds the context window of this model.', type: 'invalid_request_error' }),
  vLLM: tooLong({ message: 'The decoder prompt (length 9000) is longer than the maximum model length of 8192.' }),
  'vLLM, with max_tokens': tooLong({
    message:
      "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 8192 tokens and your request has 7000 input tokens",
  }),
  SGLang: tooLong({ message: "The input (9000 tokens) is longer than the model's context length (8192 tokens)." }),
  'llama.cpp': tooLong({
    message: 'the request exceeds the available context size, try increasing it',
    type: 'exceed_context_size_error',
    n_ctx: 4096,
  }),
  'LM Studio': tooLong(
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
  ),
  Ollama: tooLong('prompt too long; exceeded max context length by 500 tokens'),
  'Ollama, for its input': tooLong('the input length exceeds the context length'),
  Anthropic: tooLong({ type: 'invalid_request_error', message: 'prompt is too long: 215000 tokens > 200000 maximum' }),
  'Anthropic, with its limit of output': tooLong({ message: 'input length and `max_tokens` exceed context limit: 199000 + 2000 > 200000' }),
  Gemini: tooLong({
    code: 400,
    message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    status: 'INVALID_ARGUMENT',
  }),
  Mistral: tooLong({ message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length' }),
  Bedrock: tooLong({ message: 'Input is too long for requested model.' }),
  Cohere: tooLong({ message: 'too many tokens: total number of tokens in the prompt exceeds the limit of 4081' }),
  xAI: tooLong({ message: "This model's maximum prompt length is 131072 but the request contains 140000 tokens." }),
  Groq: tooLong({ message: 'Please reduce the length of the messages or completion.', code: 'context_length_exceeded' }),
  TGI: tooLong({ message: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097', type: 'validation' }, 422),
  'a proxy': tooLong('Payload Too Large', 413),
}
