import type { LocalModelSettings } from './local/model-source.ts'
import type { ReasoningEffort } from './reasoning-effort.ts'

export type ModelSettings = { kind: 'builtin' } | ({ kind: 'local' } & LocalModelSettings & ModelTraits) | (ProviderSettings & ModelTraits)

export interface ModelTraits {
  /** Addresses that the model may be at, if an owner has connected it; any when unset. */
  network?: 'public' | 'private'
  /** Whether the model accepts images; detected by its name when unset. */
  images?: boolean
  /** Whether the model is small; detected by its name when unset. */
  isSmall?: boolean
  /** Whether the model gets tools; unless it is small or its endpoint can't, when unset. */
  usesTools?: boolean
  /** Maximum wait for the first data; by provider when unset. */
  firstDataTimeoutMs?: number
  /** Reasoning effort; the provider's default when unset. */
  reasoningEffort?: ReasoningEffort
}

/** `baseUrl` replaces the provider's default address. */
export type ProviderSettings =
  | { kind: 'openai'; apiKey: string; model: string }
  | { kind: 'openai-compatible'; baseUrl: string; apiKey: string | undefined; model: string }
  | { kind: 'anthropic' | 'google' | 'mistral'; apiKey: string; model: string; baseUrl?: string }
  /** `model` is the name of a deployment at `baseUrl`. */
  | { kind: 'azure'; baseUrl: string; apiKey: string; model: string }
  | { kind: 'bedrock'; region: string; credentials: BedrockCredentials; model: string; baseUrl?: string }

export type BedrockCredentials = { apiKey: string } | { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
