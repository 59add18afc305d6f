import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { FrameChats } from '../../contract/config.ts'
import type { ModelSettings } from '../answering/agents/agent.ts'
import type { BudgetLimits, Price } from '../limits/budget.ts'
import { fixedLimits, LIMIT_SETTINGS, type Limits } from '../limits/limit-settings.ts'
import { readEmbeds } from './embeds-file.ts'
import { isAddress, isHostName, isLoopbackHost, isOrigin } from './host-names.ts'
import { embeddingOf, KNOWLEDGE_ENVIRONMENT, knowledgeMistakes, lacksDefaultModel } from './knowledge-settings.ts'
import { useProxies } from '../egress/outgoing-proxy.ts'
import { addEnvironmentFile } from './environment-file.ts'
import { BACKUP_ENVIRONMENT, ledgerSettings } from './backup-settings.ts'
import { CONSOLE_ENVIRONMENT, consoleMistakes, consoleSettings } from './console-settings.ts'
import { DATABASE_ENVIRONMENT, databaseSettings } from './database-settings.ts'
import { BRANDING_ENVIRONMENT, brandingSettings } from './branding-settings.ts'
import { MODEL_ENVIRONMENT, modelMistakes, modelName, modelSettings, traitsOf } from './model-settings.ts'
import { PERSONAL_DATA_ENVIRONMENT, personalDataRules } from './personal-data-settings.ts'
import { MODERATION_ENVIRONMENT, moderationMistakes, moderationSettings } from './moderation-settings.ts'
import { PRICE_ENVIRONMENT, priceMistakes, Prices } from './price-settings.ts'
import { OBSERVABILITY_ENVIRONMENT, observabilitySettings } from './observability-settings.ts'
import { REMOVED_SETTINGS, removedSettingMistakes } from './removed-settings.ts'
import { misnamedSettings } from './misnamed-settings.ts'
import { redisAddressOf } from './redis-address.ts'
import { readSecrets } from './secrets.ts'
import { listOf, oneOf, pageOrigin, SettingsError, text, url, wholeNumber } from './setting-schemas.ts'

export { SettingsError }

const proxy = url(/^https?$/, 'http://proxy.example.org:3128').optional()
const origins = listOf(isOrigin, 'must be origins like https://www.example.org, without a path')
const limit = (defaultValue: number) => wholeNumber(1, 1_000_000_000).default(defaultValue)

type LimitSettings = { [Name in keyof typeof LIMIT_SETTINGS as (typeof LIMIT_SETTINGS)[Name]['setting']]: ReturnType<typeof limit> }
const limitSettings = Object.fromEntries(
  Object.values(LIMIT_SETTINGS).map(({ setting, defaultValue, description }) => [setting, limit(defaultValue).describe(description)]),
) as LimitSettings

