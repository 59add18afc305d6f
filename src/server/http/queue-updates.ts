import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { QUEUE_PLACE, QUEUE_PLACE_PREFERENCE } from '../../contract/queue-position.ts'
import { type Rejection, REJECTION_PART } from '../../contract/rejection.ts'
import { sendAhead, wantsStream } from './event-stream.ts'
import { RepeatableHeaders } from './idempotency.ts'

const PREFERS_PLACE = new RegExp(`(?:^|,)\\s*${QUEUE_PLACE_PREFERENCE}\\s*(?:[,;]|$)`, 'i')

/** The headers of a call that makes a turn and may stream it. */
export const StreamedPromptHeaders = RepeatableHeaders.extend({
  prefer: z
    .string()
    .optional()
    .describe(
      `With \`${QUEUE_PLACE_PREFERENCE}\`, a stream begins while its prompt waits for a place, and says which place it has: \`${QUEUE_PLACE}\`. ` +
        `A rejection then arrives in the stream, as \`${REJECTION_PART}\` and \`error\`.`,
    ),
})

/**
 * Tells a caller its place in the queue. The head of the stream goes out with the first one, so all that headers have to say must be
 * known by then: `prepare` sees to that. Who does not have to wait gets a reply like any other.
 */
export class ShownWait {
  readonly #reply: FastifyReply
  readonly #prepare: () => Promise<void>
  #telling: Promise<Rejection | undefined> | undefined

  constructor(reply: FastifyReply, prepare: () => Promise<void>) {
    this.#reply = reply
    this.#prepare = prepare
  }

  /** @param admit Runs before the first place goes out; a rejection keeps every place from going out. */
  tell(place: number, admit: () => Promise<Rejection | undefined>): void {
    this.#telling = (this.#telling ?? this.#begin(admit)).then((rejection) => {
      if (!rejection) sendAhead(this.#reply, { type: QUEUE_PLACE, data: place, transient: true })
      return rejection
    })
    // `told` reports the fault.
    this.#telling.catch(() => undefined)
  }

  async #begin(admit: () => Promise<Rejection | undefined>): Promise<Rejection | undefined> {
    const rejection = await admit()
    if (!rejection) await this.#prepare()
    return rejection
  }

  /** Whether the caller is told, or about to be. */
  get isTold(): boolean {
    return this.#telling !== undefined
  }

  /** The rejection that kept the places from going out, if any. Call it when the wait is over; throws if sending failed. */
  async told(): Promise<Rejection | undefined> {
    return this.#telling
  }
}

/**
 * For a caller who wants a stream and its place: undefined for any other. `prepare`: what has to be done before the reply's headers go out.
 */
export function shownWait(request: FastifyRequest, reply: FastifyReply, prepare = async () => {}): ShownWait | undefined {
  const prefers = [request.headers['prefer'] ?? []].flat().join(',')
  return wantsStream(request) && PREFERS_PLACE.test(prefers) ? new ShownWait(reply, prepare) : undefined
}
