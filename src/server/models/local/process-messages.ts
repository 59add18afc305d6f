import { z } from 'zod'

const HistoryItem = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['system', 'user']), text: z.string() }),
  z.object({
    type: z.literal('model'),
    response: z.array(
      z.union([z.string(), z.object({ type: z.literal('functionCall'), name: z.string(), params: z.unknown(), result: z.unknown() })]),
    ),
  }),
])
/** An item of the conversation for the library: calls are part of the answer, with their results. */
export type HistoryItem = z.infer<typeof HistoryItem>

const FunctionForm = z.object({ description: z.string().optional(), params: z.record(z.string(), z.unknown()).optional() })
/** A tool; `params` is a schema that the library can convert to a grammar. */
export type FunctionForm = z.infer<typeof FunctionForm>

/** A request to answer; `history` ends with the model's message so far, even if it is empty. */
export const AnswerRequest = z.object({
  history: z.array(HistoryItem),
  functions: z.record(z.string(), FunctionForm),
  maxTokens: z.int().positive(),
})
export type AnswerRequest = z.infer<typeof AnswerRequest>

/** Messages to the model's process. An answer is requested only while no other runs. */
export const ToProcess = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    /** Main module of `node-llama-cpp`. */
    library: z.string(),
    /** The GGUF file. */
    model: z.string(),
    contextTokens: z.int().positive(),
    threads: z.int().positive(),
  }),
  z.object({ type: z.literal('answer'), id: z.int(), request: AnswerRequest }),
  z.object({ type: z.literal('stop'), id: z.int() }),
])
export type ToProcess = z.infer<typeof ToProcess>

const Usage = z.object({ inputTokens: z.int().nonnegative(), cachedTokens: z.int().nonnegative(), outputTokens: z.int().nonnegative() })
const Answered = z.object({
  reason: z.enum(['stop', 'length', 'tool-calls']),
  calls: z.array(z.object({ name: z.string(), params: z.unknown() })),
  usage: Usage,
})
/** The end of an answer. */
export type Answered = z.infer<typeof Answered>

const Delta = z.object({ kind: z.enum(['text', 'reasoning']), text: z.string() })
/** A piece of output. */
export type Delta = z.infer<typeof Delta>

/** Messages from the model's process: once that the model has loaded, then deltas and the end of each answer. */
export const FromProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loaded') }),
  z.object({ type: z.literal('delta'), id: z.int(), delta: Delta }),
  z.object({ type: z.literal('answered'), id: z.int(), answered: Answered }),
  z.object({ type: z.literal('failed'), id: z.int(), reason: z.enum(['too-long', 'failed']), message: z.string() }),
])
export type FromProcess = z.infer<typeof FromProcess>
