import type { ModelConnection, ModelTested } from '../../contract/staff/model.ts'
import { complete } from '../answering/completion.ts'
import { isModelSet, withModel } from '../config/connected-model.ts'
import { type Settings, SettingsError } from '../config/config.ts'
import { failureBehind } from '../models/agent-failure.ts'
import { connectModel, describeModel } from '../models/connect-model.ts'
import type { ModelSettings } from '../models/model-settings.ts'
import { DEFAULT_LIMITS } from '../models/model-limits.ts'
import { EndpointQuirks } from '../models/requests/endpoint-quirks.ts'
import { readFact } from '../store/engine/installation-facts.ts'
import type { OpenData } from './open-data.ts'
import type { ConsoleModel } from '../staff-api/console-options.ts'

const TEST_TIMEOUT_MS = 60_000
const MAX_SHOWN = 300
/** Reasoning models use most of it for thoughts. */
const MAX_OUTPUT_TOKENS = 1_000

export function consoleModel(settings: Settings, live: string | null): ConsoleModel {
  return {
    isSetByEnvironment: isModelSet(settings),
    label: describeModel(settings.model).label,
    live,
    mistake(connection) {
      try {
        withModel(settings, connection)
        return null
      } catch (error) {
        if (error instanceof SettingsError) return error.message
        throw error
      }
    },
    test: (connection) => testModel(withModel(settings, connection)),
  }
}

/** Asks a model for one word, without a second try. @throws {AgentFailure} */
export async function askOnce(settings: ModelSettings, signal: AbortSignal): Promise<string> {
  const options = { limits: { ...DEFAULT_LIMITS, maxRetries: 0 }, quirks: new EndpointQuirks(), onWarning: () => undefined, local: null }
  const request = { instructions: 'Reply with the word OK.', text: 'OK?', maxOutputTokens: MAX_OUTPUT_TOKENS, signal }
  return (await complete(await connectModel(settings, options), request)).text
}

/** Asks a model, and tells what came of it. */
async function testModel({ model }: Settings): Promise<ModelTested> {
  const startedAt = performance.now()
  const outcome = (isAnswering: boolean, detail: string) => ({
    isAnswering,
    seconds: Math.round(performance.now() - startedAt) / 1000,
    detail: detail.trim().slice(0, MAX_SHOWN),
  })
  const signal = AbortSignal.timeout(TEST_TIMEOUT_MS)
  try {
    const text = await askOnce(model, signal)
    return outcome(true, text)
  } catch (error) {
    if (signal.aborted) return outcome(false, 'The model did not answer within a minute.')
    const { message, cause } = failureBehind(error)
    const { code = '', reason = '' } = (cause ?? {}) as { code?: string; reason?: string }
    return outcome(false, `${message} ${code || reason}`)
  }
}

/** Calls `onChanged` once what is stored differs from what this process has started with, unless the environment names the model. */
export function followModel(
  settings: Settings,
  { database, versions, onFault }: Pick<OpenData, 'database' | 'versions' | 'onFault'>,
  live: string | null,
  onChanged: () => void,
): Promise<void> {
  return versions.follow({
    version: 'connected_model',
    refresh: async () => {
      if ((await readFact(database, 'connected_model')) !== live && !isModelSet(settings)) onChanged()
    },
    onFault: (cause) => onFault('Reading the connected model failed; retrying', cause),
  })
}

/** The settings with the connected model; as they are where the environment names one, or the connection doesn't go with them. */
export function settingsWith(
  settings: Settings,
  connection: ModelConnection | null | undefined,
  onWarning: (message: string) => void,
): Settings {
  if (!connection || isModelSet(settings)) return settings
  try {
    return withModel(settings, connection)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    onWarning(`The model that was connected in the console isn't used. ${error.message}`)
    return settings
  }
}
