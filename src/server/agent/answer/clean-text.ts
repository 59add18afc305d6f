const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/

/**
 * Makes the deltas of one part fit to be stored and shown one by one: NUL is removed (PostgreSQL has no such character),
 * and a character that is split over two deltas goes out whole with the second.
 */
export class TextCleaner {
  #carried = ''

  clean(delta: string): string {
    const text = this.#carried + delta.replaceAll('\0', '')
    this.#carried = HIGH_SURROGATE_AT_END.exec(text)?.[0] ?? ''
    return text.slice(0, text.length - this.#carried.length).toWellFormed()
  }
}
