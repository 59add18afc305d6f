import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

export interface Import {
  /** Path from `src`, as `server/store/turns/turns.ts`, or the package's name, as `@ai-sdk/openai` or `node:fs`. */
  target: string
  isPackage: boolean
  /** `import type` and `export type`, which are erased. */
  isType: boolean
}

export interface SourceFile {
  text: string
  imports: Import[]
}

/** Source files by their path from `src`, without unit tests. */
export type Sources = Map<string, SourceFile>

const IMPORT = /^(?:import|export)\s(?<type>type\s)?(?:[^'"`;]*?\sfrom\s+)?'(?<from>[^']+)'|\bimport\(\s*'(?<dynamic>[^']+)'/gm

/** Style sheets and pictures have no imports of modules. */
const ASSET = /\.(css|svg)(\?\w+)?$/

export function readSources(root: string): Sources {
  const paths = globSync('**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path))
  return sourcesOf(Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(`${root}/${path}`, 'utf8')])))
}

/** @param texts Text of each file by its path from `src`. */
export function sourcesOf(texts: Record<string, string>): Sources {
  return new Map(Object.entries(texts).map(([path, text]) => [path, { text, imports: importsOf(path, text) }]))
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].flatMap(({ groups = {} }) => {
    const written = groups['from'] ?? groups['dynamic'] ?? ''
    if (ASSET.test(written)) return []
    const isPackage = !written.startsWith('.')
    const target = isPackage ? packageOf(written) : posix.join(posix.dirname(path), written)
    return [{ target, isPackage, isType: groups['type'] !== undefined }]
  })
}

function packageOf(written: string): string {
  if (written.startsWith('node:')) return written
  return written.split('/', written.startsWith('@') ? 2 : 1).join('/')
}

/** The first import cycle, as the paths along it; undefined if there is none. Type imports count. */
export function findCycle(sources: Sources): string[] | undefined {
  const done = new Set<string>()
  const walk = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const { target } of sources.get(path)?.imports ?? []) {
      const cycle = walk(target, [...trail, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const path of sources.keys()) {
    const cycle = walk(path, [])
    if (cycle) return cycle
  }
  return undefined
}
