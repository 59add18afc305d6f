import type { Bell } from '../pubsub/pubsub.ts'
import { stopTopic } from '../pubsub/topics.ts'
import { Watch } from '../pubsub/poller.ts'
import type { Database } from '../store/database.ts'
import { listStopRequests, requestStop } from '../store/remote-turns.ts'

/** How often the database is asked, for all turns that run here in one query, while the bell cannot be trusted. */
const LOOK_INTERVAL_MS = 1_000

export interface StopRequestsOptions {
  database: Database
  bell: Bell
  instance: string
  /** Stops a turn that runs here. */
  stop: (turnId: string) => void
  onFault: (message: string, cause: unknown) => void
}

/** How a turn is stopped from a process that does not run it: it is noted in the database, and the one that runs it hears or sees that. */
export class StopRequests {
  readonly #options: StopRequestsOptions
  readonly #watch: Watch

  constructor(options: StopRequestsOptions) {
    this.#options = options
    const { database, bell, instance, stop, onFault } = options
    this.#watch = new Watch({
      bell,
      intervalMs: LOOK_INTERVAL_MS,
      look: async () => {
        for (const turnId of await listStopRequests(database, instance)) stop(turnId)
      },
      onFault: (cause) => onFault('Requests to stop turns could not be read', cause),
    })
  }

  /** Asks whoever runs the turn to stop it. */
  async send(turnId: string): Promise<void> {
    const { database, bell } = this.#options
    await requestStop(database, turnId)
    bell.ring(stopTopic(turnId))
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
