import type { LanguageModelStreamPart } from 'ai'

type Part = LanguageModelStreamPart
/** Discards the output of this step so far; a corrected version follows. */
export type StepReset = { type: 'reset-step' }

/** How a model writes reasoning, learned from its answers. */
export interface ThinkingFormat {
  /** The model's template opens the reasoning, so only the closing tag appears. */
  opensThoughts: boolean
}

const NAMES = ['thinking', 'thought', 'think']
const OPENING = NAMES.map((name) => `<${name}>`)
const CLOSING = NAMES.map((name) => `</${name}>`)

/** Separates the reasoning that a model writes into the text of one call. `thinking` is `null` if it writes none there. */
export async function* separateThoughts(
  parts: AsyncIterable<Part | StepReset>,
  { thinking }: { thinking: ThinkingFormat | null },
): AsyncGenerator<Part | StepReset, void, undefined> {
  if (!thinking) return yield* parts
  const tags = new ThinkTags(thinking)
  for await (const part of parts) yield* part.type === 'reset-step' ? [part] : tags.read(part)
}

/**
 * Separates reasoning that a model writes into its text between `<think>` and `</think>`. One instance per step. Tags count only at
 * the start of a text, so that an answer about tags stays text.
 * Some templates open the reasoning themselves, and only the closing tag appears. The text before it is then reset and emitted again
 * as reasoning; from then on the model's text counts as reasoning until it is closed.
 */
export class ThinkTags {
  readonly #format: ThinkingFormat
  #mode: 'begin' | 'thoughts' | 'answer' = 'begin'
  #textId = ''
  /** Text that is not yet classified. */
  #pending = ''
  /** The block that is open in the output. */
  #open: 'text' | 'reasoning' | null = null
  /** Output of this step, which may have to be reset. */
  #emitted = ''
  #canReset = true
  /** The closing tag; any if no tag opened the reasoning. */
  #closing = CLOSING
  #skipsSpace = false
  #isUnclosed = false

  constructor(habit: ThinkingFormat) {
    this.#format = habit
  }

