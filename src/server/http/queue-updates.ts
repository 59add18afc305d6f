import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { QUEUE_PLACE, QUEUE_PLACE_PREFERENCE, REFUSAL } from '../../contract/queue-position.ts'
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
        `A refusal then comes in the stream, as \`${REFUSAL}\` and \`error\`.`,
    ),
})

/**
 * Tells a caller its place in the queue. The head of the stream goes out with the first one, so all that headers have to say must be
 * known by then: `prepare` sees to that. Who does not have to wait gets a reply like any other.
 */
export class ShownWait {
  readonly #reply: FastifyReply
  readonly #prepare: () => Promise<void>
  #telling: Promise<void> | undefined

  constructor(reply: FastifyReply, prepare: () => Promise<void>) {
    this.#reply = reply
    this.#prepare = prepare
  }

  /** @param admit Done before all else, with the first place; when it rejects, nothing is told. */
  tell(place: number, admit: () => Promise<void>): void {
    this.#telling = (this.#telling ?? admit().then(this.#prepare)).then(() =>
      sendAhead(this.#reply, { type: QUEUE_PLACE, data: place, transient: true }),
    )
    // `told` says it.
    this.#telling.catch(() => undefined)
  }

  /** Whether the caller is told, or about to be. */
  get isTold(): boolean {
    return this.#telling !== undefined
  }

  /** Rejects when telling failed. To be asked when the wait is over. */
  async told(): Promise<void> {
    await this.#telling
  }
}

/**
 * For a caller who wants a stream and its place: undefined for any other. `prepare`: what has to be done before the reply's headers go out.
 */
export function shownWait(request: FastifyRequest, reply: FastifyReply, prepare = async () => {}): ShownWait | undefined {
  const prefers = [request.headers['prefer'] ?? []].flat().join(',')
  return wantsStream(request) && PREFERS_PLACE.test(prefers) ? new ShownWait(reply, prepare) : undefined
}
