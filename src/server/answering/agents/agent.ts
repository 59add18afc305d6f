import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import type { VisitorChoice } from '../../../contract/chat/answer-preferences.ts'
import type { ChatChunk, ChatMessage } from '../../../contract/chat/message.ts'
import { DEFAULT_PERSONAL_DATA_RULES, type PersonalDataRules } from '../../../personal-data/kinds.ts'
import { completeRules } from '../../../personal-data/rules.ts'
import { type AgentDefinition, BUILTIN } from './definition/agent-definition.ts'
import { textsIn } from './definition/localized-texts.ts'
import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import type { ApprovedAnswers } from '../../replies/approved/approved-answers.ts'
import { AgentPolicy } from '../../replies/agent-policy.ts'
import type { KnowledgeOverview } from '../../knowledge/retrieval/overview.ts'
import { type Installation, placeholderValues } from '../prompt/placeholder-values.ts'
import { connectModel, describeModel, type ModelDescription, acceptsToolImages } from '../../models/connect-model.ts'
import type { ModelSettings } from '../../models/model-settings.ts'
import { EndpointQuirks } from '../../models/requests/endpoint-quirks.ts'
import type { NotReady } from '../../local-runtime/model-supervisor.ts'
import type { LocalRuntime } from '../../models/local/local-runtime.ts'
import { DEFAULT_LIMITS, type ModelLimits } from '../../models/model-limits.ts'
import { moderatedCompletion } from '../../safety/moderation/moderated-answer.ts'
import type { Moderator } from '../../safety/moderation/moderator.ts'
import type { MergePace } from '../../models/streams/merge-pace.ts'
import { fillIn } from '../../knowledge/ingestion/placeholders.ts'
import type { RunContext } from '../run-agent.ts'
import { type AnswerRequest, connectModels, type ModelChoice, type NamedModel, nameOf } from './agent-models.ts'
import { confidentialTexts } from '../prompt/prompt-parts.ts'
import type { ConfidentialTexts } from '../prompt/unquoted-answer.ts'
import { PromptQuotes } from '../../safety/prompt-quotes.ts'
import { SystemPrompt } from '../prompt/system-prompt.ts'
import type { TokenCalibrations } from '../../models/tokens/token-calibration.ts'
import { promptLanguage } from '../../replies/prompt-language.ts'
import { lookUp } from '../tools/search-cache.ts'
import type { SearchKnowledge } from '../tools/search-knowledge.ts'
import { ToolBox } from '../tools/tool-box.ts'
import { type AgentTools, createTools } from '../tools/tools.ts'
import { definitionTokens, defaultConversationTokens } from '../history/turn-budget.ts'
import { completeInBackground } from '../background-completion.ts'
import type { CompleteInBackground } from '../../models/completion.ts'
import type { ToolSet } from 'ai'

export type { AnswerRequest, ModelChoice } from './agent-models.ts'
export { AgentFailure } from '../../models/agent-failure.ts'
export type { ApprovalRequest, PendingToolCall, DecidedCall } from '../approval.ts'
export type { Installation } from '../prompt/placeholder-values.ts'
export type { ModelSettings } from '../../models/model-settings.ts'
export type { ModelLimits } from '../../models/model-limits.ts'
export type { NotReady } from '../../local-runtime/model-supervisor.ts'
export { IMAGE_TOKENS } from '../../models/tokens/estimate-messages.ts'
export { estimateTokens } from '../../models/tokens/estimate-tokens.ts'
export type { Tokens } from '../../models/tokens/token-meter.ts'
export { type SummaryTask, summaryTask } from '../history/summary.ts'
export { estimateCompletion } from '../background-completion.ts'
export type { Completion, CompletionRequest, CompleteInBackground } from '../../models/completion.ts'
export type { ChatChunk, ChatMessage }

