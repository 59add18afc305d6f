import { KnowledgeStarters } from './knowledge-starters.ts'
import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Agent, type AgentParts, createAgent, givesApprovedAnswers } from './agent.ts'
import { type LoadedAgent, ManagedAgents } from './managed-agents.ts'
import { type AgentDefinition, BUILTIN } from './definition/agent-definition.ts'
import { type KnownNames, type Mistake, readDefinition } from './definition/read-definition.ts'
import { KnowledgeBase, type KnowledgeOptions } from '../../knowledge/knowledge-base.ts'
import { ApprovedAnswers } from '../../replies/approved/approved-answers.ts'
import { PLACEHOLDERS } from '../../knowledge/ingestion/placeholders.ts'
import { EndpointQuirks } from '../../models/requests/endpoint-quirks.ts'
import type { NotReady } from '../../local-runtime/model-supervisor.ts'
import type { LocalRuntime } from '../../models/local/local-runtime.ts'
import { readRegularFile, readTextFile } from '../../knowledge/files/read-regular-file.ts'
import type { HttpApis } from '../tools/http/http-apis.ts'
import type { McpServers } from '../tools/mcp/mcp-servers.ts'
import { TokenCalibrations } from '../../models/tokens/token-calibration.ts'
import { type TestedSearch, testSearch } from './test-search.ts'
import { TOOL_NAMES, WEB_TOOLS } from '../tools/tools.ts'

const MAX_AGENTS = 50
const MAX_FILE_BYTES = 64 * 1024
/** Pictures are embedded in every page's initial data. */
const MAX_PICTURE_BYTES = 16 * 1024
/** Editors write a file in several steps; wait until they finish. */
const SETTLE_MS = 200
const AGENT_FILE = /^[^.].*\.md$/i
/** Id of the default agent. Without it, the first file name is the default. */
const FIRST_ID = 'assistant'

/** Dependencies of the agents of an installation. */
export interface AgentsOptions
  extends Pick<AgentParts, 'model' | 'installation' | 'personalData'>,
    Partial<Pick<AgentParts, 'fallbackModel' | 'moderator' | 'limits' | 'now' | 'onWarning'>>,
    Pick<KnowledgeOptions, 'embedding' | 'localRuntime' | 'usesOcr' | 'onSearched'> {
  directory: string
  knowledgeDirectory: string
  /** Folder for large knowledge indexes; without it, indexes stay in memory. */
  dataDirectory?: string
  /** Runs the local model; the caller closes it. */
  local?: LocalRuntime | null
  /** MCP servers whose tools agents may use; the caller closes them. */
  mcp?: McpServers | null
  /** HTTP APIs whose operations agents may use. */
  http?: HttpApis | null
  /** Whether a budget is set and the model has no price. */
  lacksPrice?: (model: string) => boolean
}

/** No agent file is valid. The message names files and lines. */
export class NoAgentError extends Error {}

/** A file of the agents' folder. */
export interface AgentFile {
  name: string
  /** `null` if the file has no valid version. */
  id: string | null
  text: string
  changedAt: Date
  mistakes: readonly Mistake[]
}

/**
 * The agents of a folder, one per Markdown file, and those that staff manage; of two with the same id, the
 * managed one is live. A mistake in
 * one text doesn't affect the others: that agent keeps its last valid version, if any, and `problems` lists the mistake.
 */
export class Agents {
  readonly #options: AgentsOptions
  readonly #parts: AgentParts
  readonly knowledge: KnowledgeBase
  readonly #starters: KnowledgeStarters
  readonly managed: ManagedAgents
  readonly approved: ApprovedAnswers
  #loaded = new Map<string, LoadedAgent>()
  #problems: string[] = []
  #watcher: FSWatcher | undefined
  #settling: NodeJS.Timeout | undefined
  #reading: Promise<void> = Promise.resolve()
  #refreshing: Promise<void> = Promise.resolve()
  #reloadingApproved: Promise<void> = Promise.resolve()

