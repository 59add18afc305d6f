import { z } from 'zod'
import type { ModelSettings } from '../answering/agents/agent.ts'
import { checksum, ggufFile, localFileMistakes, localSource } from './local-file-settings.ts'
import type { ModelTraits } from '../models/model-settings.ts'
import { REASONING_EFFORTS } from '../models/reasoning-effort.ts'
import { oneOf, text, url, wholeNumber } from './setting-schemas.ts'

const DEFAULT_CONTEXT_TOKENS = 8_192

const LOCAL_MODEL_ENVIRONMENT = {
  LOCAL_MODEL_URL: ggufFile
    .optional()
    .describe(
      'GGUF file for `MODEL=local`: its download address, or its path on this machine. By default, Qwen3-0.6B (640 MB) is downloaded to `DATA_DIR`.',
    ),
  LOCAL_MODEL_SHA256: checksum
    .optional()
    .describe('SHA-256 checksum of the GGUF file for `MODEL=local`. Required with a download address.'),
}

const endpoint = (example: string) => url(/^https?$/, example).optional()

const GATEWAY_PROVIDERS = ['anthropic', 'google', 'mistral', 'bedrock'] as const
type GatewayProvider = (typeof GATEWAY_PROVIDERS)[number]
const GATEWAY = new RegExp(`^(${GATEWAY_PROVIDERS.join('|')})=(https?://\\S+)$`)

