import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentsOptions, Agents, NoAgentError } from '../answering/agents/agents.ts'
import { ApprovedDraft } from '../../contract/staff/content/approved-answers.ts'
import { APPROVED_ANSWERS, MANAGED_AGENTS } from '../store/knowledge/managed-texts.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { ModelLimits } from '../answering/agents/agent.ts'
import type { LocalRuntime } from '../models/local/local-runtime.ts'
import { startLocalModel } from '../models/local/start-local-model.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import { type HttpApis, readHttpApis } from '../answering/tools/http/http-apis.ts'
import { type McpServers, openMcpServers } from '../answering/tools/mcp/mcp-servers.ts'
import { missingOcr } from '../knowledge/ingestion/extract/pdf/ocr-programs.ts'
import { LIBRARY_MODULE } from '../local-runtime/llama-library.ts'
import { type LocalRuntimePaths, localRuntimePaths } from '../local-runtime/model-supervisor.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import type { Server } from '../platform/server.ts'
import { retentionMsOf } from '../../contract/chat/retention.ts'
import { startPurge } from '../visitors/purge.ts'
import type { OpenData } from './open-data.ts'
import { openSources } from './open-sources.ts'
import { createMetrics, costOf } from './optional-parts.ts'
import { acceptanceDeletion } from './staff-reading.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { LimitValues } from '../limits/adjustable-limits.ts'
import { startSweeper, Sweeper } from '../turns/sweeper.ts'
import { Turns, type TurnsOptions } from '../turns/turns.ts'
import { UnstoredAnswers } from '../turns/unstored-answers.ts'
import { type ChangedFeedback, type CountedTurn, Figures, filesOf, type FiguresOptions } from '../insights/figures/figures.ts'
import { rejectionCodeOf } from '../platform/problems.ts'
import { EndpointCounts } from './health/endpoint-health.ts'
import type { GivenFeedback } from '../store/turns/feedback.ts'
import { storedVersions } from '../store/turns/turn-versions.ts'
import type { EndedSession } from '../store/turns/turn-ends.ts'
import type { LocalEnd } from '../turns/started-turn.ts'

/** Keeps managed agents and approved answers in force as the database has them. */
async function followAgents({ managed, approved }: Agents, { database, versions, onFault }: OpenData): Promise<void> {
  await versions.follow({
    version: MANAGED_AGENTS.version,
    refresh: async () => managed.set(await MANAGED_AGENTS.published(database)),
    onFault: (cause) => onFault('Reading the managed agents failed; keeping those in force and retrying', cause),
  })
  await versions.follow({
    version: APPROVED_ANSWERS.version,
    async refresh() {
      const published = await APPROVED_ANSWERS.published(database)
      await approved.setManaged(published.map(({ id, text }) => ({ id, content: ApprovedDraft.parse(JSON.parse(text)) })))
    },
    onFault: (cause) => onFault('Reading the managed approved answers failed; keeping those in force and retrying', cause),
  })
}

export interface AnsweringParts {
  app: Server
  release: string
  libraryDirectory: string
  data: OpenData
}

export type OpenAnswering = Awaited<ReturnType<typeof openAnswering>>

/** Opens the agents and the turns in which they answer. @throws {SettingsError} without an agent, or words to moderate by. */
export async function openAnswering(settings: Settings, { app, release, libraryDirectory, data }: AnsweringParts) {
  const { database, ledger, clock, versions, runtimeLimits, slots, now, onFault } = data
  const { log } = app
  const metrics = await createMetrics(settings, { release, database, values: () => runtimeLimits.current })
  const mcp = await connectMcpServers(settings, log)
  const http = await openHttpApis(settings, log)
  const localRuntime = localRuntimePaths(settings, libraryDirectory)
  const local = await startLocalModel(settings, localRuntime, (message, cause) => log.warn({ err: cause }, message))
  const moderator = await openModerator(settings, log)
  const agents = await openAgents(settings, { mcp, http, local, moderator, localRuntime, onSearched: metrics?.metrics.searched }, log)
  await followAgents(agents, data)
  const sources = await openSources(settings, { database, versions, agents, now, instance: slots.instance, log })
  const { turns, unstoredAnswers, figures, stopSweeper } = await openTurns(settings, { app, data, agents, moderator, metrics })
  const stopPurge = startPurge({
    database,
    retentionMs: retentionMsOf(settings.retentionDays),
    clock,
    deleteAcceptances: settings.staffReading ? undefined : acceptanceDeletion(ledger, database),
    onFault,
  })
  return {
    agents,
    moderator,
    sources,
    turns,
    unstoredAnswers,
    figures,
    metrics,
    stopBackground: () => Promise.all([stopSweeper(), stopPurge()]),
    /** Ends the processes, connections and threads of the agents, their tools and the local model. */
    async closeAgents() {
      await agents.close()
      await mcp.close()
      await local?.close()
    },
  }
}

