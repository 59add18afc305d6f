import { join } from 'node:path'
import type { ModelSettings } from '../connect-model.ts'
import type { LocalRuntime, LocalRuntimeOptions } from './local-runtime.ts'

/** What its process has of the environment: where things are, and no secret. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot']

/** What of the settings says whether there is one. */
export interface LocalModelPlace {
  model: ModelSettings
  fallback: { model: ModelSettings } | null
  dataDirectory: string
  /** Where the launcher installs what runs a local model. */
  libraryDirectory: string
  /** The environment. */
  variables: Readonly<Record<string, string>>
}

/** Fetches and loads the local model, beside whatever else is done; null when none is set. To be closed. */
export async function startLocalModel(
  { model, fallback, dataDirectory, libraryDirectory, variables }: LocalModelPlace,
  onWarning: LocalRuntimeOptions['onWarning'],
): Promise<LocalRuntime | null> {
  const settings = [model, fallback?.model].find((candidate) => candidate?.kind === 'local')
  if (!settings) return null
  const { LocalRuntime: Runtime } = await import('./local-runtime.ts')
  return new Runtime({
    settings,
    modelsDirectory: join(dataDirectory, 'models'),
    libraryDirectory,
    env: Object.fromEntries(Object.entries(variables).filter(([name]) => VARIABLES.includes(name))),
    onWarning,
  })
}
