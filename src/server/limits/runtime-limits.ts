import { readAdjustedLimits } from '../store/staff/adjusted-limits.ts'
import type { Database } from '../store/engine/database.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'
import { type LimitValues, withAdjustments } from './adjustable-limits.ts'

export interface RuntimeLimitsOptions {
  database: Database
  versions: VersionFollower
  environment: LimitValues
  isSet: (setting: string) => boolean
  onFault: (message: string, cause: unknown) => void
}

/** The limits in force in this process. It follows what staff change; while the database is away, those known last apply. */
export class RuntimeLimits {
  readonly #options: RuntimeLimitsOptions
  #current: LimitValues

  constructor(options: RuntimeLimitsOptions) {
    this.#options = options
    this.#current = options.environment
  }

  /** The limits in force. The same object until one changes. */
  get current(): LimitValues {
    return this.#current
  }

  get environment(): LimitValues {
    return this.#options.environment
  }

  readonly isSet = (setting: string): boolean => this.#options.isSet(setting)

  start(): Promise<void> {
    const { database, versions, environment, onFault } = this.#options
    return versions.follow({
      version: 'limits_version',
      refresh: async () => {
        this.#current = withAdjustments(environment, await readAdjustedLimits(database))
      },
      onFault: (cause) => onFault('Reading the limits that staff have changed failed; retrying', cause),
    })
  }
}
