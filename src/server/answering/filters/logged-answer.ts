import type { ChatChunk } from '../../../contract/chat/message.ts'

/** Appends each chunk to the turn's log, which shows it once it is stored, and waits for room there. */
export async function* loggedAnswer(
  chunks: AsyncIterable<ChatChunk>,
  { log }: { log: (chunk: ChatChunk) => Promise<void> },
): AsyncGenerator<ChatChunk, void, undefined> {
  for await (const chunk of chunks) {
    await log(chunk)
    yield chunk
  }
}
