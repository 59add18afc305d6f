import type { Settings } from '../config/config.ts'
import { type LimitValues, withAdjustments } from '../limits/adjustable-limits.ts'
import { RuntimeLimits, type RuntimeLimitsOptions } from '../limits/runtime-limits.ts'
import { readAdjustedLimits } from '../store/staff/adjusted-limits.ts'
import type { Database } from '../store/engine/database.ts'

type LimitSettings = Pick<Settings, 'limits' | 'budgets'>

export async function openRuntimeLimits(
  { limits, budgets, variables }: LimitSettings & Pick<Settings, 'variables'>,
  parts: Pick<RuntimeLimitsOptions, 'database' | 'versions' | 'onFault'>,
): Promise<RuntimeLimits> {
  const runtimeLimits = new RuntimeLimits({
    ...parts,
    environment: { limits, budgets },
    isSet: (setting) => variables[setting] !== undefined,
  })
  await runtimeLimits.start()
  return runtimeLimits
}

/** The limits in force now, for commands beside the server. */
export async function readLimitsInForce({ limits, budgets }: LimitSettings, database: Database): Promise<LimitValues> {
  return withAdjustments({ limits, budgets }, await readAdjustedLimits(database))
}