  private constructor(knowledge: KnowledgeBase, options: AgentsOptions) {
    const { knowledgeDirectory, mcp, http, local = null } = options
    const { now = () => new Date(), onWarning = () => {}, limits = {} } = options
    this.#options = options
    this.knowledge = knowledge
    this.#starters = new KnowledgeStarters(knowledge)
    this.approved = new ApprovedAnswers({ directory: knowledgeDirectory, knowledge, now, onWarning })
    this.managed = new ManagedAgents({
      read: async (file, text) => readDefinition(file, text, knownNames(options, await entriesOf(options))),
      create: (definition, before) => this.#create(definition, before),
      onWarning,
    })
    this.#parts = {
      fallbackModel: null,
      moderator: null,
      ...options,
      local,
      limits,
      quirks: new EndpointQuirks(),
      knowledge,
      approved: this.approved,
      startersOf: (folders) => this.#starters.of(folders),
      httpToolsOf: (apis) => http?.toolsOf(apis) ?? {},
      mcpToolsOf: (servers) => mcp?.toolsOf(servers) ?? {},
      calibrations: new TokenCalibrations(),
      now,
      onWarning,
    }
  }

  /** Throws `NoAgentError` if no file is valid. */
  static async open(options: AgentsOptions): Promise<Agents> {
    const { knowledgeDirectory, dataDirectory = null, onWarning = () => {} } = options
    const knowledge = await KnowledgeBase.open({ ...options, directory: knowledgeDirectory, dataDirectory, onWarning })
    const agents = new Agents(knowledge, options)
    knowledge.onRead = () => agents.#refreshStarters()
    knowledge.onRefresh = () => {
      agents.#reloadingApproved = agents.approved.reload()
    }
    await agents.approved.reload()
    await agents.#read()
    if (agents.#loaded.size === 0) throw new NoAgentError(agents.#problems.join('; ') || 'the agents folder has no Markdown file')
    return agents
  }

  /** All agents: the default first, then those of files by file name, then managed ones by id. */
  get all(): Agent[] {
    const agents = this.#inForce.map(({ agent }) => agent)
    return agents.toSorted((one, other) => Number(other.id === FIRST_ID) - Number(one.id === FIRST_ID))
  }

  get first(): Agent {
    return this.all[0] as Agent
  }

  /** Why the named agent, or every agent, can't answer now; `null` if one can. */
  notReady(named: string | null): NotReady | null {
    const agents = named === null ? this.all : [this.find(named) ?? this.first]
    const reasons = agents.map((agent) => agent.notReady)
    return reasons.includes(null) ? null : (reasons[0] ?? null)
  }

  find(id: string): Agent | undefined {
    return this.#inForce.find(({ agent }) => agent.id === id)?.agent
  }

  get approvedGivers(): string[] {
    return this.#inForce.flatMap(({ definition, agent }) => (givesApprovedAnswers(definition) ? agent.name : []))
  }

  /** Names of own tools that agents may use. */
  get toolNames(): readonly string[] {
    return knownNames(this.#options, []).tools
  }

  /** The files of the folder as they are now, by name. */
  async readFiles(): Promise<AgentFile[]> {
    const files = await readAgentFiles(this.#options)
    return files.map((file) => ({ ...file, id: this.#loaded.get(file.name)?.agent.id ?? null }))
  }

  /** Finds the passages that the agent would answer from, then near misses; `undefined` without such an agent. */
  async testSearch(id: string, query: string, stoppedFiles: readonly string[]): Promise<TestedSearch | undefined> {
    const loaded = this.#inForce.find(({ agent }) => agent.id === id)
    const usedBy = loaded?.agent.modelOf('primary').name === BUILTIN ? 'builtin' : 'model'
    return loaded && testSearch(this.knowledge, query, { folders: loaded.definition.knowledge, usedBy, stoppedFiles })
  }

  /** Current problems by area: agent files, knowledge, tools (also of MCP servers and APIs) and the local model. */
  get problemsByArea(): Record<'agents' | 'knowledge' | 'tools' | 'local_model', readonly string[]> {
    const { mcp, http, local } = this.#options
    return {
      agents: [...this.#problems, ...this.managed.problems],
      tools: [...this.all.flatMap((agent) => agent.problems), ...(mcp?.problems ?? []), ...(http?.problems ?? [])],
      knowledge: [...this.knowledge.problems, ...this.approved.problems],
      local_model: local?.problem ? [local.problem] : [],
    }
  }

  /** Watches agent and knowledge files until `close`. */
  watch(): void {
    this.knowledge.watch()
    this.#watcher = watch(this.#options.directory, { persistent: false }, () => {
      clearTimeout(this.#settling)
      this.#settling = setTimeout(() => {
        this.#reading = this.reload()
      }, SETTLE_MS)
    })
    this.#watcher.on('error', (cause) =>
      this.#parts.onWarning('Watching the agents folder failed; restart the server to pick up changes', cause),
    )
  }

  /** Reloads the agent files. Never rejects: an unreadable file keeps its last version and becomes a problem. */
  async reload(): Promise<void> {
    await this.#reading
    await this.#read().catch((cause: unknown) => this.#parts.onWarning('Reloading the agents failed; keeping the loaded ones', cause))
  }

  /** Reloads the agent files and starts to read changed knowledge files. */
  async refresh(): Promise<void> {
    this.#parts.onWarning('Reloading the files of agents and knowledge, as asked')
    this.knowledge.refresh()
    await this.#reloadingApproved
    await this.reload()
  }

  async close(): Promise<void> {
    this.#watcher?.close()
    clearTimeout(this.#settling)
    await this.#reading
    await this.knowledge.close()
    await this.#reloadingApproved
  }

  get #inForce(): LoadedAgent[] {
    const managed = this.managed.loaded
    const isReplaced = ({ agent: { id } }: LoadedAgent) => managed.some(({ agent }) => agent.id === id)
    return [...[...this.#loaded.values()].filter((file) => !isReplaced(file)), ...managed]
  }

  #refreshStarters(): void {
    this.#refreshing = this.#refreshing
      .then(() => this.#starters.refresh())
      .catch((cause: unknown) =>
        this.#parts.onWarning('Reading starter prompts from the knowledge failed; keeping the previous ones', cause),
      )
  }

  async #read(): Promise<void> {
    const entries = await entriesOf(this.#options)
    const files = entries.filter((name) => AGENT_FILE.test(name)).toSorted()
    const problems = files.length > MAX_AGENTS ? [`more than ${MAX_AGENTS} agents; ignoring the rest`] : []
    const loaded = new Map<string, LoadedAgent>()
    for (const file of files.slice(0, MAX_AGENTS)) {
      const outcome = await this.#load(file, entries, loaded)
      const version = Array.isArray(outcome) ? this.#loaded.get(file) : outcome
      problems.push(...(Array.isArray(outcome) ? outcome : outcome.mistakes).map(sentenceOf))
      if (version) loaded.set(file, version)
    }
    for (const problem of problems) if (!this.#problems.includes(problem)) this.#parts.onWarning(problem)
    this.#problems = problems
    // All files missing at once means that they are being replaced.
    if (loaded.size > 0) this.#loaded = loaded
  }

  /** The agent of a file, reused if the file is unchanged, or its mistakes. */
  async #load(file: string, files: readonly string[], others: ReadonlyMap<string, LoadedAgent>): Promise<LoadedAgent | Mistake[]> {
    try {
      const reading = readDefinition(
        file,
        await readTextFile(join(this.#options.directory, file), MAX_FILE_BYTES),
        knownNames(this.#options, files),
      )
      if (reading.kind === 'mistaken') return reading.mistakes
      const { definition, mistakes } = reading
      const same = [...others.values()].find((other) => other.definition.id === definition.id)
      if (same) return [{ file, line: 1, message: `id "${definition.id}" is that of ${same.definition.file} already` }]
      return { ...(await this.#create(definition, this.#loaded.get(file))), mistakes }
    } catch (cause) {
      this.#parts.onWarning(`Loading agents/${file} failed; keeping its last valid version`, cause)
      return [{ file, line: 1, message: 'cannot be read' }]
    }
  }

  /** The agent of a definition, which is `before` if nothing has changed. */
  async #create(definition: AgentDefinition, before: LoadedAgent | undefined): Promise<LoadedAgent> {
    const picture = definition.picture === null ? null : await this.#picture(definition.picture)
    if (before && before.picture === picture && JSON.stringify(before.definition) === JSON.stringify(definition)) return before
    await this.#starters.follow(definition.knowledge)
    return { definition, picture, mistakes: [], agent: await createAgent(definition, picture, this.#parts) }
  }

  async #picture(name: string): Promise<string> {
    const bytes = await readRegularFile(join(this.#options.directory, name), MAX_PICTURE_BYTES)
    const type = extname(name).slice(1).toLowerCase().replace('jpg', 'jpeg')
    return `data:image/${type};base64,${bytes.toString('base64')}`
  }
}

type FolderOptions = Pick<AgentsOptions, 'directory' | 'lacksPrice' | 'model'> & {
  mcp?: Pick<McpServers, 'names'> | null
  http?: Pick<HttpApis, 'names'> | null
}

function entriesOf({ directory }: FolderOptions): Promise<string[]> {
  return readdir(directory).catch((cause: unknown) => {
    throw new NoAgentError('the agents folder is unreadable', { cause })
  })
}

function knownNames({ mcp, http, model, lacksPrice = () => false }: FolderOptions, files: readonly string[]): KnownNames {
  return {
    tools: [...TOOL_NAMES, ...Object.keys(WEB_TOOLS)],
    mcpServers: mcp ? mcp.names : [],
    apis: http ? http.names : [],
    placeholders: PLACEHOLDERS,
    files,
    hasProvider: !['builtin', 'local'].includes(model.kind),
    lacksPrice,
  }
}

/** The agents' files of a folder as they are now, with their mistakes. */
export async function readAgentFiles(options: FolderOptions): Promise<Omit<AgentFile, 'id'>[]> {
  const entries = await entriesOf(options)
  const files = entries.filter((name) => AGENT_FILE.test(name)).toSorted()
  return Promise.all(
    files.slice(0, MAX_AGENTS).map(async (name) => {
      const path = join(options.directory, name)
      const { mtime: changedAt } = await stat(path).catch(() => ({ mtime: new Date(0) }))
      const text = await readTextFile(path, MAX_FILE_BYTES).catch(() => null)
      if (text === null) return { name, text: '', changedAt, mistakes: [{ file: name, line: 1, message: 'cannot be read' }] }
      return { name, text, changedAt, mistakes: readDefinition(name, text, knownNames(options, entries)).mistakes }
    }),
  )
}

export function sentenceOf({ file, line, message }: Mistake): string {
  return `agents/${file}, line ${line}: ${message}`
}
