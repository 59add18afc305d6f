import { createParser } from 'eventsource-parser'
import { MessageBuilder } from '../contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../contract/chat/message.ts'
import type { StaffProblem } from '../contract/staff/problems.ts'
import { Rejected, rejectionOf, STAFF_API, unreachable } from './api.ts'

/**
 * Asks at a path of the staff API. Calls `onAnswer` with the answer so far as it arrives, and resolves with the whole one; on abort,
 * with what there is.
 * @throws {Rejected}
 */
export async function askTrial(
  path: string,
  prompt: object,
  { onAnswer, signal }: { onAnswer: (answer: ChatMessage) => void; signal: AbortSignal },
): Promise<ChatMessage> {
  const builder = new MessageBuilder()
  const parser = createParser({ onEvent: ({ data }) => builder.apply(JSON.parse(data) as ChatChunk) })
  try {
    const response = await fetch(STAFF_API + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(prompt),
      signal,
    })
    if (!response.ok || !response.body) throw rejectionOf((await response.json()) as StaffProblem)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parser.feed(read.value)
      onAnswer(builder.message)
    }
  } catch (error) {
    if (error instanceof Rejected) throw error
    if (!signal.aborted) throw unreachable()
  }
  return builder.finished()
}