/** Dependencies and settings that all agents share. */
export interface AgentParts {
  model: ModelSettings
  /** Answers when the primary model can't; `null` for none. */
  fallbackModel: ModelSettings | null
  /** Whether the model suggests follow-up prompts after each answer. */
  suggests: boolean
  /** Runs the local model; `null` if none is configured. */
  local: Pick<LocalRuntime, 'answer' | 'notReady'> | null
  installation: Installation
  /** For agents whose files have none. */
  personalData?: PersonalDataRules
  /** Overrides of the default limits. */
  limits: Partial<ModelLimits>
  /** Shared by all agents: with more answers at once, text is buffered longer. */
  pace: MergePace
  /** Shared by all agents: request fields that endpoints reject. */
  quirks?: EndpointQuirks
  /** For agents whose knowledge includes their folder. */
  approved?: ApprovedAnswers
  /** Current starter prompts of these knowledge folders. */
  startersOf: (folders: readonly string[]) => readonly string[]
  knowledge: Pick<KnowledgeBase, 'search' | 'neighbours' | 'overview'>
  /** By name; an agent gets those that its file names. */
  webTools: ToolSet
  /** Tools of the named APIs. */
  httpToolsOf: (apis: readonly string[]) => ToolSet
  /** Current tools of the named MCP servers. */
  mcpToolsOf: (servers: readonly string[]) => ToolSet
  /** Ratio of counted to estimated tokens by model. */
  calibrations: TokenCalibrations
  /** Checks every answer before it is shown; `null` for none. */
  moderator: Moderator | null
  now: () => Date
  /** Called with messages for the operator's log. */
  onWarning: (message: string, cause?: unknown) => void
}

export interface Agent {
  readonly id: string
  readonly name: string
  /** A `data:` URL. */
  readonly picture: string | null
  readonly greeting: string
  /** Starter prompts, at most 6: from the agent's file, or from headings of its knowledge. */
  readonly starters: string[]
  /** Name, greeting and starters in a language (a primary tag of BCP 47), as far as the agent's file has them. */
  textsIn(language: string | undefined): Pick<Agent, 'name' | 'greeting' | 'starters'>
  readonly policy: AgentPolicy
  readonly personalData: PersonalDataRules
  /** Choices that visitors have about answers. */
  readonly choices: readonly VisitorChoice[]
  readonly model: ModelDescription
  /** The model that answers, or the primary one if there is no such model. */
  modelOf(choice: ModelChoice): NamedModel
  /** Why the agent can't answer now; `null` if it can. */
  readonly notReady: NotReady | null
  /**
   * Yields the answer's chunks except start, finish, error and abort, which belong to the turn. If the primary model fails before its
   * first visible output, the fallback answers, announced by a `message-metadata` chunk. Ends without an error when `signal` aborts.
   * Throws `AgentFailure` otherwise.
   */
  run(options: AnswerRequest): AsyncIterable<ChatChunk>
  /** Runs completions outside of answers on that model; `null` for a model that can't. */
  backgroundCompletionOf(model: ModelChoice): CompleteInBackground | null
  /** Most tokens of history, before the newest prompt, that the model reads. */
  readonly historyTokens: number
  /** Current problems, for the operator. */
  readonly problems: readonly string[]
  /** System prompt of the next turn. */
  systemPrompt(): Promise<string>
  /** Texts that current answers are made from, stored to explain them later; `knowledge` is `null` before it is loaded. */
  readonly versions: { agent: string; policy: string; knowledge: string | null }
}

/** The built-in assistant can't complete texts, and a local model serves one request at a time. */
const NO_BACKGROUND_COMPLETIONS = [BUILTIN, 'local']

/** No limits for the built-in assistant. Finite, so that differences stay numbers. */
const FREE = {
  maxInputTokens: Number.MAX_SAFE_INTEGER,
  maxOutputTokens: Number.MAX_SAFE_INTEGER,
  maxHistoryTokens: Number.MAX_SAFE_INTEGER,
  windowTokens: Number.MAX_SAFE_INTEGER,
}

