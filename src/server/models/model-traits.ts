import type { ModelLimits } from './model-limits.ts'
import type { ModelSettings } from './model-settings.ts'

/** Billions of parameters in a model's name: `qwen2.5:1.5b`, `llama-3.2-3b-instruct`. */
const PARAMETERS = /(?<![\d.])(\d{1,4}(?:\.\d{1,2})?)b(?![a-z0-9])/gi
/** Models with fewer follow instructions badly: they answer what they don't know, and write calls of tools as text. */
const SMALL_BELOW = 8

/** Whether a model is small: by the operator's word, because it runs here, or by its name. */
export function isSmallModel(settings: ModelSettings): boolean {
  if (settings.kind === 'builtin') return false
  if (settings.isSmall !== undefined) return settings.isSmall
  if (settings.kind === 'local') return true
  const sizes = [...settings.model.matchAll(PARAMETERS)].map(([, size]) => Number(size))
  return sizes.length > 0 && Math.max(...sizes) < SMALL_BELOW
}

/** An endpoint of one's own may read for minutes before it writes. */
const SLOW = { firstDataTimeoutMs: 300_000, totalTimeoutMs: 600_000 }

export function timeLimitsOf(settings: ModelSettings): Partial<ModelLimits> {
  if (settings.kind === 'builtin') return {}
  const { firstDataTimeoutMs } = settings
  const slow = settings.kind === 'local' || settings.kind === 'openai-compatible' ? SLOW : {}
  return {
    ...slow,
    ...(firstDataTimeoutMs !== undefined && { firstDataTimeoutMs, totalTimeoutMs: firstDataTimeoutMs + SLOW.totalTimeoutMs / 2 }),
  }
}

/** Bounds of what a small model reads and writes: about 15 seconds of reading on two cores. */
export const SMALL_LIMITS = { maxHistoryTokens: 150, maxOutputTokens: 400 }
/** Characters of its passages: two whole ones, since the answer is seldom beside the words of the question; three shorter ones have it less often. */
export const SMALL_PASSAGES = [1_000, 1_000]
