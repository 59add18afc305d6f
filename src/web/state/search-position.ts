/** A message that a search has found, and the matched words. */
export interface FoundPlace {
  session: string
  message: string
  words: string[]
}
