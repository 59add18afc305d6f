const HIGH_SURROGATE_AT_END = /[\uD800-\uDBFF]$/

/**
 * Makes deltas of one part safe to store and show one by one: removes NUL, which PostgreSQL can't store, and emits a character that is
 * split over two deltas with the second one.
 */
export class TextCleaner {
  #carried = ''

  clean(delta: string): string {
    const text = this.#carried + delta.replaceAll('\0', '')
    this.#carried = HIGH_SURROGATE_AT_END.exec(text)?.[0] ?? ''
    return text.slice(0, text.length - this.#carried.length).toWellFormed()
  }
}
