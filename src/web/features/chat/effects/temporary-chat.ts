import { MAX_EARLIER_MESSAGES } from '../../../../contract/size-limits.ts'
import { textOf } from '../../../../contract/message-text.ts'
import type { ChatOptions } from '../../../api/calls.ts'
import { useApplication } from '../../../state/application-store.ts'

/** UTF-16 code units of earlier messages: with a prompt at its limit, the body stays within the server's limit. */
const MAX_EARLIER_CHARACTERS = 40_000

/** Options of a prompt in a temporary chat. The server does not store the earlier messages: the newest of them go with the prompt. */
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
