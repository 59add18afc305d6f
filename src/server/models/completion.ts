import type { Tokens } from './tokens/token-meter.ts'

/** A short completion outside of an answer: no tools, no steps, not streamed to a reader. */
export interface CompletionRequest {
  instructions: string
  text: string
  maxOutputTokens: number
  /** Whether somebody may read the text, which is then moderated; true by default. */
  isShown?: boolean
  signal: AbortSignal
}

/** The text and its token usage, estimated if the model reports none. */
export interface Completion {
  text: string
  used: Tokens
}

export type CompleteInBackground = (request: CompletionRequest) => Promise<Completion>