/** Every setting with its schema, default and description. `docs/settings.md` is generated from it. */
export const Environment = z.object({
  HOST: text
    .default('127.0.0.1')
    .describe('Address to listen on. Use `0.0.0.0` to listen on every interface, or `::` and `::1` with IPv6.'),
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on. `0` selects a free port.'),
  DATA_DIR: text.default('./data').describe('Folder for the embedded database and the installation key.'),
  ...DATABASE_ENVIRONMENT,
  ...BACKUP_ENVIRONMENT,
  REDIS_URL: text
    .refine(
      (value) => redisAddressOf(value) !== null,
      'must be an address like redis://host:6379 or redis+sentinel://host:26379,host2:26379/mymaster',
    )
    .optional()
    .describe(
      'Connection URL of Redis, used by multiple processes to publish changes to each other: `redis://host:6379`, or `redis+sentinel://host:26379,host2:26379/mymaster` for the master that Sentinel names. Without it, processes poll the database.',
    ),
  KNOWLEDGE_DIR: text
    .default('./knowledge')
    .describe('Folder of the documents that answers are based on: Markdown, text, HTML, CSV, PDF and Word.'),
  AGENTS_DIR: text.default('./agents').describe('Folder of the agents, with one Markdown file for each agent.'),
  TOOLS_DIR: text
    .default('.')
    .describe(
      'Folder of `mcp.json` and `http-tools.json`, which list MCP servers and HTTP APIs whose tools agents can use. Both are optional.',
    ),
  ...MODERATION_ENVIRONMENT,
  ...PERSONAL_DATA_ENVIRONMENT,
  APP_NAME: text.max(60).default('Parley').describe('Name of the installation, shown on the page.'),
  ...BRANDING_ENVIRONMENT,
  CONTACT: text.max(200).optional().describe('Contact for privacy questions: a web or email address.'),
  PRIVACY_NOTICE_FILE: text.optional().describe('Markdown file that replaces the standard privacy notice.'),
  RETENTION_DAYS: wholeNumber(0, 3650)
    .default(30)
    .describe('Days of inactivity after which a chat is deleted. `0` deletes it after one hour of inactivity.'),
  REPORT_DAYS: wholeNumber(1, 365)
    .default(30)
    .describe('Days after which a report that a visitor has handed over to staff is deleted, at the latest with its chat.'),
  ...MODEL_ENVIRONMENT,
  ...KNOWLEDGE_ENVIRONMENT,
  ...limitSettings,
  LIMIT_TURN_INPUT_TOKENS: limit(32_000).describe(
    'Maximum input tokens for one answer, over all its steps. Each tool call sends the context again; content that does not fit is trimmed.',
  ),
  LIMIT_TURN_OUTPUT_TOKENS: limit(2_000).describe('Maximum output tokens for one answer.'),
  ...PRICE_ENVIRONMENT,
  FALLBACK_MODEL: text
    .max(200)
    .optional()
    .describe(
      'Model that answers when `MODEL` fails before its first token, or when the budget or the daily tokens are used up: `builtin`, or a model in the format of `MODEL`.',
    ),
  PROOF_OF_WORK: oneOf('off', 'auto', 'always')
    .default('off')
    .describe(
      'When a prompt requires proof of work, about a second of computation: never (`off`), for browsers on a busy network (`auto`), or `always`.',
    ),
  VOICE_INPUT: oneOf('on', 'off')
    .default('off')
    .describe(
      'Whether visitors can dictate prompts (`on` or `off`), in browsers with speech recognition. Most browsers send the audio to their vendor; the page informs visitors first.',
    ),
  LIMIT_LOOPBACK: oneOf('true', 'false').default('false').describe('Whether network limits also apply to clients on this machine.'),
  CLIENT_IDS: oneOf('strong', 'any', 'none')
    .optional()
    .describe(
      'Session ids that a client without a cookie can choose: `strong` (hard to guess), `any` or `none`. Defaults to `strong`; if the server listens on loopback only, clients that address it by a loopback name can use any id.',
    ),
  PUBLIC_URL: pageOrigin('https://chat.example.org').describe('Public origin of the page.'),
  ALLOWED_HOSTS: listOf(isHostName, 'must be host names like chat.example.org, without a port').describe(
    'Additional host names that requests can address, separated by commas. The host of `PUBLIC_URL` and loopback names are always allowed.',
  ),
  TRUSTED_PROXIES: listOf(isAddress, 'must be addresses or networks like 10.0.0.0/8').describe(
    'Addresses or networks of reverse proxies whose `X-Forwarded-*` headers are trusted, separated by commas.',
  ),
  ALLOWED_ORIGINS: origins.describe('Origins of other sites whose pages can call the API, separated by commas.'),
  FRAME_ANCESTORS: origins.describe('Origins of sites that can embed the page in a frame, separated by commas.'),
  FRAME_CHATS: FrameChats.default('remember').describe(
    'Lifetime of chats on sites that embed the page. `remember`: as on the page itself. `visit`: until the browser is closed, and at most 2 hours after their last use.',
  ),
  INSTALLATION_KEY: text
    .optional()
    .describe(
      'Secret from which the installation derives its keys: at least 32 random characters. Generated in `DATA_DIR` if unset. Multiple processes must share the same key.',
    ),
  INSTALLATION_KEY_PREVIOUS: text
    .optional()
    .describe(
      'The installation key before a change, until the server has started with the new one. See [Changing the installation key](operations/change-key.md).',
    ),
  ...CONSOLE_ENVIRONMENT,
  ...OBSERVABILITY_ENVIRONMENT,
  HTTPS_PROXY: proxy.describe(
    'Proxy for `https://` addresses that the server asks for: models, embeddings, moderation, websites, tools, webhooks and sign-in. It must allow `CONNECT` to their ports. See [Outgoing proxy](deployment.md#outgoing-proxy).',
  ),
  HTTP_PROXY: proxy.describe('The same for `http://` addresses.'),
  NO_PROXY: text
    .optional()
    .describe('Hosts that are asked directly: names with all below them, addresses and networks, separated by commas.'),
  STRICT_SETTINGS: oneOf('0', '1')
    .default('0')
    .describe('With `1`, a name that looks like a mistyped setting stops the start; otherwise the start and the doctor say it.'),
})

