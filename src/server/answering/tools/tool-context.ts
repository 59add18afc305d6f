/** The turn that a tool runs in. */
export interface ToolContext {
  chat: string
  /** Whether a language model or the built-in assistant reads the result. */
  caller: 'model' | 'builtin'
  excludedFiles: readonly string[]
  /** About how many characters fit in the turn; longer results are trimmed. */
  maxCharacters: number
  /** Tools that may have effects wait for it: until then it is not decided whether the prompt is answered. Never rejects. */
  admission?: Promise<unknown> | undefined
}
