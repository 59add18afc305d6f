import { textOf } from '../../../../contract/chat/message-text.ts'
import { unmask } from '../../../../personal-data/unmask.ts'
import { useApplication } from '../../../state/application-store.ts'
import { valuesOf } from '../../../state/personal-values.ts'
import { changeDraft, draftOf } from '../../../state/drafts.ts'

/** The recalled prompt, and how many prompts back it is. */
export interface Recalled {
  text: string
  back: number
}

/**
 * Goes `step` prompts back (1) or forward (-1) from what is in the message box. `prompts` are those of the chat, newest first; before
 * the newest stands the empty box. Null where there is nowhere to go, or something else was written.
 */
export function recall(prompts: readonly string[], written: string, before: Recalled | null, step: 1 | -1): Recalled | null {
  if (written !== '' && written !== before?.text) return null
  const back = (written === '' ? 0 : (before?.back ?? 0)) + step
  if (back < 0 || back > prompts.length) return null
  return { text: prompts[back - 1] ?? '', back }
}

let last: Recalled | null = null

/** Puts an earlier or later prompt of the open chat into the message box, if that is empty or has a recalled prompt. */
export function recallPrompt(chat: string, step: 1 | -1): void {
  const messages = useApplication.getState().currentSession?.messages ?? []
  const prompts = messages.flatMap((message) => (message.role === 'user' ? [unmask(textOf(message), valuesOf(chat))] : [])).reverse()
  const next = recall(prompts, draftOf(chat).text, last, step)
  if (!next) return
  last = next
  changeDraft(chat, { text: next.text })
}
