import type { ChatSession, FailedPrompt } from '../chat-session.ts'

/** Keeps a refused prompt at its place while another one follows. The refused edit of a prompt isn't kept: the server has the original. */
export function moveFailedPrompt({ messages, answer, failed = [] }: ChatSession): Partial<ChatSession> {
  const message = messages.at(-1)
  if (answer.status !== 'rejected' || !('prompt' in answer.retry) || answer.retry.edits || !message) return {}
  const { retry: unsent, code, retryAt } = answer
  const refused: FailedPrompt = { message, unsent, code, retryAt, after: messages.at(-2)?.id ?? null }
  return { messages: messages.slice(0, -1), failed: [...failed, refused] }
}

export const failedPrompt = (session: ChatSession | null, id: string | undefined): FailedPrompt | undefined =>
  session?.failed?.find(({ unsent }) => unsent.id === id)

export const withoutFailed = ({ failed = [] }: ChatSession, one: FailedPrompt): { failed: readonly FailedPrompt[] } => ({
  failed: failed.filter((other) => other !== one),
})
