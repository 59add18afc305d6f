import { z } from 'zod'
import type { ModelSettings } from '../agent/agent.ts'
import { OPENAI_APIS } from '../agent/model/openai-apis.ts'
import { REASONING_EFFORTS } from '../agent/model/reasoning-effort.ts'
import { LOCAL_MODEL_ENVIRONMENT, localModelMistakes, localModelOf } from './local-model-settings.ts'
import { text, url } from './setting-schemas.ts'

const endpoint = (example: string) => url(/^https?$/, example).optional()

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
  ANTHROPIC_BASE_URL: endpoint('https://gateway.example.org/anthropic/v1').describe('Base URL for Anthropic, such as a gateway.'),
  GOOGLE_BASE_URL: endpoint('https://gateway.example.org/google/v1beta').describe('Base URL for Google Gemini, such as a gateway.'),
  MISTRAL_BASE_URL: endpoint('https://gateway.example.org/mistral/v1').describe('Base URL for Mistral, such as a gateway.'),
  BEDROCK_BASE_URL: endpoint('https://bedrock.example.org').describe('Base URL for Bedrock, such as a gateway or a VPC endpoint.'),
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
      'Reasoning effort: `none`, `minimal`, `low`, `medium`, `high` or `xhigh`. Models differ in which values they support. The provider’s default if unset.',
    ),
  OPENAI_API: z
    .enum(OPENAI_APIS, `must be one of ${OPENAI_APIS.join(', ')}`)
    .default('auto')
    .describe(
      'API used for OpenAI, Azure and `OPENAI_BASE_URL`: `chat` (Chat Completions), `responses`, or `auto`, which uses Chat Completions and switches to Responses for models that require it.',
    ),
  ...LOCAL_MODEL_ENVIRONMENT,
}

export const MODEL_IMAGES = z
  .enum(['auto', 'yes', 'no'], 'must be auto, yes or no')
  .default('auto')
  .describe('Whether `MODEL` accepts images. `auto` detects the models of the providers above, and means `no` for any other endpoint.')

export type ModelEnvironment = z.infer<z.ZodObject<typeof MODEL_ENVIRONMENT>>

interface ProviderForm {
  /** Whether the provider is configured. */
  isSet: (environment: ModelEnvironment) => boolean
  /** The settings that select it, for a sentence. */
  needs: string
  /** Describes what its configuration lacks. */
  mistake?: (environment: ModelEnvironment) => string | undefined
  settings: (environment: ModelEnvironment, model: string) => ModelSettings
}

const key = (value: string | undefined) => value as string

const PROVIDERS: Record<string, ProviderForm> = {
  openai: {
    needs: 'OPENAI_API_KEY or OPENAI_BASE_URL',
    isSet: ({ OPENAI_API_KEY, OPENAI_BASE_URL }) => OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined,
    settings: ({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl }, model) =>
      baseUrl ? { kind: 'openai-compatible', baseUrl, apiKey, model } : { kind: 'openai', apiKey: key(apiKey), model },
  },
  anthropic: {
    needs: 'ANTHROPIC_API_KEY',
    isSet: ({ ANTHROPIC_API_KEY }) => ANTHROPIC_API_KEY !== undefined,
    settings: ({ ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl }, model) => ({
      kind: 'anthropic',
      apiKey: key(apiKey),
      model,
      ...(baseUrl && { baseUrl }),
    }),
  },
  google: {
    needs: 'GOOGLE_API_KEY',
    isSet: ({ GOOGLE_API_KEY }) => GOOGLE_API_KEY !== undefined,
    settings: ({ GOOGLE_API_KEY: apiKey, GOOGLE_BASE_URL: baseUrl }, model) => ({
      kind: 'google',
      apiKey: key(apiKey),
      model,
      ...(baseUrl && { baseUrl }),
    }),
  },
  mistral: {
    needs: 'MISTRAL_API_KEY',
    isSet: ({ MISTRAL_API_KEY }) => MISTRAL_API_KEY !== undefined,
    settings: ({ MISTRAL_API_KEY: apiKey, MISTRAL_BASE_URL: baseUrl }, model) => ({
      kind: 'mistral',
      apiKey: key(apiKey),
      model,
      ...(baseUrl && { baseUrl }),
    }),
  },
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

function bedrockSettings(environment: ModelEnvironment, model: string): ModelSettings {
  const { BEDROCK_REGION, BEDROCK_BASE_URL, AWS_BEARER_TOKEN_BEDROCK, AWS_SESSION_TOKEN: sessionToken } = environment
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
    ...(BEDROCK_BASE_URL && { baseUrl: BEDROCK_BASE_URL }),
  }
}

/** Models without an API key and without a price per token. */
const OWN_MODELS: readonly (string | undefined)[] = ['builtin', 'local']

export const isOwnModel = (named: string | undefined): boolean => OWN_MODELS.includes(named)

/** The model name without its provider, as in price lists. */
export function modelName(environment: ModelEnvironment, named: string): string {
  return chosen(environment, named)?.model ?? named
}

/** Mistakes in the model `named` by the setting `setting`. */
export function modelMistakes(environment: ModelEnvironment, setting: string, named: string | undefined): string[] {
  const set = Object.entries(PROVIDERS).filter(([, provider]) => provider.isSet(environment))
  const incomplete = set.flatMap(([, { mistake }]) => mistake?.(environment) ?? [])
  if (isOwnModel(named)) return named === 'local' ? localModelMistakes(environment) : []
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
  if (named === 'local') return localModelOf(environment)
  const choice = named === undefined || named === 'builtin' ? undefined : chosen(environment, named)
  if (!choice) return { kind: 'builtin' }
  const { REASONING_EFFORT: reasoningEffort, OPENAI_API: openAiApi } = environment
  const settings = choice.provider.settings(environment, choice.model)
  return { ...settings, ...(reasoningEffort && { reasoningEffort }), ...(openAiApi !== 'auto' && { openAiApi }) }
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

/** Whether a model accepts images, if the operator says so. */
export function imagesOf({ MODEL_IMAGES: images }: { MODEL_IMAGES: 'auto' | 'yes' | 'no' }): { images?: boolean } {
  return images === 'auto' ? {} : { images: images === 'yes' }
}
