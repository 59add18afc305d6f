import type { ChatChunk, ChatMessage } from '../../contract/message.ts'
import { type AgentDefinition, BUILTIN } from './definition/agent-definition.ts'
import type { KnowledgeBase } from '../knowledge/knowledge-base.ts'
import { type Installation, placeholderValues } from './prompt/placeholder-values.ts'
import { connectModel, describeModel, type ModelDescription, type ModelSettings, takesToolPictures } from './model/connect-model.ts'
import { EndpointQuirks } from './model/endpoint-quirks.ts'
import type { NotReady } from '../local-runtime/model-supervisor.ts'
import type { LocalRuntime } from './model/local/local-runtime.ts'
import { DEFAULT_LIMITS, type ModelLimits } from './model/model-limits.ts'
import { moderatedAnswer, moderatedCompletion } from './moderation/moderated-answer.ts'
import type { Moderator } from './moderation/moderator.ts'
import type { MergePace } from './model/merge-pace.ts'
import { fillIn } from '../knowledge/ingestion/placeholders.ts'
import { type RunContext, runAgent } from './answer/run-agent.ts'
import { runWithFallback, type FallbackOptions } from './answer/fallback.ts'
import { SystemPrompt } from './prompt/system-prompt.ts'
import type { TokenCalibrations } from './tokens/token-calibration.ts'
import { lookUp } from './tools/search-cache.ts'
import type { SearchKnowledge } from './tools/search-knowledge.ts'
import { ToolBox } from './tools/tool-box.ts'
import { type AgentTools, createTools } from './tools/tools.ts'
import { definitionTokens, defaultConversationTokens } from './answer/turn-budget.ts'
import { completeInBackground, type CompleteInBackground } from './answer/background-completion.ts'
import type { ToolSet } from 'ai'

export { AgentFailure } from './answer/agent-failure.ts'
export type { ApprovalRequest, PendingToolCall, DecidedCall } from './answer/approval.ts'
export type { Installation } from './prompt/placeholder-values.ts'
export type { ModelSettings } from './model/connect-model.ts'
export type { ModelLimits } from './model/model-limits.ts'
export type { NotReady } from '../local-runtime/model-supervisor.ts'
export { PICTURE_TOKENS } from './tokens/estimate-messages.ts'
export { estimateTokens } from './tokens/estimate-tokens.ts'
export type { Tokens } from './tokens/token-meter.ts'
export { type SummaryTask, summaryTask } from './answer/summary.ts'
export { type Completion, type CompletionRequest, estimateCompletion, type CompleteInBackground } from './answer/background-completion.ts'
export type { ChatChunk, ChatMessage }

/** What agents are made with, beside their definitions. */
export interface AgentParts {
  model: ModelSettings
  /** What answers when the usual model may not; null for nothing. */
  fallbackModel: ModelSettings | null
  /** Whether a model is asked, after each answer, for prompts that could follow. */
  suggests: boolean
  /** What a local model runs in, where one is used. */
  local: Pick<LocalRuntime, 'answer' | 'notReady'> | null
  installation: Installation
  /** Those that are not the usual ones. */
  limits: Partial<ModelLimits>
  /** Of all agents together: the more answers at once, the longer their text is held. */
  pace: MergePace
  /** What endpoints were found not to take, of all agents together. */
  quirks?: EndpointQuirks
  /** Prompts to begin with out of these folders, as the knowledge is now. */
  startersOf: (folders: readonly string[]) => readonly string[]
  knowledge: Pick<KnowledgeBase, 'search' | 'neighbours' | 'overview'>
  /** By name, for the agents that name them. */
  webTools: ToolSet
  /** Tools of these APIs. */
  httpToolsOf: (apis: readonly string[]) => ToolSet
  /** Tools of these MCP servers, as they are now. */
  mcpToolsOf: (servers: readonly string[]) => ToolSet
  /** What each model counts for an estimated token. */
  calibrations: TokenCalibrations
  /** What checks every answer before it is shown; null for nothing. */
  moderator: Moderator | null
  now: () => Date
  /** Hears what the operator should know and the visitor should not. */
  onWarning: (message: string, cause?: unknown) => void
}

/** Which of an agent's models answers. */
export type ModelChoice = 'usual' | 'fallback'

/** `model` is the one that is to answer; `onUsage` is told which did. */
export type AnswerRequest = Omit<FallbackOptions, 'onWarning'> & { model?: ModelChoice }

