import type { ChatChunk } from '../../../contract/chat/message.ts'
import { filterTexts, type TextFilter } from './filter-texts.ts'

/** Outcomes that a model declares in a tag that visitors never see. */
const OUTCOMES = ['answered', 'clarified', 'not_covered', 'out_of_scope', 'referred'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The outcome in the metadata of a custom part; `null` if there is none. */
export function outcomeIn(metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined): Outcome | null {
  const declared = metadata?.['parley']?.['outcome']
  return OUTCOMES.find((outcome) => outcome === declared) ?? null
}

export function topicsIn(metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined): string[] {
  const topics = metadata?.['parley']?.['topics']
  return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : []
}

/** The outcome that the text and its outcome line declare. */
export interface OutcomeRecord {
  outcome: Outcome | null
}

/** Removes the outcome line and records what it declares. The built-in assistant writes none. */
export async function* withoutOutcome(
  chunks: AsyncIterable<ChatChunk>,
  { answer, isBuiltin }: { answer: OutcomeRecord; isBuiltin: boolean },
): AsyncGenerator<ChatChunk, void, undefined> {
  yield* isBuiltin ? chunks : filterTexts(chunks, () => new DeclaredOutcome((outcome) => (answer.outcome = outcome)))
}

const OPENING = '<outcome>'
const TAG = new RegExp(`${OPENING}\\s{0,8}(${OUTCOMES.join('|')})\\s{0,8}</outcome>`, 'y')
const BEGUN = /^<outcome>\s{0,8}[a-z_]{0,16}\s{0,8}(?:<\/?[a-z]{0,7})?$/
const MAX_BEGUN_CHARACTERS = 52

/**
 * Removes the tag `<outcome>…</outcome>` from streamed text and keeps what it declares; the last one counts. Text is held back while it
 * may be the beginning of a tag or the line breaks before one. A tag with an unknown outcome stays text.
 */
export class DeclaredOutcome implements TextFilter {
  readonly #onDeclared: (outcome: Outcome) => void
  #pending = ''
  #outcome: Outcome | null = null

  constructor(onDeclared: (outcome: Outcome) => void) {
    this.#onDeclared = onDeclared
  }

  write(delta: string): string {
    this.#pending += delta
    this.#removeTags()
    const final = this.#pending.slice(0, finalLength(this.#pending))
    this.#pending = this.#pending.slice(final.length)
    return final
  }

  /** Returns the text that was held back; without the line breaks before a tag. */
  end(): string {
    const rest = this.#outcome === null ? this.#pending : this.#pending.trimEnd()
    this.#pending = ''
    return rest
  }

  #removeTags(): void {
    for (let at = this.#pending.indexOf(OPENING); at >= 0; at = this.#pending.indexOf(OPENING, at + 1)) {
      TAG.lastIndex = at
      const tag = TAG.exec(this.#pending)
      if (!tag) continue
      this.#outcome = tag[1] as Outcome
      this.#onDeclared(this.#outcome)
      const before = this.#pending.slice(0, at).trimEnd()
      this.#pending = before + this.#pending.slice(at + tag[0].length)
      at = before.length - 1
    }
  }
}

/** Length of the text before what may be the beginning of a tag. */
function finalLength(text: string): number {
  const begun = beginningOfTag(text)
  const before = text.slice(0, begun).trimEnd().length
  return begun < text.length || text.includes('\n', before) ? before : text.length
}

function beginningOfTag(text: string): number {
  const tail = Math.max(0, text.length - MAX_BEGUN_CHARACTERS)
  const opened = text.lastIndexOf(OPENING)
  if (opened >= tail && BEGUN.test(text.slice(opened))) return opened
  const last = text.indexOf('<', Math.max(0, text.length - OPENING.length))
  return last >= 0 && OPENING.startsWith(text.slice(last)) ? last : text.length
}
