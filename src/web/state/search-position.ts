/** A message that a search has found, and the words there, as they are written. */
export interface FoundPlace {
  session: string
  message: string
  words: string[]
}
