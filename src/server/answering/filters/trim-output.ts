import { estimateJson } from '../../models/tokens/estimate-messages.ts'
import { estimateTokens } from '../../models/tokens/estimate-tokens.ts'

/** Smaller items are left out instead of trimmed. */
const MIN_ITEM_TOKENS = 60
/** JSON overhead of a field. */
const TOKENS_AROUND = 3
/** Deeper values are left out. */
const MAX_DEPTH = 8
const MAX_CUTS = 6

/**
 * Trims a tool's result to `maxTokens` estimated tokens: fewer list items first, then shorter texts, cut at a sentence if possible.
 * The shape stays the same.
 */
export function trimmedOutput(value: unknown, maxTokens: number, depth = 0): unknown {
  if (estimateJson(value) <= maxTokens) return value
  if (typeof value === 'string') return trimmedText(value, maxTokens)
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return null
  return Array.isArray(value) ? trimmedList(value, maxTokens, depth) : trimmedFields(value, maxTokens, depth)
}

function trimmedList(items: readonly unknown[], maxTokens: number, depth: number): unknown[] {
  const result: unknown[] = []
  let left = maxTokens
  for (const item of items) {
    const tokens = TOKENS_AROUND + estimateJson(item)
    if (tokens > left) {
      const rest = result.length === 0 || left >= MIN_ITEM_TOKENS ? trimmedOutput(item, left - TOKENS_AROUND, depth + 1) : null
      return rest === null ? result : [...result, rest]
    }
    result.push(item)
    left -= tokens
  }
  return result
}

/** Short fields stay whole; long ones share the rest. */
function trimmedFields(fields: object, maxTokens: number, depth: number): Record<string, unknown> {
  const sized = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name, value: value as unknown, around: TOKENS_AROUND + estimateTokens(name), tokens: estimateJson(value) }))
  const trimmedByName = new Map<string, unknown>()
  let left = maxTokens
  for (const [index, { name, value, around, tokens }] of sized.toSorted((one, other) => one.tokens - other.tokens).entries()) {
    const share = left / (sized.length - index) - around
    const trimmed = trimmedOutput(value, Math.max(share, 0), depth + 1)
    if (trimmed === null && value !== null) continue
    trimmedByName.set(name, trimmed)
    left -= around + Math.min(tokens, Math.max(share, 0))
  }
  return Object.fromEntries(sized.flatMap(({ name }) => (trimmedByName.has(name) ? [[name, trimmedByName.get(name)]] : [])))
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
