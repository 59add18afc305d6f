import { readAdjustedLimits } from '../store/staff/adjusted-limits.ts'
import type { Database } from '../store/engine/database.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'
import { type LimitValues, withAdjustments } from './adjustable-limits.ts'

interface RuntimeLimitsOptions {
  database: Database
  versions: VersionFollower
  environment: LimitValues
  isSet: (setting: string) => boolean
  onFault: (message: string, cause: unknown) => void
}

export type RuntimeLimits = Awaited<ReturnType<typeof openRuntimeLimits>>

/** The limits in force in this process. It follows what staff change; while the database is away, those known last apply. */
export async function openRuntimeLimits({ database, versions, environment, isSet, onFault }: RuntimeLimitsOptions) {
  let current = environment
  await versions.follow({
    version: 'limits_version',
    refresh: async () => {
      current = await readLimitsInForce(database, environment)
    },
    onFault: (cause) => onFault('Reading the limits that staff have changed failed; retrying', cause),
  })
  return {
    environment,
    isSet,
    /** The limits in force. The same object until one changes. */
    get current() {
      return current
    },
  }
}

/** The limits in force now, for commands beside the server. */
export async function readLimitsInForce(database: Database, environment: LimitValues): Promise<LimitValues> {
  return withAdjustments(environment, await readAdjustedLimits(database))
}
