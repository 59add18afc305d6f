import type { ChatChunk } from '../../../contract/chat/message.ts'
import { AgentFailure } from '../../models/agent-failure.ts'
import type { Moderator, Verdict } from './moderator.ts'

type Delta = Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>

/** The first window is small and ends at a sentence; later ones are larger, since each check is a request. */
const FIRST_WINDOW_CHARACTERS = 200
const FIRST_SENTENCE = /.{20}[.!?:](?=\s)|\n/s
const WINDOW_CHARACTERS = 500
/** Checked together with new text, whose meaning depends on it. */
const CONTEXT_CHARACTERS = 1_000

/**
 * Checks an answer's text, reasoning included, in windows before emitting it. Buffers one window and the possible start of a phrase.
 * Throws `answer_blocked` for rejected text and `moderation_unavailable` if it can't be checked; text emitted before stays. If the
 * answer fails, its last text is checked and emitted first. `moderator` is `null` to check nothing.
 */
export async function* moderatedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { moderator, signal }: { moderator: Pick<Moderator, 'check' | 'undecidedCharacters'> | null; signal: AbortSignal },
): AsyncGenerator<ChatChunk, void, undefined> {
  if (!moderator) return yield* chunks
  const text = new PendingText(moderator, signal)
  try {
    for await (const chunk of chunks) {
      if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') {
        if (!text.isOf(chunk)) yield* text.release()
        yield* text.add(chunk)
      } else {
        yield* text.release()
        yield chunk
      }
    }
    yield* text.release()
  } catch (error) {
    if (!text.isRejected) yield* text.release()
    throw error
  }
}

class PendingText {
  readonly #moderator: Pick<Moderator, 'check' | 'undecidedCharacters'>
  readonly #signal: AbortSignal
  /** Nothing more is emitted then. */
  isRejected = false
  #part: Pick<Delta, 'type' | 'id'> | null = null
  #pending = ''
  #context = ''

  constructor(moderator: Pick<Moderator, 'check' | 'undecidedCharacters'>, signal: AbortSignal) {
    this.#moderator = moderator
    this.#signal = signal
  }

  isOf({ type, id }: Delta): boolean {
    return this.#part === null || (this.#part.type === type && this.#part.id === id)
  }

  async *add({ type, id, delta }: Delta): AsyncGenerator<ChatChunk, void, undefined> {
    this.#part = { type, id }
    this.#pending += delta
    for (let size = this.#windowSize(); size > 0; size = this.#windowSize()) yield* this.#releaseWindow(size)
  }

  async *release(): AsyncGenerator<ChatChunk, void, undefined> {
    while (this.#pending !== '') yield* this.#releaseWindow(Math.min(this.#pending.length, WINDOW_CHARACTERS))
    this.#part = null
  }

  /** Size of the next window; 0 if more text must arrive first. */
  #windowSize(): number {
    const decided = this.#pending.length - this.#moderator.undecidedCharacters
    if (this.#context !== '') return decided >= WINDOW_CHARACTERS ? WINDOW_CHARACTERS : 0
    const sentence = FIRST_SENTENCE.exec(this.#pending.slice(0, FIRST_WINDOW_CHARACTERS))
    const needed = sentence ? sentence.index + sentence[0].length : FIRST_WINDOW_CHARACTERS
    return decided >= needed ? needed : 0
  }

  /** Checks and emits a window, cut between words, together with the text after it as far as it is undecided. */
  async *#releaseWindow(size: number): AsyncGenerator<ChatChunk, void, undefined> {
    if (!this.#part) return
    const { undecidedCharacters } = this.#moderator
    const verdict = await this.#moderator.check(this.#context + this.#pending.slice(0, size + undecidedCharacters), this.#signal)
    // The answer was stopped: unchecked text is not shown.
    if (this.#signal.aborted) this.#pending = ''
    else if (verdict !== 'allowed') this.#reject(verdict)
    const delta = this.#pending.slice(0, this.#betweenWords(size))
    this.#pending = this.#pending.slice(delta.length)
    this.#context = (this.#context + delta).slice(-CONTEXT_CHARACTERS)
    if (delta !== '') yield { ...this.#part, delta }
  }

  #reject(verdict: Exclude<Verdict, 'allowed'>): never {
    this.isRejected = true
    if (verdict === 'blocked') throw new AgentFailure('answer_blocked', 'The moderation blocked the answer.')
    throw new AgentFailure('moderation_unavailable', 'The answer could not be moderated.')
  }

  #betweenWords(size: number): number {
    if (size >= this.#pending.length || /\s/.test(this.#pending.charAt(size))) return size
    const space = this.#pending.slice(0, size).search(/\s\S*$/)
    return space > 0 ? space : size
  }
}
