/** What was recalled last, and how many prompts back that was. */
export interface Recalled {
  text: string
  back: number
}

/**
 * Goes `step` prompts back (1) or forward (-1) from what is in the message box. `prompts` are those of the chat, newest first; before
 * the newest stands the empty box. Null where there is nowhere to go, or something else was written.
 */
export function recall(prompts: readonly string[], written: string, last: Recalled | null, step: 1 | -1): Recalled | null {
  if (written !== '' && written !== last?.text) return null
  const back = (written === '' ? 0 : (last?.back ?? 0)) + step
  if (back < 0 || back > prompts.length) return null
  return { text: prompts[back - 1] ?? '', back }
}
