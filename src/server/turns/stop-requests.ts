import type { PubSub } from '../pubsub/pubsub.ts'
import { stopTopic } from '../pubsub/topics.ts'
import { Poller } from '../pubsub/poller.ts'
import type { Database } from '../store/database.ts'
import { listStopRequests, requestStop } from '../store/remote-turns.ts'

/** How often the database is asked, for all turns that run here in one query, while the pubsub cannot be trusted. */
const POLL_INTERVAL_MS = 1_000

export interface StopRequestsOptions {
  database: Database
  pubsub: PubSub
  instance: string
  /** Stops a turn that runs here. */
  stop: (turnId: string) => void
  onFault: (message: string, cause: unknown) => void
}

/** How a turn is stopped from a process that does not run it: it is noted in the database, and the one that runs it hears or sees that. */
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

  /** Asks whoever runs the turn to stop it. */
  async send(turnId: string): Promise<void> {
    const { database, pubsub } = this.#options
    await requestStop(database, turnId)
    pubsub.publish(stopTopic(turnId))
  }

  /** Heeds requests for a turn that runs here from now on. */
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
