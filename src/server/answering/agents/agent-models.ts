import type { ChatChunk } from '../../../contract/chat/message.ts'
import { type FallbackOptions, runWithFallback } from '../fallback.ts'
import { type RunContext, runAgent } from '../run-agent.ts'
import { describeModel, type ModelDescription } from '../../models/connect-model.ts'
import type { ModelSettings } from '../../models/model-settings.ts'
import type { Tokens } from '../../models/tokens/token-meter.ts'

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
