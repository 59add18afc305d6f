import { readFileSync } from 'node:fs'
import { SettingsError } from './setting-schemas.ts'

/**
 * Adds the settings of the file in `PARLEY_ENV_FILE`, one `NAME=value` a line as in systemd's `EnvironmentFile`, to those that the
 * environment lacks. Without the file, nothing is added.
 * @throws {SettingsError} that names the line, and never its value.
 */
export function addEnvironmentFile(environment: NodeJS.ProcessEnv): void {
  const path = environment['PARLEY_ENV_FILE'] ?? ''
  for (const [index, line] of linesOf(path).entries()) {
    if (/^\s*([#;].*)?$/.test(line)) continue
    const [, name, value] = /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) throw new SettingsError(`${path}, line ${index + 1}, is not NAME=value.`)
    environment[name] ??= value.trim().replace(/^(["'])(.*)\1$/, '$2')
  }
}

function linesOf(path: string): string[] {
  if (path === '') return []
  try {
    return readFileSync(path, 'utf8').split(/\r?\n/)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new SettingsError(`${path} cannot be read by this user: run the command as root or as the user of the service.`)
  }
}
