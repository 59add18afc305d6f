import type { FastifyReply } from 'fastify'
import type { Following } from '../../turns/log/follow.ts'
import { frameOf } from '../../turns/log/turn-log.ts'
import { sendMessageStream } from '../../platform/event-stream.ts'

/** Writes a turn as an AI SDK UI message stream, from the event after `after`. Disconnecting never affects the turn. */
export function sendTurnEvents(reply: FastifyReply, following: Following, after: number): Promise<void> {
  return sendMessageStream(reply, (signal) => framesOf(following(after, signal)))
}

async function* framesOf(batches: ReturnType<Following>): AsyncGenerator<string> {
  for await (const events of batches) yield events.map(frameOf).join('')
}
