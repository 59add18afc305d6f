import type { FoundPassage } from '../../knowledge/retrieval/search.ts'
import { estimateJson } from '../../models/tokens/estimate-messages.ts'

/** A passage with less room is left out instead of trimmed. */
const MIN_PASSAGE_TOKENS = 60
const MAX_CUTS = 6

/**
 * Trims a tool's result to `maxTokens` estimated tokens: a search has fewer passages, the last one cut at a sentence if possible; of anything
 * else, the beginning is left as text. `null` if nothing fits.
 */
export function trimmedOutput(output: unknown, maxTokens: number): unknown {
  if (typeof output !== 'object' || output === null) return trimmedText(textOf(output), maxTokens)
  if ('passages' in output) {
    const room = maxTokens - estimateJson({ ...output, passages: [] })
    return { ...output, passages: trimmedPassages(output.passages as FoundPassage[], room) }
  }
  if (!('content' in output)) return trimmedText(textOf(output), maxTokens)
  const content = trimmedText(textOf(output.content), maxTokens - estimateJson({ ...output, content: '' }))
  return content === null ? null : { ...output, content }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function trimmedPassages(passages: readonly FoundPassage[], maxTokens: number): FoundPassage[] {
  const fitting: FoundPassage[] = []
  let left = maxTokens
  for (const passage of passages) {
    const tokens = estimateJson(passage)
    if (tokens > left) {
      const isWorthIt = fitting.length === 0 || left >= MIN_PASSAGE_TOKENS
      const text = isWorthIt ? trimmedText(passage.text, left - estimateJson({ ...passage, text: '' })) : null
      return text === null ? fitting : [...fitting, { ...passage, text }]
    }
    fitting.push(passage)
    left -= tokens
  }
  return fitting
}

/** The start of a text in at most `maxTokens` estimated tokens; `null` if not even a word fits. */
export function trimmedText(text: string, maxTokens: number): string | null {
  if (maxTokens < 2) return null
  let characters = text.length
  for (let cut = 0; cut < MAX_CUTS; cut += 1) {
    const beginning = cutAtSentence(text, Math.floor(characters))
    const tokens = estimateJson(beginning)
    if (tokens <= maxTokens) return beginning === '' ? null : beginning
    characters = Math.min(beginning.length * 0.95, beginning.length * (maxTokens / tokens))
  }
  return null
}

const SENTENCE_END = /[.!?。！？…](?=["'”’)\]»]?\s|["'”’)\]»]?$|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})["'”’)\]»]?|\n/gu
const ELLIPSIS = ' …'

/** The start of a text in at most `maxCharacters`: up to a sentence end in its second half, or with an ellipsis. */
export function cutAtSentence(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const most = text.slice(0, Math.max(0, maxCharacters))
  const half = most.length / 2
  const end = [...most.matchAll(SENTENCE_END)].findLast(({ index }) => index >= half)
  if (end) return most.slice(0, end.index + end[0].length).trimEnd()
  const beginning = most.slice(0, Math.max(0, maxCharacters - ELLIPSIS.length)).replace(/[\ud800-\udbff]$/, '')
  const word = beginning.search(/\s+\S*$/)
  const whole = word > half ? beginning.slice(0, word) : beginning
  return whole === '' ? '' : `${whole.trimEnd()}${ELLIPSIS}`
}
