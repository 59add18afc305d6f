import type { ChatMessage } from '../../../../contract/message.ts'
import { filesOf } from '../../../../contract/parts/file.ts'
import { failureSentence, type FailureCode } from '../../../api/failure.ts'
import { chooseBranch, regenerateAnswer } from '../../../api/message-calls.ts'
import { changes, type ChatSession, NOTHING_YET, unsentOf, useApplication } from '../../../state/application-store.ts'
import { notify } from '../../../ui/notification.tsx'
import { ask, begin, follow, leave, reload } from '../chat-actions.ts'

/** The open session, if nothing is being written in it. */
function idleSession(): ChatSession | null {
  const { currentSession, isSendingChat } = useApplication.getState()
  return isSendingChat ? null : currentSession
}

/** Has the prompt of an answer answered once more. The earlier answer, and what followed it, stay beside the new one. */
export async function regenerate(answer: string): Promise<void> {
  const session = idleSession()
  const index = session?.messages.findIndex(({ id }) => id === answer) ?? -1
  if (!session || index < 0) return
  const { key, messages } = session
  const signal = leave()
  const prompt = messages.slice(0, index).findLastIndex(({ role }) => role === 'user')
  changes.branchBegun(key, prompt + 1)
  const running = await begin(key, signal)
  const id = crypto.randomUUID()
  const outcome = await running?.repeat((headers) => regenerateAnswer(key, answer, id, headers))
  if (signal.aborted) return
  if (!outcome?.ok) return giveUp(key, outcome?.code)
  changes.answerProgressed(key, outcome.value.id, NOTHING_YET)
  await follow(key, outcome.value.id, signal)
  await showVersions(key, signal)
}

/** Sends a prompt as another version of one that is shown. The earlier one, and what followed it, stay beside it. */
export async function sendEdited(edits: string, prompt: string): Promise<void> {
  const session = idleSession()
  const index = session?.messages.findIndex(({ id }) => id === edits) ?? -1
  if (!session || index < 0) return
  const signal = leave()
  const files = filesOf(session.messages[index]!)
  const message: ChatMessage = { id: crypto.randomUUID(), role: 'user', parts: [...files, { type: 'text', text: prompt }] }
  const unsent = { ...unsentOf(message), edits }
  changes.branchBegun(session.key, index, { message, unsent })
  await ask(session.key, unsent, signal)
  await showVersions(session.key, signal)
}

/** Shows another version of a message, and what followed it. */
export async function showVersion(message: string): Promise<void> {
  const session = idleSession()
  if (!session) return
  const outcome = await chooseBranch(session.key, message)
  if (useApplication.getState().currentSession?.key !== session.key) return
  if (!outcome.ok) return giveUp(session.key, outcome.code)
  await reload(session.key)
}

/** An answer tells nothing of those beside it: which of how many it is, is known by the session. */
async function showVersions(key: string, signal: AbortSignal): Promise<void> {
  const session = useApplication.getState().currentSession
  if (!signal.aborted && session?.key === key && session.answer.status === 'none') await reload(key)
}

/** Says why it was not done, and shows what there is. */
async function giveUp(key: string, code: FailureCode | undefined): Promise<void> {
  notify({ message: failureSentence(code), type: 'error' })
  await reload(key)
}
