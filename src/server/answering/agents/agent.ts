import { APPROVED_FOLDER } from '../../../contract/chat/approved-folder.ts'
import type { VisitorChoice } from '../../../contract/config.ts'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import { DEFAULT_PERSONAL_DATA_RULES, type PersonalDataRules } from '../../../personal-data/kinds.ts'
import { completeRules } from '../../../personal-data/rules.ts'
import { type AgentDefinition, BUILTIN } from './definition/agent-definition.ts'
import { textsIn } from './definition/localized-texts.ts'
import type { KnowledgeBase } from '../../knowledge/knowledge-base.ts'
import type { ApprovedAnswers } from '../../replies/approved/approved-answers.ts'
import { AgentPolicy } from '../../replies/agent-policy.ts'
import { type Installation, placeholderValues } from '../prompt/placeholder-values.ts'
import { connectModel, describeModel, type ModelDescription, acceptsToolImages } from '../../models/connect-model.ts'
import type { ModelSettings } from '../../models/model-settings.ts'
import { EndpointQuirks } from '../../models/requests/endpoint-quirks.ts'
import type { NotReady } from '../../local-runtime/model-supervisor.ts'
import type { LocalRuntime } from '../../models/local/local-runtime.ts'
import { isSmallModel, SMALL_LIMITS, SMALL_PASSAGES, timeLimitsOf } from '../../models/model-traits.ts'
import { DEFAULT_LIMITS, type ModelLimits } from '../../models/model-limits.ts'
import type { Moderator } from '../../safety/moderation/moderator.ts'
import { fillIn } from '../../knowledge/ingestion/placeholders.ts'
import type { RunContext } from '../run-agent.ts'
import { type AnswerRequest, connectModels, type ModelChoice, type NamedModel, nameOf } from './agent-models.ts'
import { confidentialTexts, systemPrompt } from '../prompt/prompt-parts.ts'
import type { ConfidentialTexts } from '../prompt/unquoted-answer.ts'
import { PromptQuotes } from '../../safety/prompt-quotes.ts'
import type { TokenCalibrations } from '../../models/tokens/token-calibration.ts'
import { type FindPassages, findPassages, shortPassages } from '../passages/find-passages.ts'
import { languageOf } from '../../language.ts'
import { documentReader, type ReadDocument } from '../passages/document-around.ts'
import { lookUp } from '../tools/look-up.ts'
import type { SearchKnowledge } from '../tools/search-knowledge.ts'
import { ToolBox } from '../tools/tool-box.ts'
import { type AgentTools, createTools, TOOL_NAMES, WEB_TOOLS } from '../tools/tools.ts'
import { definitionTokens, defaultConversationTokens } from '../history/turn-budget.ts'
import { complete, type Complete } from '../completion.ts'
import type { ToolSet } from 'ai'

export type { AnswerRequest, ModelChoice } from './agent-models.ts'
export { AgentFailure } from '../../models/agent-failure.ts'
export type { ApprovalRequest, PendingToolCall, DecidedCall } from '../approval.ts'
export type { ModelSettings } from '../../models/model-settings.ts'
export type { ModelLimits } from '../../models/model-limits.ts'
export { IMAGE_TOKENS } from '../../models/tokens/estimate-messages.ts'
export { estimateTokens } from '../../models/tokens/estimate-tokens.ts'
export type { Tokens } from '../../models/tokens/token-meter.ts'
export { type Complete, type Completion, type CompletionRequest, estimateCompletion } from '../completion.ts'

/** Dependencies and settings that all agents share. */
export interface AgentParts {
  model: ModelSettings
  /** Answers when the primary model can't; `null` for none. */
  fallbackModel: ModelSettings | null
  /** Runs the local model; `null` if none is configured. */
  local: Pick<LocalRuntime, 'answer' | 'notReady'> | null
  installation: Installation
  /** For agents whose files have none. */
  personalData?: PersonalDataRules
  limits: Partial<ModelLimits>
  /** Shared by all agents: request fields that endpoints reject. */
  quirks?: EndpointQuirks
  /** For agents whose knowledge includes their folder. */
  approved?: ApprovedAnswers
  startersOf: (folders: readonly string[]) => readonly string[]
  knowledge: Pick<KnowledgeBase, 'search' | 'neighbours' | 'version'>
  httpToolsOf: (apis: readonly string[]) => ToolSet
  mcpToolsOf: (servers: readonly string[]) => ToolSet
  /** Ratio of counted to estimated tokens by model. */
  calibrations: TokenCalibrations
  moderator: Moderator | null
  now: () => Date
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
  completionOf(model: ModelChoice): Complete | null
  /** Finds the passages that a model would be given for this prompt, best first; none without knowledge. */
  findPassages: FindPassages
  readDocument: ReadDocument
  /** Most tokens of history, before the newest prompt, that the model reads. */
  readonly historyTokens: number
  readonly problems: readonly string[]
  systemPrompt(): string
  /** Texts that current answers are made from, stored to explain them later; `knowledge` is `null` before it is loaded. */
  readonly versions: { agent: string; policy: string; knowledge: string | null }
}