/** Creates an agent from its definition. Makes no request before the first answer. */
export async function createAgent(definition: AgentDefinition, picture: string | null, parts: AgentParts): Promise<Agent> {
  const { id, name } = definition
  const starters = () => (definition.starters.length > 0 ? definition.starters : [...parts.startersOf(definition.knowledge)])
  const { installation, pace, quirks = new EndpointQuirks(), now, onWarning } = parts
  const settings = modelSettingsOf(definition, parts.model)
  const limits = within(settings, limitsOf(definition, { ...DEFAULT_LIMITS, ...parts.limits }))
  const thorough = thoroughSettingsOf(definition, settings)
  const description = describeModel(settings)
  const values = placeholderValues(installation, withThorough(description, thorough))
  const search: SearchKnowledge = async (input, context) => {
    const result = await lookUp(parts.knowledge, definition.knowledge, input, context)
    return result && { ...result, passages: result.passages.map((passage) => ({ ...passage, text: fillIn(passage.text, values) })) }
  }
  const own = chosenTools(createTools({ search, limits, onWarning }), definition)
  const toolBox = toolBoxOf(definition, own, parts, limits)
  const instructions = fillIn(definition.instructions, values)
  const overview = () => filledOverview(parts.knowledge, definition.knowledge, values)
  const prompt = new SystemPrompt({ instructions, policy: definition.policy, overview, now })
  const { greeting, languages } = filledTexts(definition, values)
  const confidential = confidentialTextsOf(definition, instructions, [
    greeting,
    ...Object.values(languages).flatMap((texts) => texts.greeting ?? []),
  ])
  const contextOf = async (model: ModelSettings): Promise<RunContext> => ({
    model: await connectModel(model, {
      limits,
      quirks,
      onWarning,
      local: parts.local,
      surroundings: () => ({
        starters: parts.startersOf(definition.knowledge),
        ownStarters: [definition, ...Object.values(languages)].flatMap((texts) => texts.starters ?? []),
        languageOf: promptLanguage,
      }),
    }),
    toolBox,
    unsupported: definition.policy.strictness === 'quote' ? definition.policy.unsupported : null,
    confidential: model.kind === 'builtin' ? null : confidential,
    moderator: parts.moderator,
    toolsOnRequest: definition.choices.includes('web_search') ? Object.keys(parts.webTools) : [],
    suggests: parts.suggests && !NO_BACKGROUND_COMPLETIONS.includes(model.kind),
    acceptsImages: describeModel(model).acceptedFiles === 'images',
    acceptsToolImages: acceptsToolImages(model),
    limits: model.kind === 'builtin' ? { ...limits, ...FREE } : within(model, limits),
    pace,
    prompt,
    thinking: model.kind === 'builtin' ? null : { opensThoughts: false },
    onWarning,
    calibration: parts.calibrations.of(nameOf(model)),
  })
  const fallback = settings.kind === 'builtin' ? null : parts.fallbackModel
  const models = await connectModels({ primary: settings, thorough, fallback }, contextOf, onWarning)
  return {
    id,
    name,
    picture,
    greeting,
    get starters() {
      return starters()
    },
    textsIn: (language) => textsIn(languages, language, { name, greeting, starters: starters() }),
    policy: new AgentPolicy(definition.policy, installation.contact, givesApprovedAnswers(definition) ? parts.approved : null),
    personalData: completeRules(definition.personalData ?? {}, parts.personalData ?? DEFAULT_PERSONAL_DATA_RULES),
    choices: settings.kind === 'builtin' ? [] : definition.choices,
    model: description,
    modelOf: models.describe,
    get notReady() {
      return settings.kind === 'local' && !models.hasFallback ? (parts.local?.notReady ?? null) : null
    },
    run: models.run,
    get historyTokens() {
      const { tools, tokens } = toolBox.forTurn(true)
      return Math.min(limits.maxHistoryTokens, defaultConversationTokens(limits, prompt.withTools(Object.keys(tools)).tokens + tokens))
    },
    get problems() {
      return toolBox.problems
    },
    get versions() {
      return { ...definitionTexts(definition), knowledge: prompt.knowledgeFiles }
    },
    async systemPrompt() {
      await prompt.ready()
      return prompt.withTools(Object.keys(toolBox.forTurn(true).tools)).text
    },
    backgroundCompletionOf: (choice) => {
      const { model } = models.contextOf(choice)
      return NO_BACKGROUND_COMPLETIONS.includes(model.provider)
        ? null
        : (request) => moderatedCompletion(request.isShown === false ? null : parts.moderator, completeInBackground(model, request))
    },
  }
}

/** Whether an agent gives the approved answers. */
export function givesApprovedAnswers({ knowledge }: Pick<AgentDefinition, 'knowledge'>): boolean {
  return knowledge.includes('.') || knowledge.includes(APPROVED_FOLDER)
}

/** The texts of the system prompt that answers may not quote; read with the first answer. */
function confidentialTextsOf({ policy }: AgentDefinition, instructions: string, greetings: string[]): ConfidentialTexts {
  let quotes: PromptQuotes | undefined
  return {
    get quotes() {
      return (quotes ??= new PromptQuotes(confidentialTexts({ instructions, policy })))
    },
    publicTexts: [...greetings, policy.purpose ?? ''],
  }
}

function toolBoxOf(definition: AgentDefinition, own: AgentTools, parts: AgentParts, limits: ModelLimits): ToolBox {
  const httpTools = parts.httpToolsOf(definition.http)
  const webTools = namedTools(parts.webTools, definition)
  return new ToolBox({
    agent: definition.id,
    own,
    foreign: () => [parts.mcpToolsOf(definition.mcp), httpTools, webTools],
    maxTokens: definitionTokens(limits.maxInputTokens, limits.windowTokens),
    approvalRequired: () => approvalRequiredTools(definition, parts),
    limits,
    onWarning: parts.onWarning,
  })
}

