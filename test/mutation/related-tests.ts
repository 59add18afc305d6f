import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourcesOf, type Sources } from '../support/import-graph.ts'
import { FOLDERS } from './folders.ts'

/** Outside the folders of their code, tests that open a database or read sources without a server. */
const IN_PROCESS = /^(src|test\/(store|pubsub))\/.*\.test\.tsx?$/

/** The tests that should notice a fault in the folder: those that import one of its files, and the API tests that state its rules. */
export function relatedTests(root: string, folder: string): string[] {
  const paths = globSync('{src,test}/**/*.{ts,tsx}', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const sources = sourcesOf(Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
  const inProcess = paths.filter((path) => IN_PROCESS.test(path) && imports(path, `src/${folder}/`, sources, new Set()))
  const api = (FOLDERS[folder] ?? []).map((name) => `test/api/${name}.test.ts`)
  return [...inProcess.toSorted(), ...api]
}

function imports(path: string, folder: string, sources: Sources, seen: Set<string>): boolean {
  if (path.startsWith(folder) && !path.endsWith('.test.ts')) return true
  if (seen.has(path)) return false
  seen.add(path)
  return (sources.get(path)?.imports ?? []).some(
    ({ target, isType, isPackage }) => !isType && !isPackage && imports(target, folder, sources, seen),
  )
}

export const isApiTest = (path: string): boolean => path.startsWith('test/api/')
