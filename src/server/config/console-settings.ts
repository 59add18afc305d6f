import { z } from 'zod'
import { isHostName, isLoopbackHost } from './host-names.ts'
import { listOf, oneOf, pageOrigin, text, wholeNumber } from './setting-schemas.ts'
import { STAFF_SIGN_IN_ENVIRONMENT, staffProviderMistakes, staffProviderSettings } from './staff-sign-in-settings.ts'

const DEFAULT_PORT = 3001

export const CONSOLE_ENVIRONMENT = {
  CONSOLE_PORT: z
    .union([z.literal('off'), wholeNumber(0, 65_535)], 'must be off or a whole number to 65535')
    .optional()
    .describe(
      `Port of the staff console; \`0\` selects a free port, \`off\` turns the console off. Defaults to ${DEFAULT_PORT}, if that port is free and \`PORT\` isn’t \`0\`.`,
    ),
  CONSOLE_HOST: text
    .default('127.0.0.1')
    .describe('Address on which the staff console listens. Any other than loopback requires `CONSOLE_URL`.'),
  CONSOLE_URL: pageOrigin('https://console.example.org').describe(
    'Origin under which staff open the console, for passkeys and links. Defaults to `http://localhost` with the port.',
  ),
  STAFF_READING: oneOf('reports', 'all')
    .default('reports')
    .describe(
      'Text that staff can read: only what visitors hand over (`reports`), or also messages that visitors send after accepting a privacy notice which says so (`all`). `all` puts that into the notice and asks every visitor for consent again.',
    ),
  CONSOLE_PRIVATE_HOSTS: listOf(isHostName, 'must be host names like n8n.internal, without a port').describe(
    'Hosts, separated by commas, that webhooks, websites and a model from the console may have on private addresses, other ports and http.',
  ),
  ...STAFF_SIGN_IN_ENVIRONMENT,
}

type ConsoleEnvironment = z.infer<z.ZodObject<typeof CONSOLE_ENVIRONMENT>> & { PORT: number }

export type ConsoleSettings = NonNullable<ReturnType<typeof consoleSettings>>

/** `null` if there is no console. */
export function consoleSettings(environment: ConsoleEnvironment) {
  const { PORT, CONSOLE_PORT, CONSOLE_HOST, CONSOLE_URL } = environment
  if (CONSOLE_PORT === 'off' || (CONSOLE_PORT === undefined && PORT === 0)) return null
  return {
    host: CONSOLE_HOST,
    port: CONSOLE_PORT ?? DEFAULT_PORT,
    isChosen: CONSOLE_PORT !== undefined,
    url: CONSOLE_URL ?? null,
    provider: staffProviderSettings(environment),
    privateHosts: environment.CONSOLE_PRIVATE_HOSTS.map((host) => host.toLowerCase()),
  }
}

export function consoleMistakes(environment: ConsoleEnvironment): string[] {
  const { PORT, CONSOLE_PORT, CONSOLE_HOST, CONSOLE_URL } = environment
  const mistakes = staffProviderMistakes(environment)
  if (!CONSOLE_URL && !isLoopbackHost(CONSOLE_HOST)) mistakes.push('CONSOLE_URL is missing, CONSOLE_HOST lets other machines connect')
  if (CONSOLE_URL?.startsWith('http:') && !isLoopbackHost(new URL(CONSOLE_URL).hostname))
    mistakes.push('CONSOLE_URL must be https, except on this machine')
  if (CONSOLE_PORT !== undefined && CONSOLE_PORT !== 0 && CONSOLE_PORT === PORT) mistakes.push('CONSOLE_PORT must differ from PORT')
  return mistakes
}

/** Origin under which staff open the console, if it listens on the port of its settings. */
export function consoleOriginOf({ url, port }: Pick<ConsoleSettings, 'url' | 'port'>): string {
  return url ?? `http://localhost:${port}`
}