/** Host that receives search queries, and prompts to compare with approved answers, for the privacy notice; `null` if none. */
export function lookupsOf({ embedding }: Pick<Settings, 'embedding'>): string | null {
  return embedding?.kind === 'endpoint' ? new URL(embedding.baseUrl).host : null
}

/** The servers connect beside the start. */
function connectMcpServers({ mcpFile, dataDirectory, variables }: Settings, log: FastifyBaseLogger): Promise<McpServers> {
  const onWarning = (message: string, cause?: unknown) => log.warn({ err: cause }, message)
  return openMcpServers({ path: mcpFile, variable: (name) => variables[name], pins: join(dataDirectory, 'mcp-tools.json'), onWarning })
}

async function openHttpApis({ httpToolsFile, variables }: Settings, log: FastifyBaseLogger): Promise<HttpApis> {
  const apis = await readHttpApis(httpToolsFile, (name) => variables[name])
  for (const problem of apis.problems) log.warn(problem)
  return apis
}

async function openModerator({ moderation }: Settings, log: FastifyBaseLogger): Promise<Moderator | null> {
  if (!moderation) return null
  const { Moderator } = await import('../safety/moderation/moderator.ts')
  try {
    return await Moderator.open(moderation, (message, cause) => log.warn({ err: cause }, message))
  } catch (error) {
    throw new SettingsError(`MODERATION_WORDS cannot be used: ${error instanceof Error ? error.message : 'it cannot be read'}.`)
  }
}

interface AgentTools {
  mcp: McpServers
  http: HttpApis
  local: LocalRuntime | null
  moderator: Moderator | null
  localRuntime: LocalRuntimePaths
  onSearched: AgentsOptions['onSearched']
}

async function openAgents(settings: Settings, tools: AgentTools, log: FastifyBaseLogger): Promise<Agents> {
  const { name, retentionDays, contact, model, agentsDirectory, knowledgeDirectory, dataDirectory, database } = settings
  const embedding = usableEmbedding(settings, tools.localRuntime)
  if (embedding === null && settings.embedding !== null)
    log.warn(
      'The knowledge is searched by words alone: `npm run local-model` in a checkout installs the library that its model needs (docs/local-model.md).',
    )
  const lacking = missingOcr(settings)
  for (const { text, change } of lacking) log.warn(`${text} ${change}`)
  try {
    const agents = await Agents.open({
      directory: agentsDirectory,
      knowledgeDirectory,
      embedding,
      usesOcr: settings.usesOcr && lacking.length === 0,
      ...tools,
      dataDirectory,
      model,
      fallbackModel: settings.fallback?.model ?? null,
      limits: modelLimitsOf(settings),
      lacksPrice: (named) => settings.prices.isMissing(named),
      personalData: settings.personalData,
      installation: { name, retentionDays, contact, storage: database.kind, lookups: lookupsOf(settings) },
      onWarning: (message, cause) => log.warn({ err: cause }, message),
    })
    agents.watch()
    return agents
  } catch (error) {
    throw error instanceof NoAgentError ? new SettingsError(`AGENTS_DIR needs an agent that can answer: ${error.message}.`) : error
  }
}

/** The default model needs its library, too. */
function usableEmbedding({ embedding }: Settings, { libraryDirectory }: LocalRuntimePaths): Settings['embedding'] {
  const isDefault = embedding?.kind === 'local' && embedding.isDefault
  return isDefault && !existsSync(join(libraryDirectory, LIBRARY_MODULE)) ? null : embedding
}

function modelLimitsOf({ budgets, modelWindow }: Settings): Partial<ModelLimits> {
  const { inputTokens: maxInputTokens, outputTokens: maxOutputTokens } = budgets.turn
  return { maxInputTokens, maxOutputTokens, windowTokens: modelWindow }
}

/** Share of the pool's connections that turns may use to start; the others stay free for answers and reads. */
const STARTING_SHARE = 0.6

