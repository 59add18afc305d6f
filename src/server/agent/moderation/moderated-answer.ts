import type { ChatChunk } from '../../../contract/message.ts'
import { AgentFailure } from '../answer/agent-failure.ts'
import type { Completion } from '../answer/background-completion.ts'
import type { Moderator, Verdict } from './moderator.ts'

type Delta = Extract<ChatChunk, { type: 'text-delta' | 'reasoning-delta' }>

/** The first words are checked early, at the end of a sentence; after them more at a time, for each check is a request. */
const FIRST_WINDOW_CHARACTERS = 200
const FIRST_SENTENCE = /.{20}[.!?:](?=\s)|\n/s
const WINDOW_CHARACTERS = 500
/** What was shown before is checked along with what comes, for it says what that means. */
const CONTEXT_CHARACTERS = 1_000

/**
 * The chunks of an answer whose text is checked before it is given on, in windows: so much of it is held back, and what may be the
 * beginning of a phrase. Reasoning is shown, so it is checked as well.
 * Throws `answer_blocked` where the text may not go on, and `moderation_unavailable` where nobody can say; what was given on stays.
 * When the answer fails, its last words are checked and given on first.
 */
export async function* moderatedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  moderator: Pick<Moderator, 'check' | 'undecidedCharacters'>,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk, void, undefined> {
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
    if (!(error instanceof RejectedText)) yield* text.release()
    throw error instanceof RejectedText ? error.failure : error
  }
}

/** What a model writes beside the answers, checked as a whole: some of it is shown, as titles are. Rejects as a refused answer does. */
export async function moderatedCompletion(moderator: Pick<Moderator, 'check'> | null, writing: Promise<Completion>): Promise<Completion> {
  const completion = await writing
  const verdict = moderator ? await moderator.check(completion.text) : 'allowed'
  if (verdict !== 'allowed') throw new RejectedText(verdict).failure
  return completion
}

/** What a check has refused: nothing more is to be said. */
class RejectedText extends Error {
  readonly failure: AgentFailure

  constructor(verdict: Exclude<Verdict, 'allowed'>) {
    super(verdict)
    this.failure =
      verdict === 'blocked'
        ? new AgentFailure('answer_blocked', 'The moderation refused the answer.')
        : new AgentFailure('moderation_unavailable', 'The answer could not be moderated.')
  }
}

class PendingText {
  readonly #moderator: Pick<Moderator, 'check' | 'undecidedCharacters'>
  readonly #signal: AbortSignal
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

  /** Gives on all that is held. */
  async *release(): AsyncGenerator<ChatChunk, void, undefined> {
    while (this.#pending !== '') yield* this.#releaseWindow(Math.min(this.#pending.length, WINDOW_CHARACTERS))
    this.#part = null
  }

  /** How much is to be given on now; 0 as long as more is to be waited for. */
  #windowSize(): number {
    const decided = this.#pending.length - this.#moderator.undecidedCharacters
    if (this.#context !== '') return decided >= WINDOW_CHARACTERS ? WINDOW_CHARACTERS : 0
    const sentence = FIRST_SENTENCE.exec(this.#pending.slice(0, FIRST_WINDOW_CHARACTERS))
    const needed = sentence ? sentence.index + sentence[0].length : FIRST_WINDOW_CHARACTERS
    return decided >= needed ? needed : 0
  }

  /** Gives on so many characters, or a few less, not to part a word; what follows them is checked along with them. */
  async *#releaseWindow(size: number): AsyncGenerator<ChatChunk, void, undefined> {
    if (!this.#part) return
    const { undecidedCharacters } = this.#moderator
    const verdict = await this.#moderator.check(this.#context + this.#pending.slice(0, size + undecidedCharacters), this.#signal)
    // Somebody stopped the answer: what was not checked is not shown.
    if (this.#signal.aborted) this.#pending = ''
    else if (verdict !== 'allowed') throw new RejectedText(verdict)
    const delta = this.#pending.slice(0, this.#betweenWords(size))
    this.#pending = this.#pending.slice(delta.length)
    this.#context = (this.#context + delta).slice(-CONTEXT_CHARACTERS)
    if (delta !== '') yield { ...this.#part, delta }
  }

  #betweenWords(size: number): number {
    if (size >= this.#pending.length || /\s/.test(this.#pending.charAt(size))) return size
    const space = this.#pending.slice(0, size).search(/\s\S*$/)
    return space > 0 ? space : size
  }
}
