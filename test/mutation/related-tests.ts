import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sourcesOf, type Sources } from '../support/import-graph.ts'
import type { Folder } from './folders.ts'

/** Outside the folders of their code, tests that open a database or read sources without a server. */
const IN_PROCESS = /^(src|test\/(store|pubsub))\/.*\.test\.tsx?$/

/** The tests that should notice a fault in the folders: those beside their files, those that import one, and the API tests that state their rules. */
export function relatedTests(root: string, { sources: folders, apiTests }: Folder): string[] {
  const paths = globSync('{src,test}/**/*.{ts,tsx}', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const sources = sourcesOf(Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])))
  const inProcess = paths.filter((path) => IN_PROCESS.test(path) && (isIn(folders, path) || imports(path, folders, sources, new Set())))
  const api = apiTests.map((name) => `test/api/${name}.test.ts`)
  return [...inProcess.toSorted(), ...api]
}

function imports(path: string, folders: string[], sources: Sources, seen: Set<string>): boolean {
  if (isIn(folders, path) && !path.endsWith('.test.ts')) return true
  if (seen.has(path)) return false
  seen.add(path)
  return (sources.get(path)?.imports ?? []).some(
    ({ target, isType, isPackage }) => !isType && !isPackage && imports(target, folders, sources, seen),
  )
}

export const isApiTest = (path: string): boolean => path.startsWith('test/api/')

export const isIn = (folders: string[], path: string): boolean => folders.some((folder) => path.startsWith(`src/${folder}/`))

/** Whether a test is in one of the folders, or in that of `test` with the same name. */
export const isOwnTest = (folders: string[], path: string): boolean =>
  isIn(folders, path) || folders.some((folder) => path.startsWith(`test/${basename(folder)}/`))