export interface Agent {
  readonly id: string
  readonly name: string
  /** A `data:` URL. */
  readonly picture: string | null
  readonly greeting: string
  /** Prompts to begin with, at most 6: those of its file, or headings of its knowledge. */
  readonly starters: string[]
  readonly model: ModelDescription
  /** Its name, as price lists have it; `builtin` and `local` for the server's own. */
  readonly modelName: string
  /** The model that answers when the usual one may not; null for the built-in assistant, which always may. */
  readonly fallback: ModelDescription | null
  /** Why it could not answer a prompt now; null when it could. */
  readonly notReady: NotReady | null
  /**
   * Yields the answer's chunks without start, finish, error and abort: those belong to the turn.
   * When the usual model fails before its first word, the fallback answers, and a `message-metadata` chunk says so.
   * Ends quietly when `signal` aborts. Throws `AgentFailure` otherwise.
   */
  run(options: AnswerRequest): AsyncIterable<ChatChunk>
  /** How to have that model write something beside its answers; null for one inside the process. */
  backgroundCompletionOf(model: ModelChoice): CompleteInBackground | null
  /** What its model is sent of a conversation before the newest prompt, in tokens, at most. */
  readonly historyTokens: number
  /** What is wrong with it now, in words for the operator. */
  readonly problems: readonly string[]
  /** The system prompt of its next turn, word for word. */
  systemPrompt(): Promise<string>
}

/** The built-in assistant can answer and nothing else; a local model writes one text at a time, and somebody waits for it. */
const NO_BACKGROUND_COMPLETIONS = [BUILTIN, 'local']

/** Nobody pays for what the built-in assistant reads. Finite, so that differences of them are numbers. */
const FREE = {
  maxInputTokens: Number.MAX_SAFE_INTEGER,
  maxOutputTokens: Number.MAX_SAFE_INTEGER,
  maxHistoryTokens: Number.MAX_SAFE_INTEGER,
  windowTokens: Number.MAX_SAFE_INTEGER,
}

/** Makes the agent of a definition and connects its model. No request is made before the first answer. */
export async function createAgent(definition: AgentDefinition, picture: string | null, parts: AgentParts): Promise<Agent> {
  const { id, name } = definition
  const starters = () => (definition.starters.length > 0 ? definition.starters : [...parts.startersOf(definition.knowledge)])
  const { installation, pace, quirks = new EndpointQuirks(), now, onWarning } = parts
  const settings = modelSettingsOf(definition, parts.model)
  const limits = within(settings, limitsOf(definition, { ...DEFAULT_LIMITS, ...parts.limits }))
  const description = describeModel(settings)
  const values = placeholderValues(installation, description)
  const search: SearchKnowledge = async (input, context) => {
    const result = await lookUp(parts.knowledge, definition.knowledge, input, context)
    return result && { ...result, passages: result.passages.map((passage) => ({ ...passage, text: fillIn(passage.text, values) })) }
  }
  const own = chosenTools(createTools({ search, now, limits, onWarning }), definition)
  const httpTools = parts.httpToolsOf(definition.http)
  const webTools = namedTools(parts.webTools, definition)
  const toolBox = new ToolBox({
    agent: id,
    own,
    foreign: () => [parts.mcpToolsOf(definition.mcp), httpTools, webTools],
    maxTokens: definitionTokens(limits.maxInputTokens, limits.windowTokens),
    approvalRequired: () => approvalRequiredTools(definition, parts),
    limits,
    onWarning,
  })
  const instructions = fillIn(definition.instructions, values)
  const overview = async () => {
    const { topics, ...rest } = await parts.knowledge.overview(definition.knowledge)
    return { ...rest, topics: topics.map((topic) => fillIn(topic, values)) }
  }
  const prompt = new SystemPrompt({ instructions, overview, now })
  const contextOf = async (model: ModelSettings): Promise<RunContext> => ({
    model: await connectModel(model, {
      limits,
      pace,
      quirks,
      onWarning,
      local: parts.local,
      starters: () => parts.startersOf(definition.knowledge),
    }),
    toolBox,
    suggests: parts.suggests && !NO_BACKGROUND_COMPLETIONS.includes(model.kind),
    takesPictures: describeModel(model).takes === 'pictures',
    takesToolPictures: takesToolPictures(model),
    limits: model.kind === 'builtin' ? { ...limits, ...FREE } : within(model, limits),
    pace,
    prompt,
    thinking: model.kind === 'builtin' ? null : { opensThoughts: false },
    onWarning,
    calibration: parts.calibrations.of(nameOf(model)),
  })
  const usual = await contextOf(settings)
  const fallbackSettings = settings.kind === 'builtin' ? null : parts.fallbackModel
  const fallback = fallbackSettings && { ...describeModel(fallbackSettings), context: await contextOf(fallbackSettings) }
  const contextBy = (model: ModelChoice | undefined) => (model === 'fallback' && fallback ? fallback.context : usual)
  const answerOf = ({ model = 'usual', onUsage, ...run }: AnswerRequest) => {
    if (model === 'usual' && fallback) {
      const isFree = fallbackSettings?.kind === 'builtin'
      return runWithFallback(usual, { label: fallback.label, context: fallback.context, isFree }, { ...run, onUsage, onWarning })
    }
    return runAgent(contextBy(model), { ...run, onUsage: (used) => onUsage?.(used, model) })
  }
  return {
    id,
    name,
    picture,
    greeting: fillIn(definition.greeting, values),
    get starters() {
      return starters()
    },
    model: description,
    modelName: nameOf(settings),
    fallback: fallback && { label: fallback.label, provider: fallback.provider, takes: fallback.takes },
    get notReady() {
      return settings.kind === 'local' && !fallback ? (parts.local?.notReady ?? null) : null
    },
    run(request) {
      const answer = answerOf(request)
      return parts.moderator ? moderatedAnswer(answer, parts.moderator, request.signal) : answer
    },
    get historyTokens() {
      const { tools, tokens } = toolBox.forTurn(true)
      return Math.min(limits.maxHistoryTokens, defaultConversationTokens(limits, prompt.withTools(Object.keys(tools)).tokens + tokens))
    },
    get problems() {
      return toolBox.problems
    },
    async systemPrompt() {
      await prompt.ready()
      return prompt.withTools(Object.keys(toolBox.forTurn(true).tools)).text
    },
    backgroundCompletionOf: (choice) => {
      const { model } = contextBy(choice)
      return NO_BACKGROUND_COMPLETIONS.includes(model.provider)
        ? null
        : (request) => moderatedCompletion(parts.moderator, completeInBackground(model, request))
    },
  }
}

