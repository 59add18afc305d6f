import type { ChatSession } from '../../../state/chat-session.ts'

/** Whether a chat ends with a complete answer that asks for no decision, so that the next prompt may be sent. */
export function isAnswered(session: ChatSession | null): boolean {
  const last = session?.messages.at(-1)
  if (session?.answer.status !== 'none' || last?.role !== 'assistant') return false
  return last.metadata?.status === 'done' && !last.parts.some((part) => 'state' in part && part.state === 'approval-requested')
}
