import type { ModelConnection } from '../../contract/staff/model.ts'
import { readSettings, type Settings } from './config.ts'

/** Whether the environment sets the model. */
export const isModelSet = ({ variables }: Pick<Settings, 'variables'>): boolean => variables['MODEL'] !== undefined

/**
 * The settings with the model of a connection.
 * @throws {SettingsError} that says which settings it doesn't go with.
 */
export function withModel(settings: Settings, connection: ModelConnection): Settings {
  const { variables } = settings
  // What was read from a file is among the variables too.
  const own = Object.entries(variables).filter(
    ([name]) => !(name.endsWith('_FILE') && Object.hasOwn(variables, name.slice(0, -'_FILE'.length))),
  )
  const { model, modelWindow, prices, fallback } = readSettings({ ...Object.fromEntries(own), ...environmentOf(connection) })
  return {
    ...settings,
    model: model.kind === 'builtin' ? model : { ...model, network: networkOf(settings, connection) },
    modelWindow,
    prices,
    fallback,
  }
}

function environmentOf(connection: ModelConnection): Record<string, string> {
  const { provider, model, key } = connection
  if (provider === 'address')
    return { MODEL: `openai:${model}`, OPENAI_BASE_URL: connection.address, ...(key !== undefined && { OPENAI_API_KEY: key }) }
  return { MODEL: `${provider}:${model}`, [`${provider.toUpperCase()}_API_KEY`]: key ?? '' }
}

/** Addresses that it may be at: owners aren't trusted with the server's own network, unless the operator names the host. */
function networkOf({ console: staff }: Settings, connection: ModelConnection): 'public' | 'private' {
  return connection.provider === 'address' && staff?.privateHosts.includes(new URL(connection.address).hostname) ? 'private' : 'public'
}
