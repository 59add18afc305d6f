import { readAdjustedLimits } from '../store/staff/adjusted-limits.ts'
import type { Database } from '../store/engine/database.ts'
import { readVersion } from '../store/engine/installation-facts.ts'
import { VersionFollower } from '../store/engine/version-follower.ts'
import { readNetworkBlocks } from '../store/staff/network-blocks.ts'
import { type LimitValues, withAdjustments } from './adjustable-limits.ts'
import { BlockedNetworks } from './blocked-networks.ts'

/** A change is in force in every process after this time and a query. */
const POLL_INTERVAL_MS = 400

export interface RuntimeLimitsOptions {
  database: Database
  environment: LimitValues
  isSet: (setting: string) => boolean
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** The limits and blocks of networks in force in this process. It polls for what staff change; while the database is away, those known last apply. */
export class RuntimeLimits {
  readonly #options: RuntimeLimitsOptions
  #current: LimitValues
  #blocked = new BlockedNetworks([])
  readonly #follower: VersionFollower

  constructor(options: RuntimeLimitsOptions) {
    const { database, environment, now, onFault } = options
    this.#options = options
    this.#current = environment
    this.#follower = new VersionFollower({
      version: () => readVersion(database, 'limits_version'),
      refresh: async () => {
        this.#current = withAdjustments(environment, await readAdjustedLimits(database))
        this.#blocked = new BlockedNetworks(await readNetworkBlocks(database, now()))
      },
      intervalMs: POLL_INTERVAL_MS,
      onFault: (cause) => onFault('Reading the limits that staff have changed failed; retrying', cause),
    })
  }

  /** The limits in force. The same object until one changes. */
  get current(): LimitValues {
    return this.#current
  }

  get blockedNetworks(): BlockedNetworks {
    return this.#blocked
  }

  get environment(): LimitValues {
    return this.#options.environment
  }

  readonly isSet = (setting: string): boolean => this.#options.isSet(setting)

  start(): Promise<void> {
    return this.#follower.start()
  }

  close(): Promise<void> {
    return this.#follower.close()
  }
}
