import type { ProviderError } from './provider-error.ts'

/** Why a provider rejected a request, if the server can react to it. */
export type ErrorReason =
  /** `name`: a field of the request's body that the model rejects. */
  | { kind: 'parameter'; name: string }
  | { kind: 'tools' }
  /** The model's template doesn't support system messages. */
  | { kind: 'system-message' }
  /** Only OpenAI's Responses API serves the model. */
  | { kind: 'responses-only' }
  | { kind: 'context' }
  /** The provider's filter took the prompt for harmful. */
  | { kind: 'content-filter' }
  /** The account has no money left; a rate limit is not meant. */
  | { kind: 'quota' }
  /** The model wrote a call that its server couldn't read. */
  | { kind: 'tool-use-failed' }
  /** The model's template wants the roles in another order. */
  | { kind: 'alternating-roles' }
  /** The model's template has no place for tool calls and their results. */
  | { kind: 'tool-messages' }
  | { kind: 'other' }

const CONTEXT_CODES = ['context_length_exceeded', 'exceed_context_size_error', 'string_above_max_length', 'request_too_large']
const PAYLOAD_TOO_LARGE = 413

// OpenAI, Azure, vLLM, SGLang, llama.cpp, LM Studio, Ollama, Anthropic, Gemini, Mistral, Bedrock, Cohere, xAI, TGI, DashScope, Kimi, MiniMax.
const CONTEXT =
  /(?:maximum|model'?s?|available|max|the|exceeds?(?: the)?) (?:allowed )?(?:context|prompt) (?:length|window|size)|context (?:length|limit|window|size)s? (?:is|of|exceed)|exceed\w* (?:the )?(?:\w+ ){0,3}context|(?:prompt|input|messages?|request)(?: length)?(?: is| are|:)? too (?:long|large)|input token count|too many (?:input )?tokens|larger than the maximum context|longer than the (?:maximum )?model|exceeded model token limit|reduce the length of the (?:messages|prompt)|max_new_tokens.{0,20}must be <=|range of input length|tokens to keep from the initial prompt/i

// Azure, OpenAI, OpenRouter, DeepSeek, DashScope, Zhipu.
const FILTER_CODES = [
  'content_filter',
  'ResponsibleAIPolicyViolation',
  'content_policy_violation',
  'invalid_prompt',
  'data_inspection_failed',
  'DataInspectionFailed',
  '1301',
]
const FILTERED =
  /content management policy|content[ _-]filter|(?:input|prompt|request|content) (?:was|has been|is) (?:flagged|filtered|blocked)|violat\w+ (?:\w+ ){0,2}(?:usage|content|safety) polic|content exists risk|inappropriate content/i

// OpenAI, Kimi, DeepSeek, Anthropic, DashScope. Google says "exceeded your current quota" of limits per minute too.
const QUOTA_CODES = ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'exceeded_current_quota_error', 'Arrearage']
const NO_MONEY = /insufficient (?:account )?(?:balance|credits?|funds)|credit balance is too low|(?:more|out of) credits/i
const PAYMENT_REQUIRED = 402

// Groq, llama.cpp, Ollama.
const TOOL_USE_FAILED = /tool_use_failed|output_parse_failed|failed to call a function|(?:failed to parse|error parsing) tool call/i

const ALTERNATING_ROLES = /roles? must alternate|alternate between|unexpected role/i
const NO_TOOL_MESSAGES =
  /only [\w, ]{0,40}roles are supported|(?:role\W{0,4}tool|tool\W{0,2} role|tool messages?)\W{0,3} (?:is |are )?(?:not|un)|(?:unexpected|unknown|invalid|unsupported)(?: message)? role:?\W{0,3}tool/i

const RESPONSES_ONLY = /v1\/responses/i

