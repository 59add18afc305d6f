/** Vocabulary of a unigram tokenizer (SentencePiece), by token id. */
export interface UnigramVocabulary {
  /** Only `▁` stands for a space. An empty piece matches nothing. */
  pieces: readonly string[]
  /** Logarithms of the pieces' probabilities. */
  scores: readonly number[]
  unknown: number
}

/** How much less likely a character outside the vocabulary is than the least likely piece, as in SentencePiece. */
const UNKNOWN_PENALTY = 10

/** Cuts texts into the most likely sequence of pieces. Kudo, "Subword Regularization", ACL 2018. */
export class UnigramTokenizer {
  readonly #ids = new Map<string, number>()
  readonly #scores: Float32Array
  readonly #unknown: number
  readonly #unknownScore: number
  readonly #longest: number

  constructor({ pieces, scores, unknown }: UnigramVocabulary) {
    for (const [id, piece] of pieces.entries()) if (piece !== '') this.#ids.set(piece, id)
    this.#scores = Float32Array.from(scores)
    this.#unknown = unknown
    this.#unknownScore = this.#scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY
    this.#longest = pieces.reduce((most, piece) => Math.max(most, piece.length), 1)
  }

  /** Token ids of a text in NFKC. Characters outside the vocabulary that follow each other are one token. */
  tokenize(text: string): number[] {
    const words = text.split(/\s+/u).filter(Boolean)
    return words.flatMap((word) => this.#tokenizeWord(`▁${word}`)).filter((id, at, ids) => id !== this.#unknown || ids[at - 1] !== id)
  }

  /** No piece has a space inside, so words are independent. */
  #tokenizeWord(word: string): number[] {
    const best = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY)
    const from = new Int32Array(word.length + 1)
    const ids = new Int32Array(word.length + 1)
    best[0] = 0
    const offer = (start: number, end: number, id: number, score: number) => {
      const total = (best[start] as number) + score
      if (total <= (best[end] as number)) return
      best[end] = total
      from[end] = start
      ids[end] = id
    }
    for (let start = 0; start < word.length; start += characterLength(word, start)) {
      for (let end = start + 1; end <= Math.min(word.length, start + this.#longest); end += 1) {
        const id = this.#ids.get(word.slice(start, end))
        if (id !== undefined) offer(start, end, id, this.#scores[id] as number)
      }
      offer(start, start + characterLength(word, start), this.#unknown, this.#unknownScore)
    }
    const tokens: number[] = []
    for (let end = word.length; end > 0; end = from[end] as number) tokens.push(ids[end] as number)
    return tokens.toReversed()
  }
}

function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1
}
