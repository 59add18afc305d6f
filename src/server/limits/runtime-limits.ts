import { readAdjustedLimits } from '../store/staff/adjusted-limits.ts'
import type { Database } from '../store/engine/database.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'
import { readNetworkBlocks } from '../store/staff/network-blocks.ts'
import { type LimitValues, withAdjustments } from './adjustable-limits.ts'
import { BlockedNetworks } from './blocked-networks.ts'

export interface RuntimeLimitsOptions {
  database: Database
  versions: VersionFollower
  environment: LimitValues
  isSet: (setting: string) => boolean
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** The limits and blocks of networks in force in this process. It follows what staff change; while the database is away, those known last apply. */
export class RuntimeLimits {
  readonly #options: RuntimeLimitsOptions
  #current: LimitValues
  #blocked = new BlockedNetworks([])

  constructor(options: RuntimeLimitsOptions) {
    this.#options = options
    this.#current = options.environment
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
    const { database, versions, environment, now, onFault } = this.#options
    return versions.follow({
      version: 'limits_version',
      refresh: async () => {
        this.#current = withAdjustments(environment, await readAdjustedLimits(database))
        this.#blocked = new BlockedNetworks(await readNetworkBlocks(database, now()))
      },
      onFault: (cause) => onFault('Reading the limits that staff have changed failed; retrying', cause),
    })
  }
}