export type Settings = ReturnType<typeof settingsOf>

/** Adds the settings of the file in `PARLEY_ENV_FILE` to the environment, and sends what leaves through its proxies. @throws {SettingsError} if it can't be read. */
export function prepareEnvironment(): void {
  addEnvironmentFile(process.env)
  useProxies(process.env)
}

/** The folder that relative paths of arguments are in; npm and the archive's `parley` run commands in another one. */
export function callersFolder(): string {
  return process.env['INIT_CWD'] ?? '.'
}

/** Reads and validates the settings. @throws {SettingsError} that lists every mistake. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const secrets = readSecrets(environment)
  const given = Object.fromEntries(Object.entries(secrets.environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = Environment.safeParse(given)
  const removed = removedSettingMistakes(given)
  const misnamed = misnamedSettings(
    Object.keys(environment).filter((name) => environment[name] !== undefined && !Object.hasOwn(REMOVED_SETTINGS, name)),
    Object.keys(Environment.shape),
  )
  const mistakes = [
    ...secrets.mistakes,
    ...removed,
    ...(given['STRICT_SETTINGS'] === '1' ? misnamed : []),
    ...(parsed.success ? crossMistakes(parsed.data) : mistakesOf(given, parsed.error)),
  ]
  if (!parsed.success || mistakes.length > 0) throw new SettingsError(`These settings need a change: ${mistakes.join('; ')}.`)
  return settingsOf(parsed.data, given as Record<string, string>, misnamed)
}

/** Mistakes in single settings, and those in the combination of the others. */
function mistakesOf(given: Readonly<Record<string, unknown>>, { issues }: z.ZodError): string[] {
  const wrong = issues.map(({ path }) => String(path[0]))
  const others = Environment.safeParse(Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.includes(name))))
  const combined = others.success ? crossMistakes(others.data).filter((mistake) => !wrong.some((name) => mistake.includes(name))) : []
  return [...issues.map((issue) => `${issue.path.join('.')} ${issue.message}`), ...combined]
}

type Environment = z.infer<typeof Environment>

function crossMistakes(environment: Environment): string[] {
  const mistakes = priceMistakes(environment)
  const { MODEL, FALLBACK_MODEL, PRIVACY_NOTICE_FILE } = environment
  const ofModel = modelMistakes(environment, 'MODEL', MODEL)
  mistakes.push(...ofModel)
  if (FALLBACK_MODEL && ofModel.length === 0) mistakes.push(...modelMistakes(environment, 'FALLBACK_MODEL', FALLBACK_MODEL))
  mistakes.push(...knowledgeMistakes(environment), ...consoleMistakes(environment), ...moderationMistakes(environment))
  mistakes.push(...readEmbeds(resolve(environment.AGENTS_DIR)).mistakes)
  if (PRIVACY_NOTICE_FILE && !existsSync(PRIVACY_NOTICE_FILE)) mistakes.push('PRIVACY_NOTICE_FILE names no file')
  return mistakes
}

