import type { JSONValue, Tool, ToolModelMessage, ToolSet } from 'ai'
import { estimateJson, estimateOutput, IMAGE_TOKENS } from '../../models/tokens/estimate-messages.ts'
import { ToolFailure } from '../tools/guard-tool.ts'
import type { ToolOutcome } from '../tools/run-tool.ts'
import { trimmedOutput, trimmedText } from '../filters/trim-output.ts'

type ResultOutput = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>['output']

/** A tool's outcome, and its form for the model. */
export interface ReadOutcome {
  outcome: ToolOutcome
  output: ResultOutput
}

/** Longest error by the SDK, which quotes the model's input. */
const MAX_ERROR_CHARACTERS = 4_000
/** Smaller results are left out instead of trimmed. */
const MIN_TOKENS = 40
const NO_ROOM = 'There is no room left to read this result. Answer from what you have read.'
const SHORTENED = 'The result was too long. This is its beginning.'

/**
 * Fits outcomes into `maxTokens` estimated tokens together. Short ones stay whole; long ones share the rest and are trimmed. Visitors
 * see what the model reads.
 */
export async function fittingOutcomes(tools: ToolSet, outcomes: readonly ToolOutcome[], maxTokens: number): Promise<ReadOutcome[]> {
  const read = await Promise.all(outcomes.map(async (outcome) => ({ outcome, output: await outputOf(tools, outcome) })))
  const sized = read.map((one, index) => ({ ...one, index, tokens: estimateOutput(one.output) }))
  const result: ReadOutcome[] = [...read]
  let left = maxTokens
  for (const [rank, { index, tokens, ...whole }] of sized.toSorted((one, other) => one.tokens - other.tokens).entries()) {
    const share = left / (sized.length - rank)
    const fitting = tokens <= share ? whole : await trimmedOutcome(tools, whole, share)
    result[index] = fitting
    left -= Math.min(tokens, estimateOutput(fitting.output))
  }
  return result
}

async function trimmedOutcome(tools: ToolSet, { outcome, output }: ReadOutcome, maxTokens: number): Promise<ReadOutcome> {
  if (outcome.type === 'tool-error') {
    const text = 'value' in output && typeof output.value === 'string' ? trimmedText(output.value, maxTokens) : null
    return { outcome, output: { type: 'error-text', value: text ?? NO_ROOM } }
  }
  if (maxTokens < MIN_TOKENS) return leftOut(outcome)
  const raw: unknown = outcome.output
  // Overhead of the formatting.
  const form = Math.max(0, estimateOutput(output) - estimateJson(raw)) + estimateJson(SHORTENED)
  for (const room of [maxTokens - form, 0.7 * (maxTokens - form)]) {
    if (room < MIN_TOKENS) break
    const shorter = trimmedOutput(raw, room)
    if (shorter === null) break
    const trimmed = { ...outcome, output: markedShortened(shorter) } as ToolOutcome
    const read = await outputOf(tools, trimmed)
    if (estimateOutput(read) <= maxTokens) return { outcome: trimmed, output: read }
  }
  return leftOut(outcome)
}

function leftOut(outcome: ToolOutcome): ReadOutcome {
  return { outcome: { ...outcome, output: NO_ROOM } as ToolOutcome, output: { type: 'text', value: NO_ROOM } }
}

/** A search's passages end with an ellipsis where they are cut. */
function markedShortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return `${String(value)}\n[${SHORTENED}]`
  return 'passages' in value ? value : { ...value, shortened: SHORTENED }
}

async function outputOf(tools: ToolSet, outcome: ToolOutcome): Promise<ResultOutput> {
  const { toolCallId, toolName, input } = outcome
  if (outcome.type === 'tool-error') return { type: 'error-text', value: errorText(outcome.error) }
  const output: unknown = outcome.output
  const tool = (Object.hasOwn(tools, toolName) ? tools[toolName] : undefined) as Tool | undefined
  if (tool?.toModelOutput) return tool.toModelOutput({ toolCallId, input, output })
  return typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: (output ?? null) as JSONValue }
}

/** A tool's own message, or the SDK's about an invalid call. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error.slice(0, MAX_ERROR_CHARACTERS).toWellFormed()
  return error instanceof ToolFailure ? error.message : 'The tool could not finish.'
}

/** Adds images to the outcomes for the model, as many as fit. */
export function withImages(outcomes: readonly ReadOutcome[], maxTokens: number): ReadOutcome[] {
  let left = maxTokens - outcomes.reduce((sum, { output }) => sum + estimateOutput(output), 0)
  return outcomes.map((read) => {
    const { outcome, output } = read
    const images = (outcome.images ?? []).slice(0, Math.max(0, Math.floor(left / IMAGE_TOKENS)))
    left -= images.length * IMAGE_TOKENS
    if (images.length === 0) return read
    const value: Extract<ResultOutput, { type: 'content' }>['value'] = [
      { type: 'text', text: plainText(output) },
      ...images.map(({ mediaType, base64 }) => ({ type: 'file' as const, mediaType, data: { type: 'data' as const, data: base64 } })),
    ]
    return { outcome, output: { type: 'content', value } }
  })
}

function plainText(output: ResultOutput): string {
  return output.type === 'text' ? output.value : JSON.stringify('value' in output ? output.value : null)
}
