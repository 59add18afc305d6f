import { Lexer, type Token } from 'marked'
import { BoundedTokenizer, type Continuation, DEEPEST, MAX_MARKED_CHARACTERS } from './bounded-tokenizer.ts'

/** Marked's lexer, bounded for answers of any length. `continuation` applies to the first block of the source. */
export class BoundedLexer extends Lexer {
  readonly #bounded: BoundedTokenizer
  #depth = 0

  constructor(continuation?: Continuation) {
    const tokenizer = new BoundedTokenizer(continuation)
    super({ gfm: true, tokenizer })
    this.#bounded = tokenizer
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length > MAX_MARKED_CHARACTERS || this.#depth >= DEEPEST) {
      tokens.push({ type: 'escape', raw: source, text: source })
      return tokens
    }
    if (this.#depth === 0) this.#bounded.beginText()
    this.#depth += 1
    try {
      return super.inlineTokens(source, tokens)
    } finally {
      this.#depth -= 1
    }
  }
}