const NO_TOOLS =
  /(?:does not|doesn['’]t|do not|don['’]t|not) (?:currently )?support(?:ed)?\b[^.]{0,60}\b(?:tools?|function)\b|\b(?:tools?|function)(?: use| call(?:s|ing)?)?['"`\]]*(?: param)?(?: \w+){0,4} (?:not|unsupported|requires?)\b|no endpoints found that support tool|tool choice requires|unsupported param(?:eter)?s?:? \W*tools?\b/i
const NO_SYSTEM_MESSAGE =
  /(?:system role|system messages?|system instructions?|developer instructions?) (?:is |are )?not (?:supported|enabled|allowed)/i

/** Wording of a rejection, as opposed to a mention. */
const REJECTION =
  /unsupported|not (?:be )?support|n['’]t support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|not available|not enabled|extra inputs?|extra_forbidden|additional propert|invalid|deprecated|incompatible|cannot|can['’]t|instead|not recogni[sz]ed|no longer|only the default|must be/i

/** Fields that can be omitted or renamed. All others are essential. */
const OPTIONAL = (
  'max_tokens max_completion_tokens max_output_tokens temperature top_p frequency_penalty presence_penalty stop seed stream_options tool_choice ' +
  'parallel_tool_calls reasoning_effort reasoning include store thinking output_config thinkingConfig strict reasoning_content extra_content'
).split(' ')
const NESTED = ['strict', 'reasoning_content', 'extra_content', 'thinkingConfig']

/** Reads the reason from an error. @param body The request as JSON. */
export function errorReason(status: number, error: ProviderError, body: string | undefined): ErrorReason {
  const { type, code, param, message } = error
  const text = `${message} ${type ?? ''} ${code ?? ''}`
  if ([type, code].some((name) => name !== undefined && CONTEXT_CODES.includes(name))) return { kind: 'context' }
  const special = specialReason(status, error, text)
  if (special) return special
  if (RESPONSES_ONLY.test(message)) return { kind: 'responses-only' }
  const named = OPTIONAL.find((name) => param !== undefined && isField(param, name) && isIn(name, body))
  if (named) return { kind: 'parameter', name: named }
  if (status === PAYLOAD_TOO_LARGE || CONTEXT.test(message)) return { kind: 'context' }
  const mentioned = REJECTION.test(text) ? OPTIONAL.find((name) => mentions(message, name) && isIn(name, body)) : undefined
  if (mentioned) return { kind: 'parameter', name: mentioned }
  if (NO_SYSTEM_MESSAGE.test(message)) return { kind: 'system-message' }
  if (isIn('tools', body) && (param === 'tools' || NO_TOOLS.test(message))) return { kind: 'tools' }
  return { kind: 'other' }
}

function specialReason(status: number, { type, code, message }: ProviderError, text: string): ErrorReason | null {
  const isNamed = (names: readonly string[]) => [type, code].some((name) => name !== undefined && names.includes(name))
  if (isNamed(QUOTA_CODES) || status === PAYMENT_REQUIRED || NO_MONEY.test(message)) return { kind: 'quota' }
  if (TOOL_USE_FAILED.test(text)) return { kind: 'tool-use-failed' }
  if (status < 500 && (isNamed(FILTER_CODES) || FILTERED.test(message))) return { kind: 'content-filter' }
  if (NO_TOOL_MESSAGES.test(message)) return { kind: 'tool-messages' }
  return ALTERNATING_ROLES.test(message) ? { kind: 'alternating-roles' } : null
}

/** `messages.2.reasoning_content` and `tools[0].function.strict` name their last field. */
function isField(param: string, name: string): boolean {
  return param === name || (NESTED.includes(name) ? param.endsWith(`.${name}`) : param.startsWith(`${name}.`))
}

function isIn(name: string, body: string | undefined): boolean {
  return body?.includes(`"${name}":`) === true
}

/** Ordinary words such as "stop", "include" and "store" count only in quotation marks. */
function mentions(message: string, name: string): boolean {
  const isOrdinary = /^[a-z]+$/.test(name) && name !== 'temperature'
  return (isOrdinary ? new RegExp(`['"\`‘“\\[.]${name}['"\`’”\\]:]`) : new RegExp(`(?<![\\w])${name}(?![\\w])`)).test(message)
}
