import { z } from 'zod'
import { createEgress, readBody } from '../../egress/egress.ts'
import { OPERATOR_ALLOWED } from '../../egress/address-policy.ts'
import type { ModelSource } from '../../local-runtime/model-source.ts'
import type { Prefixes } from './prefixes.ts'

/** An endpoint of OpenAI's form, `POST {baseUrl}/embeddings`, and its model. */
export interface EmbeddingEndpoint {
  kind: 'endpoint'
  baseUrl: string
  apiKey: string | null
  model: string
  prefixes: Prefixes
}

export interface LocalEmbeddingSettings {
  kind: 'local'
  source: ModelSource
  prefixes: Prefixes
  /** Whether the server found the model by itself. */
  isDefault: boolean
}

export type EmbeddingSettings = EmbeddingEndpoint | LocalEmbeddingSettings

/** Returns one vector per text, all of the same length. Rejects on failure, or with the signal's reason. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<number[][]>

const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 60_000, maxBytes: 32 * 1024 * 1024, maxRedirects: 0 }
export const MAX_DIMENSIONS = 4_096

const Reply = z.object({ data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(1).max(MAX_DIMENSIONS) })) })

/** Connects an OpenAI-compatible embedding endpoint. Sends no request. */
export function createEmbed({ baseUrl, apiKey, model }: Omit<EmbeddingEndpoint, 'kind' | 'prefixes'>): Embed {
  const egress = createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/embeddings`)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  }
  return async (texts, signal) => {
    const request = JSON.stringify({ model, input: texts, encoding_format: 'float' })
    const { status, body } = await egress({ url, method: 'POST', headers, body: request, signal })
    const text = (await readBody(body)).toString()
    // The response body may quote the request, so it is not logged.
    if (status !== 200) throw new Error(`The embedding endpoint answers with status ${status}.`)
    return vectorsOf(text, texts.length)
  }
}

function vectorsOf(text: string, count: number): number[][] {
  const reply = Reply.safeParse(JSON.parse(text))
  const vectors = reply.data?.data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => embedding) ?? []
  if (vectors.length !== count || vectors.some(({ length }) => length !== vectors[0]?.length))
    throw new Error('The embedding endpoint answers in a form that cannot be read.')
  return vectors
}
