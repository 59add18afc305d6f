import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environmentFor, npmCommand } from '../scripts/processes.mjs'
import { type Figure, megabytes, withinBound } from './support/measurement.ts'
import { ROOT } from './support/processes.ts'

const BOUND_MB = 150
/** Files that a server needs besides its packages; the first three are needed to install them. */
const SHIPPED = ['package.json', 'package-lock.json', '.npmrc', 'agents', 'knowledge', 'dist']

const run = promisify(execFile)

/** Disk space of a production install: packages without development dependencies, knowledge, and the built page and server. */
export const installedSize: Figure = {
  name: 'installed-size',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'parley-installed-'))
    try {
      for (const path of SHIPPED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
      const { file, args } = npmCommand(process.execPath, ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'])
      await run(file, args, { cwd: folder, env: environmentFor(process.execPath) })
      const { stdout } = await run('du', ['-sk', folder])
      return [withinBound('installed for production', (Number.parseInt(stdout, 10) * 1024) / 1e6, BOUND_MB, megabytes)]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
