import type { LocalRuntimePaths } from '../../../local-runtime/model-supervisor.ts'
import type { ModelSettings } from '../connect-model.ts'
import type { LocalRuntime, LocalRuntimeOptions } from './local-runtime.ts'

/** The settings that say whether there is one. */
export interface ModelChoice {
  model: ModelSettings
  fallback: { model: ModelSettings } | null
}

/** Fetches and loads the local model in the background; null when none is set. To be closed. */
export async function startLocalModel(
  { model, fallback }: ModelChoice,
  paths: LocalRuntimePaths,
  onWarning: LocalRuntimeOptions['onWarning'],
): Promise<LocalRuntime | null> {
  const settings = [model, fallback?.model].find((candidate) => candidate?.kind === 'local')
  if (!settings) return null
  const { LocalRuntime: Runtime } = await import('./local-runtime.ts')
  return new Runtime({ settings, ...paths, onWarning })
}
