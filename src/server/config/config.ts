import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { ModelSettings } from '../agent/agent.ts'
import type { ModerationSettings } from '../agent/moderation/moderator.ts'
import { type Language, LANGUAGES } from '../../contract/supported-languages.ts'
import type { BudgetLimits, Price } from '../limits/budget.ts'
import { type Limits, LIMITS } from '../limits/limit-settings.ts'
import { isHostName, isLoopbackHost } from './host-names.ts'
import type { EmbeddingSettings } from '../knowledge/embeddings/embed.ts'
import type { RerankSettings } from '../knowledge/retrieval/rerank.ts'
import { embeddingOf, KNOWLEDGE_ENVIRONMENT, knowledgeMistakes, rerankOf } from './knowledge-settings.ts'
import { BRANDING_ENVIRONMENT, type BrandingSettings, brandingSettings } from './branding-settings.ts'
import { MODEL_ENVIRONMENT, MODEL_PICTURES, modelMistakes, modelSettings } from './model-settings.ts'
import { MODERATION_ENVIRONMENT, moderationMistakes, moderationSettings } from './moderation-settings.ts'
import { PRICE_ENVIRONMENT, priceMistakes, priceOfFallback, Prices } from './price-settings.ts'
import { readSecrets } from './secrets.ts'
import { text, url } from './setting-schemas.ts'
import type { DatabaseSettings } from '../store/database.ts'

const wholeNumber = (low: number, high: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(low, `must be at least ${low}`).max(high, `must be at most ${high}`))
const limit = (defaultValue: number) => wholeNumber(1, 1_000_000_000).default(defaultValue)

type LimitSettings = { [Name in keyof typeof LIMITS as (typeof LIMITS)[Name]['setting']]: ReturnType<typeof limit> }
const limitSettings = Object.fromEntries(
  Object.values(LIMITS).map(({ setting, defaultValue, says }) => [setting, limit(defaultValue).describe(says)]),
) as LimitSettings