/** The built-in assistant can't complete texts, and a local model serves one request at a time. */
const NO_COMPLETIONS = [BUILTIN, 'local']

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
  const { installation, quirks = new EndpointQuirks(), now, onWarning } = parts
  const settings = modelSettingsOf(definition, parts.model)
  const limitsOf = (model: ModelSettings) => modelLimits(model, definition, parts.limits)
  const limits = limitsOf(settings)
  const description = describeModel(settings)
  const values = placeholderValues(installation, description)
  const search: SearchKnowledge = async (input, context) => {
    const result = await lookUp(parts.knowledge, definition.knowledge, input, context)
    return result && { ...result, passages: filledPassages(result.passages, values) }
  }
  const find: FindPassages = async (request) => filledPassages(await findPassages(parts.knowledge, definition.knowledge, request), values)
  const findShort: FindPassages = async (request) => shortPassages(await find(request), request, SMALL_PASSAGES)
  const ownTools = createTools({ search, limits, onWarning })
  const toolBox = toolBoxOf(definition, chosenTools(ownTools, definition), parts, limits)
  const builtinToolBox = toolBoxOf(definition, chosenTools(ownTools, { ...definition, tools: TOOL_NAMES }), parts, limits)
  const instructions = fillIn(definition.instructions, values)
  const hasKnowledge = definition.knowledge.length > 0
  const { policy } = definition
  const promptFor = (model: ModelSettings) => systemPrompt({ instructions, policy, hasKnowledge, isSmall: isSmallModel(model), now })
  const prompt = promptFor(settings)
  const versions = versionsOf(definition, parts.knowledge)
  const { greeting, languages } = filledTexts(definition, values)
  const greetings = [greeting, ...Object.values(languages).flatMap((texts) => texts.greeting ?? [])]
  const confidential: ConfidentialTexts = {
    quotes: new PromptQuotes(confidentialTexts({ instructions, policy })),
    publicTexts: [...greetings, policy.purpose ?? ''],
  }
  const contextOf = async (model: ModelSettings): Promise<RunContext> => ({
    model: await connectModel(model, {
      limits,
      quirks,
      onWarning,
      local: parts.local,
      surroundings: () => ({
        starters: parts.startersOf(definition.knowledge),
        ownStarters: [definition, ...Object.values(languages)].flatMap((texts) => texts.starters ?? []),
        languageOf,
      }),
    }),
    toolBox: model.kind === 'builtin' ? builtinToolBox : toolBox,
    findPassages: model.kind === 'builtin' || !hasKnowledge ? null : isSmallModel(model) ? findShort : find,
    unsupported: policy.strictness === 'quote' ? policy.unsupported : isSmallModel(model) ? 'drop' : null,
    isJudged: policy.judge === 'model' && !NO_COMPLETIONS.includes(model.kind),
    confidential: model.kind === 'builtin' ? null : confidential,
    moderator: parts.moderator,
    isSmall: isSmallModel(model),
    instead: isSmallModel(model) ? await contextOf({ kind: 'builtin' }) : null,
    usesTools: () => usesTools(model, quirks),
    acceptsImages: describeModel(model).acceptedFiles === 'images',
    acceptsToolImages: acceptsToolImages(model),
    limits: limitsOf(model),
    prompt: promptFor(model),
    thinking: model.kind === 'builtin' ? null : { opensThoughts: false },
    onWarning,
    calibration: parts.calibrations.of(nameOf(model)),
  })
  const fallback = settings.kind === 'builtin' ? null : parts.fallbackModel
  const models = await connectModels({ primary: settings, fallback }, contextOf, onWarning)
  return {
    id,
    name,
    picture,
    greeting,
    get starters() {
      return starters()
    },
    textsIn: (language) => textsIn(languages, language, { name, greeting, starters: starters() }),
    policy: new AgentPolicy(policy, installation.contact, givesApprovedAnswers(definition) ? parts.approved : null, now),
    personalData: completeRules(definition.personalData ?? {}, parts.personalData ?? DEFAULT_PERSONAL_DATA_RULES),
    choices: settings.kind === 'builtin' ? [] : definition.choices,
    model: description,
    modelOf: models.describe,
    get notReady() {
      return settings.kind === 'local' && !models.hasFallback ? (parts.local?.notReady ?? null) : null
    },
    run: models.run,
    findPassages: find,
    readDocument: documentReader(parts.knowledge, definition.knowledge, (text) => fillIn(text, values)),
    get historyTokens() {
      const { tools, tokens } = toolBox.forTurn(true)
      return Math.min(limits.maxHistoryTokens, defaultConversationTokens(limits, prompt(Object.keys(tools)).tokens + tokens))
    },
    get problems() {
      return toolBox.problems
    },
    get versions() {
      return versions()
    },
    systemPrompt: () => prompt(Object.keys(toolBox.forTurn(true).tools)).text,
    completionOf: (choice) => {
      const { model } = models.contextOf(choice)
      return NO_COMPLETIONS.includes(model.provider) ? null : (request) => complete(model, request)
    },
  }
}

