import type { PubSub } from '../pubsub/pubsub.ts'
import { stopTopic } from '../pubsub/topics.ts'
import { Poller } from '../pubsub/poller.ts'
import type { Database } from '../store/database.ts'
import { listStopRequests, requestStop } from '../store/remote-turns.ts'

/** How often the database is asked, for all turns that run here in one query, while the pubsub cannot be trusted. */
const LOOK_INTERVAL_MS = 1_000

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
  readonly #watch: Poller

  constructor(options: StopRequestsOptions) {
    this.#options = options
    const { database, pubsub, instance, stop, onFault } = options
    this.#watch = new Poller({
      pubsub,
      intervalMs: LOOK_INTERVAL_MS,
      poll: async () => {
        for (const turnId of await listStopRequests(database, instance)) stop(turnId)
      },
      onFault: (cause) => onFault('Requests to stop turns could not be read', cause),
    })
  }

  /** Asks whoever runs the turn to stop it. */
  async send(turnId: string): Promise<void> {
    const { database, pubsub } = this.#options
    await requestStop(database, turnId)
    pubsub.publish(stopTopic(turnId))
  }

  /** Heeds requests for a turn that runs here from now on. */
  heed(turnId: string): void {
    this.#watch.add(stopTopic(turnId))
  }

  forget(turnId: string): void {
    this.#watch.remove(stopTopic(turnId))
  }

  close(): void {
    this.#watch.close()
  }
}
