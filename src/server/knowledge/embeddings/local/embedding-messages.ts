import { z } from 'zod'
import { MAX_DIMENSIONS } from '../embed.ts'

export const ToEmbedder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('load'), library: z.string(), model: z.string(), threads: z.int().positive() }),
  z.object({ type: z.literal('embed'), id: z.int(), texts: z.array(z.string()) }),
  z.object({ type: z.literal('cancel'), id: z.int() }),
])
export type ToEmbedder = z.infer<typeof ToEmbedder>

export const FromEmbedder = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loaded') }),
  z.object({ type: z.literal('embedded'), id: z.int(), vectors: z.array(z.array(z.number()).min(1).max(MAX_DIMENSIONS)) }),
  z.object({ type: z.literal('failed'), id: z.int(), message: z.string() }),
])
export type FromEmbedder = z.infer<typeof FromEmbedder>
