import { MAX_EARLIER_MESSAGES } from '../../../contract/size-limits.ts'
import { textOf } from '../../../contract/message.ts'
import { deleteSession, type ChatOptions } from '../../api/calls.ts'
import { useApplication } from '../../state/application-store.ts'

/** UTF-16 code units of what was said before: with a prompt at its limit, a body that the server takes. */
const MAX_EARLIER_CHARACTERS = 40_000

/** What the server holds of the open temporary chat: its last turn. */
let held: string | null = null

/** Goes with the next prompt: of a temporary chat nobody but the page knows what was said before. What is too much is left out, the oldest first. */
export const temporaryOptions = (): ChatOptions => ({ temporary: true, history: earlier() })

function earlier(): ChatOptions['history'] {
  let room = MAX_EARLIER_CHARACTERS
  return (useApplication.getState().currentSession?.messages ?? [])
    .slice(0, -1)
    .map((message) => ({ role: message.role === 'user' ? ('user' as const) : ('assistant' as const), text: textOf(message) }))
    .filter(({ text }) => text !== '')
    .slice(-MAX_EARLIER_MESSAGES)
    .reverse()
    .filter(({ text }) => (room -= text.length) >= 0)
    .reverse()
}

/** The server has begun to answer in a temporary chat: closing the tab ends that too. */
export function temporaryBegun(key: string): void {
  held = key
  addEventListener('pagehide', discardTemporary)
}

/** Has the server delete what it holds of a temporary chat, at once. */
export function discardTemporary(): void {
  if (held) deleteSession(held).catch(console.error)
  held = null
}
