import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ModelSettings } from '../connect-model.ts'
import type { LocalRuntime, LocalRuntimeOptions } from './local-runtime.ts'

/** Where the launcher installs what runs a local model. */
const LIBRARY_DIRECTORY = fileURLToPath(new URL('../../../../../.runtime/local-model', import.meta.url))
/** What its process has of the environment: where things are, and no secret. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot']

/** What of the settings says whether there is one. */
export interface LocalModelPlace {
  model: ModelSettings
  fallback: { model: ModelSettings } | null
  dataDirectory: string
  /** The environment. */
  variables: Readonly<Record<string, string>>
}

/** Fetches and loads the local model, beside whatever else is done; null when none is set. To be closed. */
export async function startLocalModel(
  { model, fallback, dataDirectory, variables }: LocalModelPlace,
  onWarning: LocalRuntimeOptions['onWarning'],
): Promise<LocalRuntime | null> {
  const settings = [model, fallback?.model].find((candidate) => candidate?.kind === 'local')
  if (!settings) return null
  const { LocalRuntime: Runtime } = await import('./local-runtime.ts')
  return new Runtime({
    settings,
    modelsDirectory: join(dataDirectory, 'models'),
    libraryDirectory: LIBRARY_DIRECTORY,
    env: Object.fromEntries(Object.entries(variables).filter(([name]) => VARIABLES.includes(name))),
    onWarning,
  })
}
