import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCycle, readSources, sourcesOf, type Import, type SourceFile, type Sources } from './support/import-graph.ts'

const ROOT = join(import.meta.dirname, '..')
const MAX_LINES = 400

/** Allowed imports of each part. Always allowed: itself, the contract, packages and, in the server, `semaphore.ts`, `constant.ts` and `tracing/`. */
const ARROWS: Record<string, string[]> = {
  contract: [],
  'server/main': ['server/app', 'server/config', 'server/knowledge-command'],
  'server/knowledge-command': [
    'server/config',
    'server/agent',
    'server/knowledge',
    'server/local-runtime',
    'server/sources',
    'server/store',
  ],
  'server/app': [
    'server/config',
    'server/http',
    'server/branding',
    'server/turns',
    'server/pubsub',
    'server/metrics',
    'server/agent',
    'server/knowledge',
    'server/policy',
    'server/local-runtime',
    'server/visitors',
    'server/limits',
    'server/egress',
    'server/sources',
    'server/staff',
    'server/managed',
    'server/console',
    'server/figures',
    'server/store',
  ],
  'server/console': [
    'server/config',
    'server/evaluation',
    'server/figures',
    'server/http',
    'server/limits',
    'server/managed',
    'server/policy',
    'server/questions',
    'server/sources',
    'server/staff',
    'server/store',
  ],
  'server/questions': ['server/policy', 'server/store'],
  'server/figures': ['server/policy', 'server/store'],
  'server/config': ['server/agent', 'server/branding', 'server/knowledge', 'server/limits', 'server/local-runtime', 'server/store'],
  'server/evaluation': [],
  'server/semaphore': [],
  'server/constant': [],
  'server/tracing': [],
  'server/parsing': [],
  'server/branding': [],
  'server/http': [
    'server/config',
    'server/branding',
    'server/turns',
    'server/pubsub',
    'server/metrics',
    'server/agent',
    'server/policy',
    'server/visitors',
    'server/limits',
    'server/store',
  ],
  'server/turns': ['server/config', 'server/pubsub', 'server/agent', 'server/policy', 'server/store'],
  'server/policy': ['server/knowledge'],
  'server/pubsub': [],
  'server/metrics': [],
  'server/visitors': ['server/config', 'server/oidc', 'server/pubsub', 'server/parsing', 'server/egress', 'server/store'],
  'server/oidc': ['server/config', 'server/egress'],
  'server/agent': ['server/policy', 'server/knowledge', 'server/parsing', 'server/local-runtime', 'server/egress'],
  'server/knowledge': ['server/parsing', 'server/local-runtime', 'server/egress'],
  'server/local-runtime': ['server/egress'],
  'server/egress': [],
  'server/sources': ['server/knowledge', 'server/parsing', 'server/egress', 'server/store'],
  'server/limits': ['server/store'],
  'server/managed': ['server/sources', 'server/staff', 'server/store'],
  'server/staff': ['server/config', 'server/oidc', 'server/store'],
  'server/store': [],
  'web/main': ['web/app', 'web/state', 'web/ui', 'web/storage', 'web/language'],
  'web/embed': [],
  'web/service-worker': [],
  'web/app': ['web/features', 'web/state', 'web/api', 'web/ui', 'web/storage', 'web/language'],
  'web/features': ['web/state', 'web/api', 'web/ui', 'web/storage', 'web/language'],
  'web/state': ['web/api', 'web/storage', 'web/language'],
  'web/api': ['web/storage', 'web/language'],
  'web/ui': ['web/storage', 'web/language'],
  'web/language': ['web/storage'],
  'web/storage': [],
  console: ['web/ui', 'web/language'],
}

/** Settings are read once, by main, and passed on as types. */
const READS_SETTINGS = (path: string) => /^server\/(main|app|config|knowledge-command)[./]/.test(path)

