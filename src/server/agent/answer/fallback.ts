import type { ErrorCode } from '../../../contract/errors.ts'
import type { ChatChunk } from '../../../contract/message.ts'
import { AgentFailure } from './agent-failure.ts'
import { type RunContext, type RunOptions, runAgent } from './run-agent.ts'
import type { Tokens } from '../tokens/token-meter.ts'

/** The model that answers when the usual one cannot. */
export interface Fallback {
  label: string
  context: RunContext
  /** Whether nobody counts what it uses. */
  isFree: boolean
}

export interface FallbackOptions extends Omit<RunOptions, 'onUsage'> {
  onUsage?: ((used: Tokens, by: 'usual' | 'fallback') => void) | undefined
  /** Hears of the failure that the visitor does not hear of. */
  onWarning: (message: string, cause: unknown) => void
}

/** Failures of a model that another model may not have. */
const FALLBACK_CODES: readonly ErrorCode[] = [
  'model_unavailable',
  'model_busy',
  'model_timeout',
  'model_interrupted',
  'model_failed',
  'model_loading',
  'context_too_long',
]

/**
 * The answer of the usual model, or of the fallback when that fails before it has said or done anything that can be seen; both within
 * the time of one answer. The change is told by a chunk of metadata. When both fail it throws what the first failed with.
 * What is used is told of the one that answered.
 */
export async function* runWithFallback(
  primary: RunContext,
  fallback: Fallback,
  { onUsage, onWarning, ...options }: FallbackOptions,
): AsyncGenerator<ChatChunk, void, undefined> {
  const begunAt = performance.now()
  let isSeen = false
  let usedByPrimary: Tokens | undefined
  try {
    yield* bufferUntilVisible(runAgent(primary, { ...options, onUsage: (used) => (usedByPrimary = used) }), () => (isSeen = true))
    return
  } catch (error) {
    if (isSeen || !(error instanceof AgentFailure) || !FALLBACK_CODES.includes(error.code)) throw error
    const remainingMs = primary.limits.totalTimeoutMs - (performance.now() - begunAt)
    if (remainingMs <= 0) throw error
    onWarning(`The usual model failed with ${error.code} before its first word; ${fallback.label} answers`, error)
    usedByPrimary = undefined
    yield* answerWithFallback(fallback, remainingMs, error, { ...options, onUsage, onWarning })
  } finally {
    if (usedByPrimary) onUsage?.(usedByPrimary, 'usual')
  }
}

async function* answerWithFallback(
  { label, context, isFree }: Fallback,
  totalTimeoutMs: number,
  first: AgentFailure,
  { onUsage, onWarning, allowance, ...options }: FallbackOptions,
): AsyncGenerator<ChatChunk, void, undefined> {
  const limits = { ...context.limits, totalTimeoutMs }
  const run = runAgent(
    { ...context, limits },
    {
      ...options,
      allowance: isFree ? undefined : allowance,
      onUsage: (used) => onUsage?.(used, 'fallback'),
    },
  )
  const notice: ChatChunk = { type: 'message-metadata', messageMetadata: { model: label, isFallback: true } }
  let isSeen = false
  try {
    yield* bufferUntilVisible(run, () => (isSeen = true), notice)
  } catch (error) {
    if (isSeen) throw error
    onWarning(`${label} failed too`, error)
    throw first
  }
}

/** Holds back the beginnings of steps, which show nothing, until something does; `before` goes ahead of it all. */
async function* bufferUntilVisible(
  chunks: AsyncIterable<ChatChunk>,
  onVisible: () => void,
  before?: ChatChunk,
): AsyncGenerator<ChatChunk, void, undefined> {
  const buffered: ChatChunk[] = before ? [before] : []
  let isSeen = false
  for await (const chunk of chunks) {
    if (!isSeen && chunk.type === 'start-step') {
      buffered.push(chunk)
      continue
    }
    if (!isSeen) onVisible()
    if (!isSeen) yield* buffered
    isSeen = true
    yield chunk
  }
}