/** The start waits this long for the first sweep, which then continues in the background. */
const FIRST_SWEEP_MS = 1_000

interface TurnParts {
  app: Server
  data: OpenData
  agents: Agents
  moderator: Moderator | null
  metrics: Awaited<ReturnType<typeof createMetrics>>
}

async function openTurns(settings: Settings, { app, data, agents, moderator, metrics }: TurnParts) {
  const { database, pubsub, keys, runtimeLimits, slots, now, onFault } = data
  const shared = { database, pubsub, now, onFault }
  const figures = openFigures(settings, app, { database, retentionMs: retentionMsOf(settings.retentionDays), now, onFault, metrics })
  const turns = new Turns({
    ...shared,
    ...turnSettings(settings, () => runtimeLimits.current),
    agents,
    instance: slots.instance,
    moderator,
    keys,
    onTurnEnd: figures.turnEnded,
  })
  const unstoredAnswers = new UnstoredAnswers({ database, moderator, now, onFault, onTurnEnd: figures.turnEnded })
  const sweeper = new Sweeper({ ...shared, slots, turns, onTurnEnd: figures.turnAbandoned })
  await sweepTurnsAtStart(sweeper, onFault)
  return { turns, unstoredAnswers, figures, stopSweeper: startSweeper(sweeper, onFault) }
}

/** Ends the turns that this process left running before its restart. A slow database does not delay the start. */
async function sweepTurnsAtStart(sweeper: Sweeper, onFault: (message: string, cause: unknown) => void): Promise<void> {
  const sweep = sweeper.begin().catch((error: unknown) => onFault('Sweeping turns at start failed; the sweeper tries again', error))
  await Promise.race([sweep, pause(FIRST_SWEEP_MS, undefined, { ref: false })])
}

/** On PostgreSQL, prompts share a small pool, and processes share visitors. */
function turnSettings({ database }: Settings, values: () => LimitValues): Pick<TurnsOptions, 'maxStarting' | 'maxOfOwner'> {
  if (database.kind === 'sqlite') return {}
  return { maxStarting: Math.floor(database.connections * STARTING_SHARE), maxOfOwner: () => values().limits.runningTurns }
}

type FeedbackFrom = Pick<ChangedFeedback, 'owner' | 'embed'>
type OpenMetrics = Awaited<ReturnType<typeof createMetrics>>

/** Counts what happens: for the daily figures, if there is a console that shows them, and for metrics. */
function openFigures(settings: Settings, app: Server, { metrics, ...options }: FiguresOptions & { metrics: OpenMetrics }) {
  const figures = settings.console && new Figures(options)
  if (figures)
    app.addHook('onResponse', (request, _, done) => {
      const isPrompt = request.method === 'POST' && request.routeOptions.config.takesPrompt === true
      const code = isPrompt && rejectionCodeOf(request)
      if (code) figures.rejected(code)
      done()
    })
  const endpoints = new EndpointCounts(options.now)
  return {
    endpoints: () => endpoints.recent,
    turnEnded(ended: LocalEnd) {
      const { provider, name } = ended.agent.modelOf(ended.model)
      // A fixed reply, or the built-in assistant, used no endpoint.
      if (provider !== null && (ended.end.code || ended.end.versions?.model)) endpoints.turnEnded(name, ended.end.code)
      metrics?.turnEnded(ended)
      figures?.turnEnded(figuresOf(settings, ended))
    },
    turnAbandoned: (session: EndedSession) => figures?.turnAbandoned(session),
    feedbackGiven(given: GivenFeedback, from: FeedbackFrom) {
      if (given.after) metrics?.metrics.feedbackGiven(given.after)
      if (given.turn)
        figures?.feedbackChanged({ ...given.turn, ...from, before: given.before, after: given.after, files: filesOf(given.turn) })
    },
    visitorSeen: (owner: string, network: string) => figures?.visitorSeen(owner, network),
    close: async () => figures?.close(),
  }
}

function figuresOf(settings: Settings, ended: LocalEnd): CountedTurn {
  const { turn, end, agent, embed = 'unknown', owner, messages } = ended
  return {
    ...turn.usage,
    state: end.state,
    agent: agent.id,
    embed,
    model: end.versions ? storedVersions(end.versions).model : null,
    cost: costOf(settings, ended),
    firstTextMs: turn.firstTextMs,
    wholeMs: turn.elapsedMs,
    owner,
    messages,
    answer: end.answer,
  }
}
