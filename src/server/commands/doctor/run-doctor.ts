import { parseArgs } from 'node:util'
import { readAgentFiles, sentenceOf } from '../../answering/agents/agents.ts'
import { readHttpApis } from '../../answering/tools/http/http-apis.ts'
import { readMcpFile } from '../../answering/tools/mcp/mcp-settings.ts'
import { type Settings, SettingsError } from '../../config/config.ts'
import { missingOcr } from '../../knowledge/ingestion/extract/pdf/ocr-programs.ts'
import { existingInstallationKey } from '../../visitors/installation-key.ts'
import { readingRequests } from '../../app/staff-reading.ts'
import { type CommandResult, assertOwner, UsageError, withUsage } from '../operator-command.ts'
import { checkAddress } from './check-address.ts'
import { checkDatabase, checkDisk } from './check-machine.ts'
import { type Finding, findingsOf, printed } from './finding.ts'
import { askOnce } from '../../app/console-model.ts'
import { describeModel } from '../../models/connect-model.ts'
import type { ModelSettings } from '../../models/model-settings.ts'

const USAGE = `Checks this installation from outside in, and says what to change. Changes nothing.

  parley doctor                            the address in PUBLIC_URL, or of this machine
  parley doctor https://chat.example.org   another address
                --no-model               does not ask the model, which costs a few tokens
                --json                   findings as JSON
`

/** Runs `doctor …` beside a running server. The exit code is 1 if there is a problem. */
export function runDoctor(args: readonly string[], readSettings: () => Settings): Promise<CommandResult> {
  return withUsage(USAGE, async () => {
    const command = commandOf(args)
    const findings = await findingsFor(command, readSettings)
    const exitCode = findings.some(({ verdict }) => verdict === 'problem') ? 1 : 0
    return { output: command.isJson ? `${JSON.stringify(findings, null, 2)}\n` : printed(findings), exitCode }
  })
}

function commandOf(args: readonly string[]) {
  const options = { 'no-model': { type: 'boolean' }, json: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [address, ...more] = positionals
  if (more.length > 0 || (address !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(address)))
    throw new UsageError('Give one address, such as https://chat.example.org.')
  return { address, asksModel: values['no-model'] !== true, isJson: values.json === true }
}

async function findingsFor(
  { address, asksModel }: { address: string | undefined; asksModel: boolean },
  readSettings: () => Settings,
): Promise<Finding[]> {
  const area = findingsOf('settings')
  let settings: Settings
  try {
    settings = readSettings()
    await assertOwner(settings.dataDirectory)
  } catch (error) {
    if (error instanceof SettingsError)
      return [area.problem(error.message, 'Correct it, and run the doctor again; docs/settings.md describes each setting.')]
    throw error
  }
  const key = await existingInstallationKey(settings.installationKey, settings.dataDirectory)
  const reading = readingRequests(settings).map((text) =>
    area.warning(text, 'Set STAFF_READING=reports unless that is intended; it hides all chats from staff at once.'),
  )
  const scans = missingOcr(settings).map(({ text, change }) => area.problem(text, change))
  const misnamed = settings.misnamed.map((text) => area.problem(text, 'Correct the name, or remove it.'))
  const valid = misnamed.length > 0 ? misnamed : [area.ok('All settings are valid.')]
  const findings = [...valid, ...reading, ...scans, ...(await checkAgents(settings)), ...(await checkAddress(settings, address, key))]
  findings.push(...(await checkDatabase(settings, key)), ...(await checkDisk(settings)))
  return asksModel ? [...findings, ...(await checkModels(settings))] : findings
}

const agents = findingsOf('agents')

/** Finds mistakes in the agents' files. Loads no agent and connects to nothing. */
async function checkAgents(settings: Settings): Promise<Finding[]> {
  const { agentsDirectory: directory, variables, prices } = settings
  const variable = (name: string) => variables[name]
  const [mcp, http] = await Promise.all([readMcpFile(settings.mcpFile, variable), readHttpApis(settings.httpToolsFile, variable)])
  const files = await readAgentFiles({ directory, model: settings.model, mcp, http, lacksPrice: (named) => prices.isMissing(named) }).catch(
    () => [],
  )
  if (files.length === 0) return [agents.problem(`No agent can be read in ${directory}.`, 'Set AGENTS_DIR to the folder of the agents.')]
  const mistakes = files.flatMap((file) => file.mistakes.map(sentenceOf))
  if (mistakes.length === 0) return [agents.ok('The files of the agents have no mistakes.')]
  return mistakes.map((text) => agents.problem(`${text}.`, 'Correct the file; docs/agents.md describes its keys.'))
}

const model = findingsOf('model')

/** Asks each configured model for a word, which costs a few tokens. */
function checkModels(settings: Pick<Settings, 'model' | 'fallback'>): Promise<Finding[]> {
  const models = [
    { setting: 'MODEL', of: settings.model },
    ...(settings.fallback ? [{ setting: 'FALLBACK_MODEL', of: settings.fallback.model }] : []),
  ]
  return Promise.all(models.map(({ setting, of }) => checkModel(setting, of)))
}

async function checkModel(setting: string, settings: ModelSettings): Promise<Finding> {
  const { label, provider } = describeModel(settings)
  if (settings.kind === 'builtin') return model.skipped(`${setting} is the built-in assistant, which needs no key.`)
  if (settings.kind === 'local') return model.skipped(`${setting} runs on this machine; the server’s log says whether it loads.`)
  try {
    await askOnce(settings, new AbortController().signal)
    return model.ok(`${label} at ${provider} answers.`)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const code = codeBehind(error)
    const named = code === '' || words.includes(code) ? words : `${words} (${code})`
    return model.problem(`${label} at ${provider} does not answer: ${named}`, changeOf(setting, words, code))
  }
}

function codeBehind(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code } = error as NodeJS.ErrnoException
  return codeBehind(error.cause) || (error.name !== 'AgentFailure' && typeof code === 'string' ? code : '')
}

const CERTIFICATE = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|CERT_|ERR_TLS_CERT)/

/** The messages of `model-request.ts` and the provider name the status. */
function changeOf(setting: string, words: string, code: string): string {
  if (CERTIFICATE.test(code))
    return 'If a proxy intercepts TLS, or the authority is your own, name a file with its certificate in NODE_EXTRA_CA_CERTS.'
  if (code === 'PROXY_407') return 'Put a name and a password into HTTPS_PROXY: http://name:password@proxy.example.org:3128'
  if (code.startsWith('PROXY_')) return 'Let the proxy allow CONNECT to this host and port, or name the host in NO_PROXY.'
  if (/\b40[13]\b/.test(words)) return `Correct the key of the provider; it must be allowed to use this model.`
  if (/\b404\b/.test(words)) return `Correct ${setting}: the provider has no such model, or its base URL lacks a path such as /v1.`
  if (/\b429\b/.test(words)) return 'Raise the quota at the provider, or wait.'
  return 'Check the base URL of the provider, and whether this machine may connect to it. Where only a proxy may, set HTTPS_PROXY.'
}
