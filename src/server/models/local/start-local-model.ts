import type { LocalRuntimePaths } from '../../local-runtime/model-supervisor.ts'
import type { ModelSettings } from '../model-settings.ts'
import type { LocalRuntime, LocalRuntimeOptions } from './local-runtime.ts'

/** The settings that configure a local model. */
export interface ModelChoice {
  model: ModelSettings
  fallback: { model: ModelSettings } | null
}

/** Starts fetching and loading the local model; `null` if none is configured. The caller closes it. */
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