export function givesApprovedAnswers({ knowledge }: Pick<AgentDefinition, 'knowledge'>): boolean {
  return knowledge.includes('.') || knowledge.includes(APPROVED_FOLDER)
}

function toolBoxOf(definition: AgentDefinition, own: AgentTools, parts: AgentParts, limits: ModelLimits): ToolBox {
  const httpTools = parts.httpToolsOf(definition.http)
  const webTools = namedTools(WEB_TOOLS, definition)
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

const VERSION_MS = 60_000

/** Returns the agent and its policy as JSON, and the version of its knowledge, which is updated in the background. */
function versionsOf({ policy, ...agent }: AgentDefinition, knowledge: AgentParts['knowledge']): () => Agent['versions'] {
  const texts = { agent: JSON.stringify(agent), policy: JSON.stringify(policy) }
  let version: string | null = null
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt > VERSION_MS) {
      readAt = performance.now()
      // The search reports problems of the knowledge.
      knowledge.version(agent.knowledge).then(
        (newest) => (version = newest),
        () => undefined,
      )
    }
    return { ...texts, knowledge: version }
  }
}

function filledPassages<Passage extends { text: string }>(
  passages: readonly Passage[],
  values: Readonly<Record<string, string>>,
): Passage[] {
  return passages.map((passage) => ({ ...passage, text: fillIn(passage.text, values) }))
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
function approvalRequiredTools({ approval, mcp, readOnly }: AgentDefinition, { mcpToolsOf, httpToolsOf }: AgentParts): string[] {
  const unasked = new Set(Object.keys(mcpToolsOf(readOnly)))
  const asked = Object.keys(mcpToolsOf(mcp)).filter((name) => !unasked.has(name))
  return [...approval, ...Object.keys(mcpToolsOf(approval)), ...Object.keys(httpToolsOf(approval)), ...asked]
}

/** Settings of the agent's own model: another one of the same provider, or the built-in one. There is only one local model. */
function modelSettingsOf({ model, reasoningEffort }: AgentDefinition, settings: ModelSettings): ModelSettings {
  if (model === BUILTIN || settings.kind === 'builtin') return { kind: 'builtin' }
  if (settings.kind === 'local') return settings
  return { ...settings, ...(model !== null && { model }), ...(reasoningEffort !== null && { reasoningEffort }) }
}

/** The limits of a model's answers: the defaults, what the model and the server set, and what the agent sets. */
function modelLimits(model: ModelSettings, { limits }: AgentDefinition, given: Partial<ModelLimits>): ModelLimits {
  const defaults = { ...DEFAULT_LIMITS, ...timeLimitsOf(model), ...given }
  const own = {
    ...defaults,
    maxSteps: limits.steps ?? defaults.maxSteps,
    maxOutputTokens: limits.answerTokens ?? defaults.maxOutputTokens,
    totalTimeoutMs: limits.answerSeconds === null ? defaults.totalTimeoutMs : limits.answerSeconds * 1000,
  }
  if (model.kind === 'builtin') return { ...own, ...FREE }
  const windowTokens = model.kind === 'local' ? Math.min(own.windowTokens, model.contextTokens) : own.windowTokens
  if (!isSmallModel(model)) return { ...own, windowTokens }
  const { maxHistoryTokens, maxOutputTokens } = SMALL_LIMITS
  return {
    ...own,
    windowTokens,
    maxHistoryTokens: Math.min(own.maxHistoryTokens, maxHistoryTokens),
    maxOutputTokens: limits.answerTokens ?? Math.min(own.maxOutputTokens, maxOutputTokens),
  }
}

function usesTools(model: ModelSettings, quirks: EndpointQuirks): boolean {
  if (model.kind === 'builtin') return true
  if (model.usesTools !== undefined) return model.usesTools
  return !isSmallModel(model) && (model.kind === 'local' || !quirks.lacksTools(model.model))
}

function namedTools(tools: ToolSet, { tools: names }: AgentDefinition): ToolSet {
  return Object.fromEntries(Object.entries(tools).filter(([name]) => names?.includes(name)))
}

/** The tools that the definition names, or the search. Search needs knowledge. */
function chosenTools(
  tools: AgentTools,
  { tools: names, knowledge }: Pick<AgentDefinition, 'knowledge'> & { tools: readonly string[] | null },
) {
  const isChosen = (name: string) => (names ?? ['search_knowledge']).includes(name) && (name !== 'search_knowledge' || knowledge.length > 0)
  return Object.fromEntries(Object.entries(tools).filter(([name]) => isChosen(name))) as AgentTools
}
