import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Agents, NoAgentError } from '../answering/agents/agents.ts'
import { readHttpApis } from '../answering/tools/http/http-apis.ts'
import { openMcpServers } from '../answering/tools/mcp/mcp-servers.ts'
import { lookupsOf } from '../app/open-answering.ts'
import type { Settings } from '../config/config.ts'
import { type DatabaseSettings, openReader } from '../store/engine/open-database.ts'
import { MANAGED_AGENTS } from '../store/knowledge/managed-texts.ts'
import type { CommandResult } from './operator-command.ts'

const USAGE = 'Usage: parley agent prompt <id>\n'

const LOCAL = { notReady: null, problem: null } as never

/** Runs `agent prompt <id>`, which prints the system prompt that the agent's model receives, word for word. */
export async function runAgentCommand([command, id, ...others]: readonly string[], settings: Settings): Promise<CommandResult> {
  if (command !== 'prompt' || id === undefined || others.length > 0) return { output: USAGE, exitCode: 2 }
  try {
    const prompt = await withAgents(settings, (agents) => {
      const agent = agents.find(id)
      if (!agent) throw new NoAgentError(`There is no agent "${id}": there are ${agents.all.map((one) => one.id).join(', ')}.`)
      return agent.systemPrompt()
    })
    return { output: `${prompt}\n`, exitCode: 0 }
  } catch (error) {
    if (error instanceof NoAgentError) return { output: `${error.message}\n`, exitCode: 1 }
    throw error
  }
}

/** Reads the agents of the files and those that staff have published. */
export async function withAgents<Result>(settings: Settings, read: (agents: Agents) => Result | Promise<Result>): Promise<Result> {
  const { name, retentionDays, contact, database, variables } = settings
  const variable = (key: string) => variables[key]
  const onWarning = (message: string) => void process.stderr.write(`${message}\n`)
  const mcp = await openMcpServers({ path: settings.mcpFile, variable, pins: join(settings.dataDirectory, 'mcp-tools.json'), onWarning })
  const http = await readHttpApis(settings.httpToolsFile, variable)
  const agents = await Agents.open({
    directory: settings.agentsDirectory,
    knowledgeDirectory: settings.knowledgeDirectory,
    model: settings.model,
    local: LOCAL,
    personalData: settings.personalData,
    mcp,
    http,
    installation: { name, retentionDays, contact, storage: database.kind, lookups: lookupsOf(settings) },
    onWarning,
  })
  try {
    await agents.managed.set(await publishedAgents(database, onWarning))
    return await read(agents)
  } finally {
    await agents.close()
    await mcp.close()
  }
}

/** Those that staff have published; none without a database, or before its first start with this release. */
async function publishedAgents(settings: DatabaseSettings, onWarning: (message: string) => void) {
  if (settings.kind === 'sqlite' && !existsSync(join(settings.directory, 'parley.db'))) return []
  await using database = await openReader(settings)
  try {
    return await MANAGED_AGENTS.published(database)
  } catch {
    onWarning('Managed agents could not be read from the database; only those of files are known.')
    return []
  }
}