const nameOf = (settings: ModelSettings): string => ('model' in settings ? settings.model : settings.kind)

/** The names of the tools that the definition says ask first, as models call them. */
function approvalRequiredTools({ approval }: AgentDefinition, { mcpToolsOf, httpToolsOf }: AgentParts): string[] {
  if (approval.length === 0) return []
  return [...approval, ...Object.keys(mcpToolsOf(approval)), ...Object.keys(httpToolsOf(approval))]
}

/** Another model of the same provider, or the built-in one; of local ones there is one. */
function modelSettingsOf({ model, reasoningEffort }: AgentDefinition, settings: ModelSettings): ModelSettings {
  if (model === BUILTIN || settings.kind === 'builtin') return { kind: 'builtin' }
  if (settings.kind === 'local') return settings
  return { ...settings, ...(model !== null && { model }), ...(reasoningEffort !== null && { reasoningEffort }) }
}

function limitsOf({ limits }: AgentDefinition, usual: ModelLimits): ModelLimits {
  return {
    ...usual,
    maxSteps: limits.steps ?? usual.maxSteps,
    maxOutputTokens: limits.answerTokens ?? usual.maxOutputTokens,
    totalTimeoutMs: limits.answerSeconds === null ? usual.totalTimeoutMs : limits.answerSeconds * 1000,
  }
}

/** The limits within what a local model can hold; how much others can, the operator says. */
function within(settings: ModelSettings, limits: ModelLimits): ModelLimits {
  return settings.kind === 'local' ? { ...limits, windowTokens: Math.min(limits.windowTokens, settings.contextTokens) } : limits
}

/** Those alone that the definition names. */
function namedTools(tools: ToolSet, { tools: names }: AgentDefinition): ToolSet {
  return Object.fromEntries(Object.entries(tools).filter(([name]) => names?.includes(name)))
}

/** Those that the definition names; without knowledge there is nothing to search. */
function chosenTools(tools: AgentTools, { tools: names, knowledge }: AgentDefinition): AgentTools {
  const isChosen = (name: string) => (names?.includes(name) ?? true) && (name !== 'search_knowledge' || knowledge.length > 0)
  return Object.fromEntries(Object.entries(tools).filter(([name]) => isChosen(name))) as AgentTools
}
