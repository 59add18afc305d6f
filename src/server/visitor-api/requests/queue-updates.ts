import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { QUEUE_POSITION, QUEUE_POSITION_PREFERENCE } from '../../../contract/chat/queue-position.ts'
import { type Rejection, REJECTION_PART } from '../../../contract/rejection.ts'
import { sendAhead, wantsStream } from '../../platform/event-stream.ts'
import { RepeatableHeaders } from './idempotency.ts'

const PREFERS_PLACE = new RegExp(`(?:^|,)\\s*${QUEUE_POSITION_PREFERENCE}\\s*(?:[,;]|$)`, 'i')

export const StreamedPromptHeaders = RepeatableHeaders.extend({
  prefer: z
    .string()
    .optional()
    .describe(
      `With \`${QUEUE_POSITION_PREFERENCE}\`, the stream begins while the prompt is queued and reports its position: \`${QUEUE_POSITION}\`. ` +
        `A later rejection arrives in the stream, as \`${REJECTION_PART}\` and \`error\`.`,
    ),
})

/** Streams the caller's queue position. The headers go out with the first one, so `prepare` must have set them. */
export class QueueUpdates {
  readonly #reply: FastifyReply
  readonly #prepare: () => Promise<void>
  #sending: Promise<Rejection | undefined> | undefined

  constructor(reply: FastifyReply, prepare: () => Promise<void>) {
    this.#reply = reply
    this.#prepare = prepare
  }

  /** @param admit Runs before the first position is sent. If it rejects, no position is sent. */
  send(position: number, admit: () => Promise<Rejection | undefined>): void {
    this.#sending = (this.#sending ?? this.#begin(admit)).then((rejection) => {
      if (!rejection) sendAhead(this.#reply, { type: QUEUE_POSITION, data: position, transient: true })
      return rejection
    })
    // `finish` reports the fault.
    this.#sending.catch(() => undefined)
  }

  async #begin(admit: () => Promise<Rejection | undefined>): Promise<Rejection | undefined> {
    const rejection = await admit()
    if (!rejection) await this.#prepare()
    return rejection
  }

  /** Whether a position is sent, or about to be. */
  get hasStarted(): boolean {
    return this.#sending !== undefined
  }

  /** Waits until all positions are sent; returns the rejection of `admit`, if any. Throws if sending failed. */
  async finish(): Promise<Rejection | undefined> {
    return this.#sending
  }
}

/** Queue updates for a client that asks for them. @param prepare Runs before the headers are sent. */
export function queueUpdatesFor(request: FastifyRequest, reply: FastifyReply, prepare = async () => {}): QueueUpdates | undefined {
  const prefers = [request.headers['prefer'] ?? []].flat().join(',')
  return wantsStream(request) && PREFERS_PLACE.test(prefers) ? new QueueUpdates(reply, prepare) : undefined
}
