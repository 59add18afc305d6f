import { estimateOutput, IMAGE_TOKENS } from '../../models/tokens/estimate-messages.ts'
import type { ReadOutcome, ResultOutput } from './tool-results.ts'

/** Adds images to the outcomes for the model, as many as fit. */
export function withImages(outcomes: readonly ReadOutcome[], maxTokens: number): ReadOutcome[] {
  let left = maxTokens - outcomes.reduce((sum, { output }) => sum + estimateOutput(output), 0)
  return outcomes.map((read) => {
    const { outcome, output } = read
    const images = (outcome.images ?? []).slice(0, Math.max(0, Math.floor(left / IMAGE_TOKENS)))
    left -= images.length * IMAGE_TOKENS
    if (images.length === 0) return read
    const value: Extract<ResultOutput, { type: 'content' }>['value'] = [
      { type: 'text', text: textOf(output) },
      ...images.map(({ mediaType, base64 }) => ({ type: 'file' as const, mediaType, data: { type: 'data' as const, data: base64 } })),
    ]
    return { outcome, output: { type: 'content', value } }
  })
}

function textOf(output: ResultOutput): string {
  return output.type === 'text' ? output.value : JSON.stringify('value' in output ? output.value : null)
}
