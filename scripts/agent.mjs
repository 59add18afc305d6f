// `npm run agent -- prompt <id>` prints the exact system prompt that the agent's model receives.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Agents, NoAgentError } from '../src/server/answering/agents/agents.ts'
import { HttpApis } from '../src/server/answering/tools/http/http-apis.ts'
import { McpServers } from '../src/server/answering/tools/mcp/mcp-servers.ts'
import { lookupsOf } from '../src/server/app/open-answering.ts'
import { readSettings, SettingsError } from '../src/server/config/config.ts'
import { openReader } from '../src/server/store/engine/open-database.ts'
import { MANAGED_AGENTS } from '../src/server/store/knowledge/managed-texts.ts'

const USAGE = 'Usage: npm run agent -- prompt <id>'

/** No model is called. */
const LOCAL = /** @type {never} */ ({ notReady: null, problem: null })

/** @param {string} id */
async function printPrompt(id) {
  const settings = readSettings()
  const { name, retentionDays, contact, database, variables } = settings
  const variable = (/** @type {string} */ key) => variables[key]
  const onWarning = (/** @type {string} */ message) => process.stderr.write(`${message}\n`)
  const pins = join(settings.dataDirectory, 'mcp-tools.json')
  const mcp = await McpServers.open({ path: settings.mcpFile, variable, pins, onWarning })
  const http = await HttpApis.open(settings.httpToolsFile, variable)
  const agents = await Agents.open({
    directory: settings.agentsDirectory,
    knowledgeDirectory: settings.knowledgeDirectory,
    model: settings.model,
    local: LOCAL,
    mcp,
    http,
    searchEndpoint: settings.searchEndpoint,
    installation: { name, retentionDays, contact, storage: database.kind, lookups: lookupsOf(settings) },
    onWarning,
  })
  try {
    await agents.setManaged(await publishedAgents(database))
    const agent = agents.find(id)
    if (!agent) throw new NoAgentError(`There is no agent "${id}": there are ${agents.all.map((one) => one.id).join(', ')}.`)
    process.stdout.write(`${agent.systemPrompt()}\n`)
  } finally {
    await agents.close()
    await mcp.close()
  }
}

/**
 * Those that staff have published; none without a database, or before its first start with this release.
 * @param {import('../src/server/store/engine/open-database.ts').DatabaseSettings} settings
 */
async function publishedAgents(settings) {
  if (settings.kind === 'sqlite' && !existsSync(join(settings.directory, 'parley.db'))) return []
  const database = await openReader(settings, () => undefined)
  try {
    return await MANAGED_AGENTS.published(database)
  } catch {
    process.stderr.write('Managed agents could not be read from the database; only those of files are known.\n')
    return []
  } finally {
    await database.destroy()
  }
}

const [command, id, ...others] = process.argv.slice(2)
try {
  if (command !== 'prompt' || id === undefined || others.length > 0) throw new NoAgentError(USAGE)
  await printPrompt(id)
} catch (error) {
  if (!(error instanceof NoAgentError) && !(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