function settingsOf(environment: Environment, variables: Readonly<Record<string, string>>, misnamed: string[]) {
  const dataDirectory = resolve(environment.DATA_DIR)
  return {
    host: environment.HOST,
    port: environment.PORT,
    dataDirectory,
    database: databaseSettings(environment, dataDirectory),
    ledger: ledgerSettings(environment, dataDirectory),
    backupPassphrase: environment.BACKUP_PASSPHRASE ?? null,
    redis: environment.REDIS_URL === undefined ? null : redisAddressOf(environment.REDIS_URL),
    knowledgeDirectory: resolve(environment.KNOWLEDGE_DIR),
    browserUrl: environment.BROWSER_URL ?? null,
    usesOcr: environment.OCR === 'tesseract',
    embedding: embeddingOf(environment),
    lacksEmbedding: lacksDefaultModel(environment),
    agentsDirectory: resolve(environment.AGENTS_DIR),
    mcpFile: resolve(environment.TOOLS_DIR, 'mcp.json'),
    httpToolsFile: resolve(environment.TOOLS_DIR, 'http-tools.json'),
    variables,
    misnamed,
    name: environment.APP_NAME,
    branding: brandingSettings(environment),
    contact: environment.CONTACT ?? null,
    privacyNoticeFile: environment.PRIVACY_NOTICE_FILE ? resolve(environment.PRIVACY_NOTICE_FILE) : null,
    retentionDays: environment.RETENTION_DAYS,
    reportDays: environment.REPORT_DAYS,
    model: { ...modelSettings(environment, environment.MODEL), ...traitsOf(environment) },
    modelWindow: environment.MODEL_WINDOW ?? Number.POSITIVE_INFINITY,
    proofOfWork: environment.PROOF_OF_WORK,
    voiceInput: environment.VOICE_INPUT === 'on',
    limits: limitsOf(environment),
    budgets: budgetsOf(environment),
    prices: new Prices(environment),
    fallback: fallbackOf(environment),
    clientIds: environment.CLIENT_IDS ?? (isLoopbackHost(environment.HOST) ? 'any-here' : 'strong'),
    trustedProxies: environment.TRUSTED_PROXIES,
    allowedOrigins: environment.ALLOWED_ORIGINS,
    frameAncestors: environment.FRAME_ANCESTORS,
    embeds: readEmbeds(resolve(environment.AGENTS_DIR)).embeds,
    frameChats: environment.FRAME_CHATS,
    publicUrl: environment.PUBLIC_URL ?? null,
    allowedHosts: environment.ALLOWED_HOSTS,
    moderation: moderationSettings(environment),
    personalData: personalDataRules(environment),
    installationKey: environment.INSTALLATION_KEY ?? null,
    previousKey: environment.INSTALLATION_KEY_PREVIOUS ?? null,
    staffReading: environment.STAFF_READING === 'all',
    console: consoleSettings(environment),
    ...observabilitySettings(environment),
  }
}

function limitsOf(environment: Environment): Limits {
  const numbers = Object.entries(LIMIT_SETTINGS).map(([name, { setting }]) => [name, environment[setting]])
  return {
    ...(Object.fromEntries(numbers) as Record<keyof typeof LIMIT_SETTINGS, number>),
    ...fixedLimits(),
    limitLoopback: environment.LIMIT_LOOPBACK === 'true',
  }
}

function budgetsOf(environment: Environment): BudgetLimits {
  return {
    turn: { inputTokens: environment.LIMIT_TURN_INPUT_TOKENS, outputTokens: environment.LIMIT_TURN_OUTPUT_TOKENS },
    tokensPerDay: environment.LIMIT_TOKENS_PER_DAY,
    networkTokensPerDay: environment.LIMIT_NETWORK_TOKENS_PER_DAY,
    moneyPerDay: environment.BUDGET_PER_DAY ?? null,
    moneyPerMonth: environment.BUDGET_PER_MONTH ?? null,
  }
}

function fallbackOf(environment: Environment): { model: ModelSettings; price: Price | null } | null {
  const model = environment.FALLBACK_MODEL
  if (!model) return null
  return { model: modelSettings(environment, model), price: new Prices(environment).of(modelName(environment, model)) }
}