export const MODEL_ENVIRONMENT = {
  OPENAI_API_KEY: text.optional().describe('API key for OpenAI, or for the endpoint in `OPENAI_BASE_URL`.'),
  OPENAI_BASE_URL: endpoint('http://localhost:11434/v1').describe('OpenAI-compatible endpoint, used instead of OpenAI.'),
  ANTHROPIC_API_KEY: text.optional().describe('API key for Anthropic.'),
  GOOGLE_API_KEY: text.optional().describe('API key for Google Gemini.'),
  MISTRAL_API_KEY: text.optional().describe('API key for Mistral.'),
  AZURE_BASE_URL: endpoint('https://my-resource.openai.azure.com').describe(
    'Endpoint of an Azure OpenAI resource. `MODEL` is then the name of a deployment.',
  ),
  AZURE_API_KEY: text.optional().describe('API key for Azure OpenAI.'),
  BEDROCK_REGION: text
    .regex(/^[a-z0-9-]{1,40}$/, 'must be a region like eu-central-1')
    .optional()
    .describe('AWS region of Amazon Bedrock. Requires `AWS_BEARER_TOKEN_BEDROCK`, or `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.'),
  AWS_BEARER_TOKEN_BEDROCK: text.optional().describe('API key for Amazon Bedrock.'),
  AWS_ACCESS_KEY_ID: text.optional().describe('AWS access key that signs requests to Bedrock. Ignored without `BEDROCK_REGION`.'),
  AWS_SECRET_ACCESS_KEY: text.optional().describe('Secret of `AWS_ACCESS_KEY_ID`.'),
  AWS_SESSION_TOKEN: text.optional().describe('Session token, for temporary AWS credentials.'),
  PROVIDER_URLS: text
    .refine(
      (value) => gatewaysIn(value) !== null,
      `must be like anthropic=https://gateway.example.org/v1, for ${GATEWAY_PROVIDERS.join(', ')}`,
    )
    .optional()
    .describe(
      `Base URLs used instead of a provider’s own, such as gateways or VPC endpoints, separated by commas: \`anthropic=https://gateway.example.org/anthropic/v1\`. For ${GATEWAY_PROVIDERS.map((name) => `\`${name}\``).join(', ')}.`,
    ),
  MODEL: text
    .max(200)
    .optional()
    .describe(
      'Model that answers. `builtin` is the built-in assistant; `local` runs a language model on this server. If several providers are configured, prefix the provider: `google:gemini-2.5-flash`. Providers: `openai`, `anthropic`, `google`, `mistral`, `azure` and `bedrock`.',
    ),
  REASONING_EFFORT: z
    .enum(REASONING_EFFORTS, `must be one of ${REASONING_EFFORTS.join(', ')}`)
    .optional()
    .describe(
      'Reasoning effort: `none`, `minimal`, `low`, `medium`, `high` or `xhigh`. Models differ in which values they support. If unset, `low` for GPT-5 models and the provider’s default for others.',
    ),
  MODEL_WINDOW: wholeNumber(2_000, 10_000_000)
    .optional()
    .describe(
      'Context window of `MODEL` in tokens, input and output together. Calls are trimmed to fit. If unset, only the limits per answer apply, and `MODEL=local` has 8192; a larger window needs more memory.',
    ),
  MODEL_PROFILE: oneOf('auto', 'small', 'large')
    .default('auto')
    .describe(
      'Whether `MODEL` is `small` or `large`. A small one gets two passages and no tools, sentences with facts that its passages don’t state are dropped, and what the search finds no passage for isn’t sent to it. `auto`: `MODEL=local` is small, and so are models whose name says that they have less than 8 billion parameters.',
    ),
  MODEL_TOOLS: oneOf('auto', 'on', 'off')
    .default('auto')
    .describe(
      'Whether `MODEL` gets tools, such as a second search: `on` or `off`. `auto`: unless the model is small, or its endpoint rejects them.',
    ),
  MODEL_IMAGES: oneOf('auto', 'yes', 'no')
    .default('auto')
    .describe(
      'Whether `MODEL` accepts images: `yes` or `no`. `auto` detects the models of the providers above, and means `no` for any other endpoint.',
    ),
  MODEL_FIRST_DATA_SECONDS: wholeNumber(5, 3_600)
    .optional()
    .describe('Maximum wait for the first data of an answer. By default 30 for hosted providers, and 300 for `OPENAI_BASE_URL`.'),
  ...LOCAL_MODEL_ENVIRONMENT,
}

export type ModelEnvironment = z.infer<z.ZodObject<typeof MODEL_ENVIRONMENT>>

interface ProviderForm {
  isSet: (environment: ModelEnvironment) => boolean
  needs: string
  mistake?: (environment: ModelEnvironment) => string | undefined
  settings: (environment: ModelEnvironment, model: string) => ModelSettings
}

const key = (value: string | undefined) => value as string

/** A provider that needs a key alone, and whose base URL `PROVIDER_URLS` can replace. */
function withKey(
  kind: 'anthropic' | 'google' | 'mistral',
  needs: 'ANTHROPIC_API_KEY' | 'GOOGLE_API_KEY' | 'MISTRAL_API_KEY',
): ProviderForm {
  return {
    needs,
    isSet: (environment) => environment[needs] !== undefined,
    settings: (environment, model) => ({ kind, apiKey: key(environment[needs]), model, ...gateway(kind, environment.PROVIDER_URLS) }),
  }
}

const PROVIDERS: Record<string, ProviderForm> = {
  openai: {
    needs: 'OPENAI_API_KEY or OPENAI_BASE_URL',
    isSet: ({ OPENAI_API_KEY, OPENAI_BASE_URL }) => OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined,
    settings: ({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl }, model) =>
      baseUrl ? { kind: 'openai-compatible', baseUrl, apiKey, model } : { kind: 'openai', apiKey: key(apiKey), model },
  },
  anthropic: withKey('anthropic', 'ANTHROPIC_API_KEY'),
  google: withKey('google', 'GOOGLE_API_KEY'),
  mistral: withKey('mistral', 'MISTRAL_API_KEY'),
  azure: {
    needs: 'AZURE_BASE_URL and AZURE_API_KEY',
    isSet: ({ AZURE_BASE_URL, AZURE_API_KEY }) => AZURE_BASE_URL !== undefined || AZURE_API_KEY !== undefined,
    mistake: ({ AZURE_BASE_URL, AZURE_API_KEY }) =>
      AZURE_BASE_URL && AZURE_API_KEY ? undefined : 'AZURE_BASE_URL and AZURE_API_KEY go together, set both',
    settings: ({ AZURE_BASE_URL: baseUrl, AZURE_API_KEY: apiKey }, model) => ({
      kind: 'azure',
      baseUrl: key(baseUrl),
      apiKey: key(apiKey),
      model,
    }),
  },
  bedrock: {
    needs: 'BEDROCK_REGION and the AWS keys',
    isSet: ({ BEDROCK_REGION }) => BEDROCK_REGION !== undefined,
    mistake: ({ AWS_BEARER_TOKEN_BEDROCK, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }) =>
      AWS_BEARER_TOKEN_BEDROCK || (AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY)
        ? undefined
        : 'BEDROCK_REGION needs AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    settings: bedrockSettings,
  },
}

/** Base URLs by provider; `null` if one is invalid or named twice. */
function gatewaysIn(value: string): ReadonlyMap<string, string> | null {
  const pairs = value.split(',').map((pair) => GATEWAY.exec(pair.trim()))
  const gateways = new Map(pairs.flatMap((pair) => (pair?.[1] && pair[2] && URL.canParse(pair[2]) ? [[pair[1], pair[2]] as const] : [])))
  return gateways.size === pairs.length ? gateways : null
}

function gateway(provider: GatewayProvider, urls: string | undefined): { baseUrl?: string } {
  const baseUrl = gatewaysIn(urls ?? '')?.get(provider)
  return baseUrl === undefined ? {} : { baseUrl }
}

function bedrockSettings(environment: ModelEnvironment, model: string): ModelSettings {
  const { BEDROCK_REGION, PROVIDER_URLS, AWS_BEARER_TOKEN_BEDROCK, AWS_SESSION_TOKEN: sessionToken } = environment
  return {
    kind: 'bedrock',
    region: key(BEDROCK_REGION),
    credentials: AWS_BEARER_TOKEN_BEDROCK
      ? { apiKey: AWS_BEARER_TOKEN_BEDROCK }
      : {
          accessKeyId: key(environment.AWS_ACCESS_KEY_ID),
          secretAccessKey: key(environment.AWS_SECRET_ACCESS_KEY),
          ...(sessionToken && { sessionToken }),
        },
    model,
    ...gateway('bedrock', PROVIDER_URLS),
  }
}

/** Models without an API key and without a price per token. */
const OWN_MODELS: readonly (string | undefined)[] = ['builtin', 'local']

export const isOwnModel = (named: string | undefined): boolean => OWN_MODELS.includes(named)

/** The model name without its provider, as in price lists. */
export function modelName(environment: ModelEnvironment, named: string): string {
  return chosen(environment, named)?.model ?? named
}

export function modelMistakes(environment: ModelEnvironment, setting: string, named: string | undefined): string[] {
  const set = Object.entries(PROVIDERS).filter(([, provider]) => provider.isSet(environment))
  const incomplete = set.flatMap(([, { mistake }]) => mistake?.(environment) ?? [])
  if (isOwnModel(named))
    return named === 'local' ? localFileMistakes('LOCAL_MODEL', environment.LOCAL_MODEL_URL, environment.LOCAL_MODEL_SHA256) : []
  if (named === undefined) return set.length > 0 && setting === 'MODEL' ? ['MODEL is missing: name the model to use', ...incomplete] : []
  if (set.length === 0)
    return [`${setting} needs ${providerBeforeColon(named)?.needs ?? 'OPENAI_API_KEY, OPENAI_BASE_URL, or the key of another provider'}`]
  if (!chosen(environment, named)) {
    const examples = set.map(([name]) => `${name}:…`).join(' or ')
    return [`keys of several providers are set, so ${setting} has to say which is meant: ${examples}`, ...incomplete]
  }
  return incomplete
}

/** The model for `named`; the built-in assistant if undefined. Requires that `modelMistakes` found none. */
export function modelSettings(environment: ModelEnvironment, named: string | undefined): ModelSettings {
  const { LOCAL_MODEL_URL: file, MODEL_WINDOW: window = DEFAULT_CONTEXT_TOKENS } = environment
  // The window of a hosted model would be too large for a local one that stands in for it.
  const contextTokens = environment.MODEL === 'local' ? window : DEFAULT_CONTEXT_TOKENS
  if (named === 'local') return { kind: 'local', source: file ? localSource(file, environment.LOCAL_MODEL_SHA256) : null, contextTokens }
  const choice = named === undefined || named === 'builtin' ? undefined : chosen(environment, named)
  if (!choice) return { kind: 'builtin' }
  const { REASONING_EFFORT: reasoningEffort } = environment
  const settings = choice.provider.settings(environment, choice.model)
  return { ...settings, ...(reasoningEffort && { reasoningEffort }) }
}

/** Traits of `MODEL` that the operator states. A fallback model's are detected. */
export function traitsOf(environment: ModelEnvironment): ModelTraits {
  const { MODEL_IMAGES: images, MODEL_PROFILE: profile, MODEL_TOOLS: tools, MODEL_FIRST_DATA_SECONDS: seconds } = environment
  return {
    ...(images !== 'auto' && { images: images === 'yes' }),
    ...(profile !== 'auto' && { isSmall: profile === 'small' }),
    ...(tools !== 'auto' && { usesTools: tools === 'on' }),
    ...(seconds !== undefined && { firstDataTimeoutMs: seconds * 1000 }),
  }
}

/** The provider before the first colon; undefined if there is none, since model names can contain colons too. */
function providerBeforeColon(named: string): ProviderForm | undefined {
  const name = named.slice(0, Math.max(0, named.indexOf(':')))
  return Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined
}

/** Uses the provider before a colon, otherwise the only configured one. */
function chosen(environment: ModelEnvironment, named: string): { provider: ProviderForm; model: string } | undefined {
  const colon = named.indexOf(':')
  const first = providerBeforeColon(named)
  if (first?.isSet(environment) && colon < named.length - 1) return { provider: first, model: named.slice(colon + 1) }
  const set = Object.values(PROVIDERS).filter((provider) => provider.isSet(environment))
  return set.length === 1 && set[0] ? { provider: set[0], model: named } : undefined
}
