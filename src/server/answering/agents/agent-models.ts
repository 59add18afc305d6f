import type { ChatChunk } from '../../../contract/chat/message.ts'
import { type RunContext, runAgent, type RunOptions } from '../run-agent.ts'
import { describeModel, type ModelDescription } from '../../models/connect-model.ts'
import type { ModelSettings } from '../../models/model-settings.ts'
import type { Tokens } from '../../models/tokens/token-meter.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { AgentFailure } from '../../models/agent-failure.ts'

export type ModelChoice = 'primary' | 'fallback'

/** A model with its name as in price lists; `builtin` and `local` for the server's own. */
export type NamedModel = ModelDescription & { name: string }

/** `model` selects the model; `onUsage` receives the usage and which model answered. */
export type AnswerRequest = Omit<FallbackOptions, 'onWarning' | 'onUsage'> & {
  model?: ModelChoice
  onUsage?: ((used: Tokens, by: ModelChoice) => void) | undefined
}

/** Connects an agent's primary and fallback models; without the latter, `null`. Sends no request. A choice that it lacks is the primary model. */
export async function connectModels(
  settings: { primary: ModelSettings; fallback: ModelSettings | null },
  contextOf: (model: ModelSettings) => Promise<RunContext>,
  onWarning: (message: string, cause?: unknown) => void,
) {
  const connect = async (model: ModelSettings) => ({
    description: { ...describeModel(model), name: nameOf(model) },
    context: await contextOf(model),
  })
  const primary = await connect(settings.primary)
  const fallback = settings.fallback && (await connect(settings.fallback))
  const chosen = (choice: ModelChoice) => ({ primary, fallback })[choice] ?? primary
  return {
    describe: (choice: ModelChoice): NamedModel => chosen(choice).description,
    contextOf: (choice: ModelChoice) => chosen(choice).context,
    hasFallback: fallback !== null,
    /** Runs the chosen model, and the fallback if that fails. */
    run({ model = 'primary', onUsage, ...options }: AnswerRequest): AsyncIterable<ChatChunk> {
      const { context } = chosen(model)
      if (model === 'fallback' || !fallback) return runAgent(context, { ...options, onUsage: (used) => onUsage?.(used, model) })
      const isFree = settings.fallback?.kind === 'builtin'
      const { label } = fallback.description
      return runWithFallback(context, { label, context: fallback.context, isFree }, { ...options, onUsage, onWarning })
    },
  }
}

/** The name of the model, or its kind if it has none (`builtin`, `local`). */
export const nameOf = (settings: ModelSettings): string => ('model' in settings ? settings.model : settings.kind)

/** The model that answers when the primary one fails. */
interface Fallback {
  label: string
  context: RunContext
  /** Whether its usage is not counted. */
  isFree: boolean
}

interface FallbackOptions extends Omit<RunOptions, 'onUsage'> {
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
async function* runWithFallback(
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
