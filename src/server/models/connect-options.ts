import type { EndpointQuirks } from './requests/endpoint-quirks.ts'
import type { LocalRuntime } from './local/local-runtime.ts'
import type { ModelLimits } from './model-limits.ts'
import type { Surroundings } from './builtin/next-step.ts'

export interface ConnectOptions {
  limits: ModelLimits
  /** Shared by all agents: request fields that endpoints reject. */
  quirks: EndpointQuirks
  onWarning: (message: string, cause?: unknown) => void
  /** Runs the local model; shared by all agents. */
  local: Pick<LocalRuntime, 'answer'> | null
  surroundings?: () => Surroundings
}
