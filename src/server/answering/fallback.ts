import type { ErrorCode } from '../../contract/errors.ts'
import type { ChatChunk } from '../../contract/chat/message.ts'
import { AgentFailure } from '../models/agent-failure.ts'
import { type RunContext, type RunOptions, runAgent } from './run-agent.ts'
import type { Tokens } from '../models/tokens/token-meter.ts'

/** The model that answers when the primary one fails. */
export interface Fallback {
  label: string
  context: RunContext
  /** Whether its usage is not counted. */
  isFree: boolean
}

export interface FallbackOptions extends Omit<RunOptions, 'onUsage'> {
  onUsage?: ((used: Tokens, by: 'primary' | 'fallback') => void) | undefined
  /** Called with the failure, which the visitor doesn't see. */
  onWarning: (message: string, cause: unknown) => void
}

/** Failures that another model may not have. */
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
 * Runs the primary model, and the fallback if it fails before its first visible output, both within the time limit of one answer. A
 * metadata chunk announces the switch. If both fail, throws the first failure. Reports the usage of the model that answered.
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
    onWarning(`The primary model failed before its first output (${error.code}); answering with ${fallback.label}`, error)
    usedByPrimary = undefined
    yield* answerWithFallback(fallback, remainingMs, error, { ...options, onUsage, onWarning })
  } finally {
    if (usedByPrimary) onUsage?.(usedByPrimary, 'primary')
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
    onWarning(`The fallback model ${label} failed too; the answer fails`, error)
    throw first
  }
}

/** Buffers step starts, which show nothing, until something visible arrives. `before` is emitted first. */
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
