import { execFile } from 'node:child_process'
import { cp, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')

/** Copies `bench/<name>` into its own folder and installs its locked packages from npm, once. Returns the folder. */
export async function installed(name: string): Promise<string> {
  const [sources, workshop] = [join(ROOT, 'bench', name), join(ROOT, '.runtime', name)]
  await mkdir(workshop, { recursive: true })
  const isThere = await isNewer(join(workshop, 'node_modules/.package-lock.json'), join(sources, 'package-lock.json'))
  await cp(sources, workshop, { recursive: true })
  if (!isThere) await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: workshop })
  return workshop
}

async function isNewer(path: string, than: string): Promise<boolean> {
  const [made, source] = await Promise.all([path, than].map((file) => stat(file).catch(() => null)))
  return made !== null && made !== undefined && source !== null && source !== undefined && made.mtimeMs > source.mtimeMs
}