  /** Returns the parts to emit for a part: none, itself, or several. */
  read(part: Part): (Part | StepReset)[] {
    switch (part.type) {
      case 'text-start':
        this.#textId = part.id
        this.#mode = 'begin'
        this.#closing = CLOSING
        return []
      case 'text-delta':
        return this.#take(part.text)
      case 'text-end':
        return this.#end()
      case 'reasoning-start':
      case 'tool-input-start':
      case 'tool-call':
        this.#canReset = false
        return [...this.#endUnclosed(false), part]
      case 'model-call-end':
        return [...this.#endUnclosed(part.finishReason !== 'length'), part]
      default:
        return [part]
    }
  }

  #take(text: string): (Part | StepReset)[] {
    this.#pending += text
    const parts: (Part | StepReset)[] = []
    if (this.#mode === 'begin' && !this.#begin()) return parts
    if (this.#mode === 'thoughts' && !this.#think(parts)) return parts
    this.#answer(parts)
    return parts
  }

  /** Returns whether the start of the text is classified. */
  #begin(): boolean {
    const text = this.#pending.trimStart()
    const opened = OPENING.findIndex((tag) => text.startsWith(tag))
    if (opened >= 0) {
      this.#closing = CLOSING.slice(opened, opened + 1)
      this.#pending = text.slice(OPENING[opened]?.length)
      this.#canReset = false
    } else if (OPENING.some((tag) => tag.startsWith(text))) {
      return false
    }
    const isThought = opened >= 0 || (this.#format.opensThoughts && this.#canReset)
    this.#mode = isThought ? 'thoughts' : 'answer'
    return true
  }

  /** Returns whether the reasoning has ended. */
  #think(parts: (Part | StepReset)[]): boolean {
    const end = firstOf(this.#pending, this.#closing)
    const thoughts = end
      ? this.#pending.slice(0, end.at)
      : this.#pending.slice(0, this.#pending.length - begunTag(this.#pending, this.#closing))
    this.#emit(parts, 'reasoning', thoughts)
    this.#pending = this.#pending.slice(end ? end.at + end.tag.length : thoughts.length)
    if (!end) return false
    this.#close(parts)
    this.#mode = 'answer'
    this.#skipsSpace = true
    this.#canReset = false
    return true
  }

  #answer(parts: (Part | StepReset)[]): void {
    if (this.#skipsSpace) this.#pending = this.#pending.trimStart()
    if (this.#pending === '') return
    this.#skipsSpace = false
    const end = this.#canReset ? firstOf(this.#pending, CLOSING) : null
    if (!end) return this.#emitPending(parts, this.#canReset ? begunTag(this.#pending, CLOSING) : 0)
    const thoughts = this.#emitted + this.#pending.slice(0, end.at)
    // An answer about tags writes them as code.
    if (isInCode(thoughts) || OPENING.some((tag) => thoughts.includes(tag))) {
      this.#canReset = false
      return this.#emitPending(parts, 0)
    }
    this.#pending = this.#pending.slice(end.at + end.tag.length)
    this.#reset(parts)
    this.#emit(parts, 'reasoning', thoughts)
    this.#close(parts)
    this.#format.opensThoughts = true
    this.#skipsSpace = true
    this.#answer(parts)
  }

  #end(): (Part | StepReset)[] {
    const parts: (Part | StepReset)[] = []
    // The following parts decide whether this was reasoning.
    this.#isUnclosed = this.#mode === 'thoughts' && this.#canReset
    if (this.#isUnclosed) return parts
    this.#emit(parts, this.#mode === 'thoughts' ? 'reasoning' : 'text', this.#pending)
    this.#pending = ''
    this.#close(parts)
    this.#canReset = false
    return parts
  }

  /** Ends assumed reasoning that was never closed: a complete answer had none. */
  #endUnclosed(isWhole: boolean): (Part | StepReset)[] {
    const parts: (Part | StepReset)[] = []
    if (!this.#isUnclosed) return parts
    this.#isUnclosed = false
    const text = this.#emitted + this.#pending
    if (isWhole) {
      this.#reset(parts)
      this.#format.opensThoughts = false
    }
    this.#emit(parts, isWhole ? 'text' : 'reasoning', isWhole ? text : this.#pending)
    this.#pending = ''
    this.#close(parts)
    this.#canReset = false
    return parts
  }

  #emitPending(parts: (Part | StepReset)[], undecided: number): void {
    const text = this.#pending.slice(0, this.#pending.length - undecided)
    this.#pending = this.#pending.slice(text.length)
    this.#emit(parts, 'text', text)
  }

  #emit(parts: (Part | StepReset)[], type: 'text' | 'reasoning', text: string): void {
    if (text === '') return
    const id = type === 'text' ? this.#textId : `${this.#textId}-thoughts`
    if (this.#open !== type) {
      this.#close(parts)
      parts.push({ type: `${type}-start`, id })
      this.#open = type
    }
    if (this.#canReset) this.#emitted += text
    parts.push({ type: `${type}-delta`, id, text })
  }

  #close(parts: (Part | StepReset)[]): void {
    if (this.#open === 'text') parts.push({ type: 'text-end', id: this.#textId })
    if (this.#open === 'reasoning') parts.push({ type: 'reasoning-end', id: `${this.#textId}-thoughts` })
    this.#open = null
  }

  #reset(parts: (Part | StepReset)[]): void {
    if (this.#open) parts.push({ type: 'reset-step' })
    this.#open = null
    this.#emitted = ''
    this.#canReset = false
  }
}

function firstOf(text: string, tags: readonly string[]): { at: number; tag: string } | null {
  // Most texts have no tag at all.
  if (!text.includes('</')) return null
  const found = tags.map((tag) => ({ at: text.indexOf(tag), tag })).filter(({ at }) => at >= 0)
  return found.toSorted((one, other) => one.at - other.at)[0] ?? null
}

/** Characters at the end of the text that may start a tag. */
function begunTag(text: string, tags: readonly string[]): number {
  const at = text.lastIndexOf('<')
  return at >= 0 && tags.some((tag) => tag.startsWith(text.slice(at))) ? text.length - at : 0
}

/** Whether the text ends within code, as Markdown marks it. */
export function isInCode(text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return (text.match(/^\s*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1 || (line.match(/`/g)?.length ?? 0) % 2 === 1
}