/** References a file by its source location, which differs in `dist/server`. */
const ELSEWHERE_IN_THE_BUILD = /import\.meta\.(?:dir|file)name|__dirname|new URL\((?!'\.\/[^']+', import\.meta\.url\)).*import\.meta/

const RULES: Record<string, (sources: Sources) => string[]> = {
  'follows the arrows between the parts': eachImport((path, { target, isType, isPackage }) => {
    const [from, to] = [partOf(path), partOf(target)]
    if (isPackage || from === to || (to === 'contract' && from !== 'web/ui')) return false
    if (['server/semaphore', 'server/constant', 'server/tracing'].includes(to) && from.startsWith('server/')) return false
    return !ARROWS[from]?.includes(to) || (target === 'server/config/config.ts' && !isType && !READS_SETTINGS(path))
  }),
  'keeps features apart': eachImport((path, { target }) => isFeature(path) && isFeature(target) && featureOf(path) !== featureOf(target)),
  'gives the contract zod, and types of the AI SDK': eachImport(
    (path, { target, isType, isPackage }) => partOf(path) === 'contract' && isPackage && target !== 'zod' && !(target === 'ai' && isType),
  ),
  'keeps zod out of the pages': eachImport(
    (path, { target, isType }, sources) => /^(web|console)\//.test(path) && !isType && reaches(target, 'zod', sources),
  ),
  'runs the server on what production installs': eachImport(
    (path, { target, isPackage }) =>
      /^(server|contract)\//.test(path) && isPackage && !target.startsWith('node:') && !PRODUCTION.has(target),
  ),
  'has no cycle': (sources) => findCycle(sources) ?? [],
  'reads the environment in config.ts alone': eachFile(
    (path, { text }) => path !== 'server/config/config.ts' && /process\.env\b/.test(text),
  ),
  'goes out through send-request.ts and model-request.ts alone': eachFile(
    (path, { text }) => path.startsWith('server/') && !WAYS_OUT.includes(path) && GOES_OUT.test(text),
  ),
  "leaves Node's own fetch unloaded, which an import of node:http loads": eachFile(
    (path, { text }) => path.startsWith('server/') && /import (?!type)[^;']*? from 'node:http'/.test(text),
  ),
  'listens to abort signals through abort.ts alone': eachFile(
    (path, { text }) => !LISTENS_TO_ABORT.includes(path) && /EventListener\(\s*'abort'/.test(text),
  ),
  'names what lies beside it as the bundler can follow': eachFile(
    (path, { text }) => path.startsWith('server/') && path !== 'server/main.ts' && ELSEWHERE_IN_THE_BUILD.test(text),
  ),
  'has no drawer for everything': eachFile((path) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.|$)/.test(path)),
  'keeps files short enough to read': eachFile((_, { text }) => text.split('\n').length > MAX_LINES),
}

/** The only modules that send requests: to models, and to everything else with address checks. */
const WAYS_OUT = ['server/agent/model/model-request.ts', 'server/egress/send-request.ts']

/** Calls of the global fetch, or imports that can open connections. Types and STATUS_CODES are allowed. */
const GOES_OUT =
  /(?<!const \{ STATUS_CODES \} = process\.)getBuiltinModule\(|(?<![.\w])fetch\(|globalThis\.fetch\(|import (?!type)[^;]*?\b(?:request|get|connect|createConnection)\b[^;]*?from 'node:(?:https?|http2|net|tls)'/

const PRODUCTION = new Set(Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies))

/** The helper itself, an `XMLHttpRequest`, which reports its own abort, and the module for clients, which imports nothing. */
const LISTENS_TO_ABORT = ['contract/abort.ts', 'web/api/file-calls.ts', 'web/client/client.ts']

test.each(Object.entries(RULES))('%s', (_, violations) => {
  expect(violations(readSources(join(ROOT, 'src')))).toEqual([])
})

test.each(['server', 'web'])('docs/architecture.md lists every folder of src/%s', (side) => {
  const [, layout = ''] = /## Layout\n\n```\n([^`]+)```/.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')) ?? []
  const [, listed = ''] = layout.split(`src/${side}/\n`)
  const [ofSide = ''] = listed.split(/^\S/m)
  const folders = readdirSync(join(ROOT, 'src', side), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.filter(({ name }) => !new RegExp(`(^|\\s)${name}/`).test(ofSide)).map(({ name }) => name)).toEqual([])
})

describe('detects violations', () => {
  const HOUSE: Record<string, string> = {
    'server/store/turns.ts': '',
    'server/config/config.ts': 'export const env = process.env',
    'contract/size-limits.ts': '',
    'contract/chat.ts': "import { z } from 'zod'\nimport type { UIMessage } from 'ai'",
    'web/features/chat/page.tsx': "import { LIMIT } from '../../../contract/limits.ts'",
    'web/features/history/list.tsx': '',
  }

  test.each<[rule: string, path: string, text: string]>([
    ['follows the arrows between the parts', 'server/store/x.ts', "import { serve } from '../http/server.ts'"],
    ['follows the arrows between the parts', 'server/http/x.ts', "import {\n  settings,\n} from '../config/config.ts'"],
    ['follows the arrows between the parts', 'web/app/x.ts', "const x = await import('../../server/store/turns.ts')"],
    ['follows the arrows between the parts', 'server/cache/x.ts', "import '../store/turns.ts'"],
    ['follows the arrows between the parts', 'server/http/x.ts', "import { AuditLog } from '../staff/audit.ts'"],
    ['follows the arrows between the parts', 'server/staff/x.ts', "import { resolve } from '../visitors/resolve.ts'"],
    ['keeps features apart', 'web/features/chat/x.ts', "export { List } from '../history/list.tsx'"],
    ['gives the contract zod, and types of the AI SDK', 'contract/x.ts', "import { generateText } from 'ai'"],
    ['keeps zod out of the pages', 'web/features/chat/x.ts', "import { Prompt } from '../../../contract/chat.ts'"],
    ['keeps zod out of the pages', 'console/x.ts', "import { Prompt } from '../contract/chat.ts'"],
    ['runs the server on what production installs', 'server/http/x.ts', "import { marked } from 'marked'"],
    ['has no cycle', 'server/store/turns.ts', "import './turns.ts'"],
    ['reads the environment in config.ts alone', 'server/http/x.ts', 'const port = process.env.PORT'],
    ['goes out through send-request.ts and model-request.ts alone', 'server/agent/x.ts', 'await fetch(url)'],
    ['goes out through send-request.ts and model-request.ts alone', 'server/agent/x.ts', 'await globalThis.fetch(url)'],
    ['goes out through send-request.ts and model-request.ts alone', 'server/http/x.ts', "import { request as ask } from 'node:https'"],
    [
      'goes out through send-request.ts and model-request.ts alone',
      'server/http/x.ts',
      "const { request } = process.getBuiltinModule('node:http')",
    ],
    [
      "leaves Node's own fetch unloaded, which an import of node:http loads",
      'server/http/x.ts',
      "import { STATUS_CODES } from 'node:http'",
    ],
    ['listens to abort signals through abort.ts alone', 'server/http/x.ts', "signal.addEventListener('abort', stop)"],
    ['has no drawer for everything', 'server/utils/x.ts', ''],
    ['keeps files short enough to read', 'web/app/x.ts', '\n'.repeat(MAX_LINES)],
  ])('what breaks "%s" in %s', (rule, path, text) => {
    const broken = (files: Record<string, string>) => RULES[rule]?.(sourcesOf(files))
    expect(broken(HOUSE)).toEqual([])
    expect(broken({ ...HOUSE, [path]: text })).not.toEqual([])
  })
})

function eachFile(breaks: (path: string, file: SourceFile) => boolean) {
  return (sources: Sources) => [...sources].filter(([path, file]) => breaks(path, file)).map(([path]) => path)
}

function eachImport(breaks: (path: string, imported: Import, sources: Sources) => boolean) {
  return (sources: Sources) =>
    [...sources].flatMap(([path, { imports }]) =>
      imports.filter((imported) => breaks(path, imported, sources)).map(({ target }) => `${path} imports ${target}`),
    )
}

/** `server/store/turns.ts` is of `server/store`, `server/main.ts` of `server/main`, `contract/chat.ts` of `contract`. */
function partOf(path: string): string {
  const [side = '', part = ''] = path.split('/')
  return side === 'contract' || side === 'console' ? side : `${side}/${part.replace(/\.tsx?$/, '')}`
}

function isFeature(path: string): boolean {
  return path.startsWith('web/features/')
}

function featureOf(path: string): string | undefined {
  return path.split('/')[2]
}

/** Whether loading the file, or package, loads the package. */
function reaches(path: string, name: string, sources: Sources): boolean {
  if (path === name) return true
  const imports = sources.get(path)?.imports ?? []
  return imports.some((imported) => !imported.isType && reaches(imported.target, name, sources))
}
