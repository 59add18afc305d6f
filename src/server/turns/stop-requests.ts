import type { PubSub } from '../pubsub/pubsub.ts'
import { stopTopic } from '../pubsub/topics.ts'
import { Poller } from '../pubsub/poller.ts'
import type { Database } from '../store/engine/database.ts'
import { listStopRequests, requestStop } from '../store/turns/remote-turns.ts'

/** Poll interval for all local turns, in one query, without a reliable pubsub. */
const POLL_INTERVAL_MS = 1_000

export interface StopRequestsOptions {
  database: Database
  pubsub: PubSub
  instance: string
  stop: (turnId: string) => void
  onFault: (message: string, cause: unknown) => void
}

/** Stops turns of other processes through the database and the pubsub. */
export class StopRequests {
  readonly #options: StopRequestsOptions
  readonly #poller: Poller

  constructor(options: StopRequestsOptions) {
    this.#options = options
    const { database, pubsub, instance, stop, onFault } = options
    this.#poller = new Poller({
      pubsub,
      intervalMs: POLL_INTERVAL_MS,
      poll: async () => {
        for (const turnId of await listStopRequests(database, instance)) stop(turnId)
      },
      onFault: (cause) => onFault('Reading stop requests failed; retrying', cause),
    })
  }

  async send(turnId: string): Promise<void> {
    const { database, pubsub } = this.#options
    await requestStop(database, turnId)
    pubsub.publish(stopTopic(turnId))
  }

  track(turnId: string): void {
    this.#poller.add(stopTopic(turnId))
  }

  untrack(turnId: string): void {
    this.#poller.remove(stopTopic(turnId))
  }

  close(): void {
    this.#poller.close()
  }
}