/** Every setting: its form, its default, and what it does. `docs/settings.md` is made from this. */
export const Environment = z.object({
  HOST: text.default('127.0.0.1').describe('Address to listen on. 0.0.0.0 for every interface.'),
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on. 0 takes a free one.'),
  DATA_DIR: text.default('./data').describe('Folder of the embedded database and of the installation key.'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user@host/name')
    .optional()
    .describe('PostgreSQL, instead of the embedded database.'),
  REDIS_URL: url(/^rediss?$/, 'redis://host:6379')
    .optional()
    .describe('Redis, through which several processes hear of each other at once. Without it they look into the database.'),
  KNOWLEDGE_DIR: text
    .default('./knowledge')
    .describe('Folder of what the assistant answers from: Markdown, text, HTML, CSV, PDF and Word documents.'),
  KNOWLEDGE_LANGUAGES: text
    .refine((value) => list(value).every((name) => LANGUAGES.includes(name as Language)), `must be out of ${LANGUAGES.join(', ')}`)
    .transform((value) => list(value) as Language[])
    .default(['english', 'german', 'french', 'spanish'])
    .describe(`Languages of that and of visitors, separated by commas: out of ${LANGUAGES.join(', ')}.`),
  AGENTS_DIR: text.default('./agents').describe('Folder of the agents, a Markdown file each.'),
  MCP_FILE: text
    .default('./mcp.json')
    .describe('File that names MCP servers, whose tools agents may use; there is none when it is missing.'),
  HTTP_TOOLS_FILE: text
    .default('./http-tools.json')
    .describe('File that names APIs, whose operations agents may use as tools; there is none when it is missing.'),
  WEB_SEARCH_URL: url(/^https?$/, 'http://localhost:8080/search')
    .optional()
    .describe('Search that speaks as SearXNG does, for agents with the tool `web_search`.'),
  ...MODERATION_ENVIRONMENT,
  APP_NAME: text.max(60).default('Parley').describe('Name of the installation, shown in the page.'),
  ...BRANDING_ENVIRONMENT,
  CONTACT: text.max(200).optional().describe('Whom visitors can ask about privacy: an address or a mailbox.'),
  PRIVACY_NOTICE_FILE: text.optional().describe('Markdown file that replaces the privacy notice.'),
  RETENTION_DAYS: wholeNumber(0, 3650)
    .default(30)
    .describe('Days after the last activity until a chat is deleted. 0 keeps it for an hour without activity.'),
  ...MODEL_ENVIRONMENT,
  ...KNOWLEDGE_ENVIRONMENT,
  MODEL_PICTURES,
  ...limitSettings,
  MAX_WAIT_S: wholeNumber(0, 20).default(10).describe('Seconds that a prompt waits at most.'),
  MAX_LAG_MS: limit(100).describe('Lag of the event loop, half a second long, from which on prompts wait, so that running answers go on.'),
  LIMIT_HISTORY_TOKENS: wholeNumber(500, 1_000_000)
    .default(4_000)
    .describe('Tokens of the chat so far that a model reads with a prompt; what is older it has summed up.'),
  MODEL_WINDOW: wholeNumber(2_000, 10_000_000)
    .optional()
    .describe(
      'Context window of MODEL in tokens: what it can read and write in one call. No call is sent more. Without it the limits of an answer apply alone.',
    ),
  LIMIT_TURN_INPUT_TOKENS: limit(32_000).describe(
    'Tokens that a model may read for one answer, all its steps together. Each lookup has it read everything again; what does not fit is trimmed.',
  ),
  LIMIT_TURN_OUTPUT_TOKENS: limit(2_000).describe('Tokens that a model may write for one answer.'),
  ...PRICE_ENVIRONMENT,
  FALLBACK_MODEL: text
    .max(200)
    .optional()
    .describe(
      'Model that answers when MODEL fails before its first word, or when the budget or the tokens of the day are used up: `builtin`, or one that is named as MODEL is.',
    ),
  SUGGESTIONS: z
    .enum(['off', 'on'], 'must be off or on')
    .default('off')
    .describe(
      'Whether MODEL is asked, after each answer, for up to 3 prompts that could follow. It is one more short call, counted as part of the answer, whose end waits for it for 4 s at most. The built-in assistant offers related topics in any case.',
    ),
  PROOF_OF_WORK: z
    .enum(['off', 'auto', 'always'], 'must be off, auto or always')
    .default('off')
    .describe('Whether a prompt needs work that costs its sender a second: never, from browsers of a busy network, or always.'),
  PROOF_OF_WORK_FROM: wholeNumber(0, 100)
    .default(50)
    .describe(
      'With `auto`: percent of the prompts or new visitors that a network may send, and of all new visitors, above which it needs that.',
    ),
  TITLES: z
    .enum(['prompt', 'model'], 'must be prompt or model')
    .default('prompt')
    .describe('Who names a chat: its first prompt, or the model, in one more short call after the first answer.'),
  SHARING: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe(
      'Whether visitors may let others read a chat by a link that ends after some days. Turned off, links that were made show nothing.',
    ),
  VOICE_INPUT: z
    .enum(['on', 'off'], 'must be on or off')
    .default('off')
    .describe(
      'Whether visitors may speak instead of writing, in browsers that write it down. Most of those send the voice to their maker, of which a visitor is told first.',
    ),
  LIMIT_LOOPBACK: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe('Whether clients on this machine are limited by network too.'),
  CLIENT_IDS: z
    .enum(['strong', 'any', 'none'], 'must be strong, any or none')
    .optional()
    .describe(
      'Which ids a client without a cookie may choose for itself; by default strong ones, and any from this machine if only that reaches the server.',
    ),
  PUBLIC_URL: text
    .refine(
      (value) => /^https?:\/\/[^/?#@]+\/?$/.test(value) && URL.canParse(value),
      'must be like https://chat.example.org, without a path',
    )
    .transform((value) => new URL(value).origin)
    .optional()
    .describe('Address under which visitors reach the page; OIDC needs it.'),
  OIDC_ISSUER: url(/^https?$/, 'https://login.example.org/realms/main')
    .optional()
    .describe('OpenID Connect provider with which visitors may sign in; nobody can when unset.'),
  OIDC_CLIENT_ID: text.max(500).optional().describe('Id of this installation at the provider.'),
  OIDC_CLIENT_SECRET: text.optional().describe('Its secret there; unset for a public client, which has PKCE alone.'),
  OIDC_SCOPE: text
    .max(500)
    .regex(/^[\w.:/-]+( [\w.:/-]+)*$/, 'must be names with a space between them')
    .refine((value) => value.split(' ').includes('openid'), 'must contain openid')
    .default('openid')
    .describe('What the provider is asked for. With `openid profile` the name is asked for, shown and stored.'),
  OIDC_LABEL: text.max(40).default('Sign in').describe('What the button for signing in says.'),
  ALLOWED_HOSTS: text
    .optional()
    .describe('Host names that requests may address, beside PUBLIC_URL’s and loopback names, separated by commas.'),
  TRUSTED_PROXIES: text.optional().describe('Addresses of reverse proxies whose X-Forwarded-* headers are believed, separated by commas.'),
  ALLOWED_ORIGINS: text.optional().describe('Origins of other sites whose pages may use the API, separated by commas.'),
  FRAME_ANCESTORS: text.optional().describe('Origins of sites that may show the page in a frame, separated by commas.'),
  INSTALLATION_KEY: text
    .optional()
    .describe(
      'Secret that client-chosen ids are hashed with; made in DATA_DIR when unset. At least 32 random characters. Several processes need the same.',
    ),
  METRICS_TOKEN: text
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Token with which `GET /metrics` answers, for Prometheus: `Authorization: Bearer …`. There are no metrics when unset.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug'], 'must be fatal, error, warn, info or debug')
    .default('warn')
    .describe('What to log, as JSON lines.'),
})

export interface Settings {
  host: string
  port: number
  dataDirectory: string
  database: DatabaseSettings
  redisUrl: string | null
  knowledgeDirectory: string
  /** What tells how near passages of it are in meaning; null for words alone. */
  embedding: EmbeddingSettings | null
  /** What orders the best passages of a search; null for nothing. */
  rerank: RerankSettings | null
  /** PostgreSQL that holds the index of the knowledge; null for one in each process. */
  sharedIndex: { databaseUrl: string } | null
  /** Where `mcp.json` is, or would be. */
  mcpFile: string
  /** Where `http-tools.json` is, or would be. */
  httpToolsFile: string
  /** Where the web is searched. */
  searchEndpoint: string | null
  /** The environment, for files that name variables of it. */
  variables: Readonly<Record<string, string>>
  knowledgeLanguages: Language[]
  agentsDirectory: string
  name: string
  branding: BrandingSettings
  contact: string | null
  privacyNoticeFile: string | null
  retentionDays: number
  model: ModelSettings
  /** What the model can read and write at once, in tokens. */
  modelWindow: number
  /** Whether the model is asked for prompts that could follow an answer. */
  suggests: boolean
  proofOfWork: 'off' | 'auto' | 'always'
  titles: 'prompt' | 'model'
  /** Whether visitors may share chats by links. */
  sharing: boolean
  voiceInput: boolean
  limits: Limits
  maxWaitMs: number
  maxLagMs: number
  budgets: BudgetLimits
  prices: Prices
  /** Answers when the primary model is over its budget; `null` if none. */
  fallback: { model: ModelSettings; price: Price | null } | null
  /** `any-here`: any for who calls this machine by its own name, strong ones for everybody else. */
  clientIds: 'strong' | 'any' | 'any-here' | 'none'
  trustedProxies: string[]
  /** Exact origins whose pages may use the API. */
  allowedOrigins: string[]
  allowedHosts: string[]
  /** Exact origins that may show the page in a frame. */
  frameAncestors: string[]
  /** Origin of the page as visitors reach it; null for that of each request. */
  publicUrl: string | null
  signIn: SignInSettings | null
  moderation: ModerationSettings | null
  installationKey: string | null
  metricsToken: string | null
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug'
}

/** The provider with which visitors may sign in. */
export interface SignInSettings {
  issuer: string
  clientId: string
  /** Null for a public client. */
  clientSecret: string | null
  scope: string
  label: string
}

/** All that is wrong with the settings, in one error; it names keys, never values. */
export class SettingsError extends Error {}

/** Reads the settings. Throws a `SettingsError` that lists every mistake. */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const secrets = readSecrets(environment)
  const given = Object.fromEntries(Object.entries(secrets.environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = Environment.safeParse(given)
  const mistakes = [
    ...secrets.mistakes,
    ...(parsed.success ? crossMistakes(parsed.data) : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)),
  ]
  if (!parsed.success || mistakes.length > 0) throw new SettingsError(`These settings need a change: ${mistakes.join('; ')}.`)
  return settingsOf(parsed.data, given as Record<string, string>)
}

type Environment = z.infer<typeof Environment>

function crossMistakes(environment: Environment): string[] {
  const mistakes = priceMistakes(environment)
  const { MODEL, FALLBACK_MODEL, PRIVACY_NOTICE_FILE } = environment
  mistakes.push(...modelMistakes(environment, 'MODEL', MODEL))
  if (FALLBACK_MODEL && mistakes.length === 0) mistakes.push(...modelMistakes(environment, 'FALLBACK_MODEL', FALLBACK_MODEL))
  mistakes.push(...knowledgeMistakes(environment), ...signInMistakes(environment), ...moderationMistakes(environment))
  if (!list(environment.TRUSTED_PROXIES).every(isAddress)) mistakes.push('TRUSTED_PROXIES must be addresses or networks like 10.0.0.0/8')
  if (!list(environment.ALLOWED_HOSTS).every(isHostName))
    mistakes.push('ALLOWED_HOSTS must be host names like chat.example.org, without a port')
  for (const name of ['ALLOWED_ORIGINS', 'FRAME_ANCESTORS'] as const) {
    if (!list(environment[name]).every(isOrigin)) mistakes.push(`${name} must be origins like https://www.example.org, without a path`)
  }
  if (PRIVACY_NOTICE_FILE && !existsSync(PRIVACY_NOTICE_FILE)) mistakes.push('PRIVACY_NOTICE_FILE names no file')
  return mistakes
}

function signInMistakes({ OIDC_ISSUER, OIDC_CLIENT_ID, PUBLIC_URL, HOST }: Environment): string[] {
  if (!OIDC_ISSUER) return OIDC_CLIENT_ID ? ['OIDC_CLIENT_ID needs OIDC_ISSUER'] : []
  const { protocol, hostname } = new URL(OIDC_ISSUER)
  const mistakes: string[] = []
  if (!OIDC_CLIENT_ID) mistakes.push('OIDC_CLIENT_ID is missing, name this installation as the provider knows it')
  if (protocol === 'http:' && !isLoopbackHost(hostname)) mistakes.push('OIDC_ISSUER must be https, except on this machine')
  if (!PUBLIC_URL && !isLoopbackHost(HOST)) mistakes.push('PUBLIC_URL is missing, OIDC_ISSUER needs to know where visitors come back to')
  return mistakes
}

function settingsOf(environment: Environment, variables: Readonly<Record<string, string>>): Settings {
  const dataDirectory = resolve(environment.DATA_DIR)
  return {
    host: environment.HOST,
    port: environment.PORT,
    dataDirectory,
    database: environment.DATABASE_URL ? { kind: 'postgres', url: environment.DATABASE_URL } : { kind: 'sqlite', directory: dataDirectory },
    redisUrl: environment.REDIS_URL ?? null,
    knowledgeDirectory: resolve(environment.KNOWLEDGE_DIR),
    embedding: embeddingOf(environment),
    rerank: rerankOf(environment),
    sharedIndex: environment.KNOWLEDGE_INDEX === 'database' && environment.DATABASE_URL ? { databaseUrl: environment.DATABASE_URL } : null,
    knowledgeLanguages: environment.KNOWLEDGE_LANGUAGES,
    agentsDirectory: resolve(environment.AGENTS_DIR),
    mcpFile: resolve(environment.MCP_FILE),
    httpToolsFile: resolve(environment.HTTP_TOOLS_FILE),
    searchEndpoint: environment.WEB_SEARCH_URL ?? null,
    variables,
    name: environment.APP_NAME,
    branding: brandingSettings(environment),
    contact: environment.CONTACT ?? null,
    privacyNoticeFile: environment.PRIVACY_NOTICE_FILE ? resolve(environment.PRIVACY_NOTICE_FILE) : null,
    retentionDays: environment.RETENTION_DAYS,
    model: { ...modelSettings(environment, environment.MODEL), ...picturesOf(environment) },
    modelWindow: environment.MODEL_WINDOW ?? Number.POSITIVE_INFINITY,
    suggests: environment.SUGGESTIONS === 'on',
    proofOfWork: environment.PROOF_OF_WORK,
    titles: environment.TITLES,
    sharing: environment.SHARING === 'on',
    voiceInput: environment.VOICE_INPUT === 'on',
    limits: limitsOf(environment),
    maxWaitMs: environment.MAX_WAIT_S * 1000,
    maxLagMs: environment.MAX_LAG_MS,
    budgets: budgetsOf(environment),
    prices: new Prices(environment),
    fallback: fallbackOf(environment),
    clientIds: environment.CLIENT_IDS ?? (isLoopbackHost(environment.HOST) ? 'any-here' : 'strong'),
    trustedProxies: list(environment.TRUSTED_PROXIES),
    allowedOrigins: list(environment.ALLOWED_ORIGINS),
    frameAncestors: list(environment.FRAME_ANCESTORS),
    publicUrl: environment.PUBLIC_URL ?? null,
    allowedHosts: list(environment.ALLOWED_HOSTS),
    signIn: signInOf(environment),
    moderation: moderationSettings(environment),
    installationKey: environment.INSTALLATION_KEY ?? null,
    metricsToken: environment.METRICS_TOKEN ?? null,
    logLevel: environment.LOG_LEVEL,
  }
}

function picturesOf({ MODEL_PICTURES: pictures }: Environment): { pictures?: boolean } {
  return pictures === 'auto' ? {} : { pictures: pictures === 'yes' }
}

function limitsOf(environment: Environment): Limits {
  const numbers = Object.entries(LIMITS).map(([name, { setting }]) => [name, environment[setting]])
  return {
    ...(Object.fromEntries(numbers) as Record<keyof typeof LIMITS, number>),
    proofFrom: environment.PROOF_OF_WORK_FROM / 100,
    limitLoopback: environment.LIMIT_LOOPBACK === 'true',
  }
}

function budgetsOf(environment: Environment): BudgetLimits {
  return {
    turn: { inputTokens: environment.LIMIT_TURN_INPUT_TOKENS, outputTokens: environment.LIMIT_TURN_OUTPUT_TOKENS },
    historyTokens: environment.LIMIT_HISTORY_TOKENS,
    tokensPerDay: environment.LIMIT_TOKENS_PER_DAY,
    networkTokensPerDay: environment.LIMIT_NETWORK_TOKENS_PER_DAY,
    moneyPerDay: environment.BUDGET_PER_DAY ?? null,
    moneyPerMonth: environment.BUDGET_PER_MONTH ?? null,
  }
}

function fallbackOf(environment: Environment): Settings['fallback'] {
  const model = environment.FALLBACK_MODEL
  if (!model) return null
  return { model: modelSettings(environment, model), price: priceOfFallback(environment, model) }
}

function signInOf({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_SCOPE, OIDC_LABEL }: Environment): SignInSettings | null {
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) return null
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET ?? null, scope: OIDC_SCOPE, label: OIDC_LABEL }
}

/** An IP address, or a network as address and prefix. */
function isAddress(value: string): boolean {
  const [address = '', prefix, ...more] = value.split('/')
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  return bits > 0 && more.length === 0 && (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
}

/** Written as a browser writes it, so that it can be compared letter for letter. */
function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.parse(value)?.origin === value
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
