/**
 * All names of spans and attributes, as OpenTelemetry's semantic conventions have them
 * (https://opentelemetry.io/docs/specs/semconv/, https://opentelemetry.io/docs/specs/semconv/gen-ai/). Those of our own begin with `parley`.
 * None carries content, an address, or an id of a visitor, a chat or a turn.
 */
export const OPERATIONS = {
  chat: 'chat',
  invokeAgent: 'invoke_agent',
  executeTool: 'execute_tool',
  retrieval: 'retrieval',
} as const

/** A span's name, for which the conventions have no operation. */
export const ADMISSION_SPAN = 'parley.admit'

export const ATTRIBUTES = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  /** A pseudonym that only this process knows: it groups the turns of a chat, and leads to no chat. */
  conversation: 'gen_ai.conversation.id',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  errorType: 'error.type',
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  scheme: 'url.scheme',
  databaseSystem: 'db.system.name',
  databaseOperation: 'db.operation.name',
  databaseTable: 'db.collection.name',
  databaseSummary: 'db.query.summary',
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  serviceInstance: 'service.instance.id',
  /** As in `x-request-id` and in log lines. */
  operationId: 'parley.operation.id',
  turnStatus: 'parley.turn.status',
  answerState: 'parley.answer.state',
  passages: 'parley.retrieval.passages',
  outcome: 'parley.outcome',
} as const

/** Providers by the kind of their settings; others are OpenAI-compatible, and named by the host. */
export const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  builtin: 'parley.builtin',
  local: 'parley.local',
}