const serialized = new WeakMap<AgentDefinition, { agent: string; policy: string }>()

/** The agent and its policy as JSON, made once for each definition. */
function definitionTexts(definition: AgentDefinition): { agent: string; policy: string } {
  const known = serialized.get(definition)
  if (known) return known
  const { policy, ...agent } = definition
  const made = { agent: JSON.stringify(agent), policy: JSON.stringify(policy) }
  serialized.set(definition, made)
  return made
}

/** Overview of the folders, with placeholders in titles filled in. */
async function filledOverview(
  knowledge: Pick<KnowledgeBase, 'overview'>,
  folders: readonly string[],
  values: Readonly<Record<string, string>>,
): Promise<KnowledgeOverview> {
  const { topics, ...rest } = await knowledge.overview(folders)
  return { ...rest, topics: topics.map((topic) => fillIn(topic, values)) }
}

/** Fills the placeholders of every greeting. */
function filledTexts(
  { greeting, languages }: AgentDefinition,
  values: Readonly<Record<string, string>>,
): Pick<AgentDefinition, 'greeting' | 'languages'> {
  const entries = Object.entries(languages).map(([language, texts]) => {
    return [language, texts.greeting === undefined ? texts : { ...texts, greeting: fillIn(texts.greeting, values) }] as const
  })
  return { greeting: fillIn(greeting, values), languages: Object.fromEntries(entries) }
}

/** Names, as models call them, of the tools whose calls need approval. */
function approvalRequiredTools({ approval }: AgentDefinition, { mcpToolsOf, httpToolsOf }: AgentParts): string[] {
  if (approval.length === 0) return []
  return [...approval, ...Object.keys(mcpToolsOf(approval)), ...Object.keys(httpToolsOf(approval))]
}

/** Settings of the agent's own model, the fast one of two: another one of the same provider, or the built-in one. There is only one local model. */
function modelSettingsOf(definition: AgentDefinition, settings: ModelSettings): ModelSettings {
  const { models, reasoningEffort } = definition
  const model = models?.fast ?? definition.model
  if (model === BUILTIN || settings.kind === 'builtin') return { kind: 'builtin' }
  if (settings.kind === 'local') return settings
  return { ...settings, ...(model !== null && { model }), ...(reasoningEffort !== null && { reasoningEffort }) }
}

/** Settings of the thorough model; `null` unless visitors may choose it. */
function thoroughSettingsOf({ models, choices }: AgentDefinition, fast: ModelSettings): ModelSettings | null {
  if (!models || !choices.includes('thorough') || fast.kind === 'builtin' || fast.kind === 'local') return null
  return { ...fast, model: models.thorough }
}

/** The description of both models that visitors choose from, for sentences about them. */
function withThorough(fast: ModelDescription, thorough: ModelSettings | null): ModelDescription {
  return thorough ? { ...fast, label: `${fast.label} (for thorough answers ${describeModel(thorough).label})` } : fast
}

function limitsOf({ limits }: AgentDefinition, defaults: ModelLimits): ModelLimits {
  return {
    ...defaults,
    maxSteps: limits.steps ?? defaults.maxSteps,
    maxOutputTokens: limits.answerTokens ?? defaults.maxOutputTokens,
    totalTimeoutMs: limits.answerSeconds === null ? defaults.totalTimeoutMs : limits.answerSeconds * 1000,
  }
}

/** Caps the limits at a local model's context. Other windows are configured. */
function within(settings: ModelSettings, limits: ModelLimits): ModelLimits {
  return settings.kind === 'local' ? { ...limits, windowTokens: Math.min(limits.windowTokens, settings.contextTokens) } : limits
}

function namedTools(tools: ToolSet, { tools: names }: AgentDefinition): ToolSet {
  return Object.fromEntries(Object.entries(tools).filter(([name]) => names?.includes(name)))
}

/** The tools that the definition names, or all. Search needs knowledge. */
function chosenTools(tools: AgentTools, { tools: names, knowledge }: AgentDefinition): AgentTools {
  const isChosen = (name: string) => (names?.includes(name) ?? true) && (name !== 'search_knowledge' || knowledge.length > 0)
  return Object.fromEntries(Object.entries(tools).filter(([name]) => isChosen(name))) as AgentTools
}
