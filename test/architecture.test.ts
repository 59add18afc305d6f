import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCycle, readSources, sourcesOf, type Import, type SourceFile, type Sources } from './support/import-graph.ts'

const ROOT = join(import.meta.dirname, '..')
const MAX_LINES = 400
const MAX_FILES = 25
/** "Of …" and "What …" leave out the noun that a reader looks for. */
const ELLIPSIS = /\/\*\*\s*(?:\*\s*)?(?:Of|What)\b|describe\(\s*['"`](?:Of|What)\b/

/**
 * Allowed imports of each part, from the bottom up: an arrow only goes to a part that stands above its own row. Always allowed: itself, packages, `SHARED`,
 * and in the server `telemetry`.
 */
const ARROWS: Record<string, string[]> = {
  text: [],
  'personal-data': ['text'],
  contract: ['personal-data'],
  async: [],
  ui: [],
  'web/api': ['ui'],
  'web/state': ['ui', 'web/api'],
  'web/features': ['ui', 'web/api', 'web/state'],
  'web/app': ['ui', 'web/api', 'web/features', 'web/state'],
  'web/main': ['ui', 'web/app'],
  'web/embed': [],
  'web/client': [],
  'server/branding': [],
  'server/telemetry': [],
  'server/egress': [],
  'server/local-runtime': ['server/egress'],
  'server/constant': [],
  'server/create-once': [],
  'server/keys': [],
  'server/language': [],
  'server/translations': [],
  'server/repeat': [],
  'server/store': [],
  'server/parsing': [],
  'server/knowledge': ['server/egress', 'server/local-runtime', 'server/parsing', 'server/store'],
  'server/models': ['server/egress', 'server/knowledge', 'server/local-runtime'],
  'server/safety': ['server/egress', 'server/knowledge', 'server/models'],
  'server/replies': ['server/knowledge', 'server/safety'],
  'server/answering': [
    'server/egress',
    'server/knowledge',
    'server/local-runtime',
    'server/models',
    'server/parsing',
    'server/replies',
    'server/safety',
  ],
  'server/limits': ['server/store'],
  'server/config': [
    'server/answering',
    'server/branding',
    'server/egress',
    'server/knowledge',
    'server/limits',
    'server/local-runtime',
    'server/models',
    'server/safety',
    'server/store',
  ],
  'server/pubsub': [],
  'server/platform': ['server/config', 'server/limits', 'server/pubsub', 'server/store'],
  'server/oidc': ['server/config', 'server/egress'],
  'server/visitors': ['server/config', 'server/oidc', 'server/parsing', 'server/pubsub', 'server/store'],
  'server/staff': ['server/config', 'server/oidc', 'server/store'],
  'server/managed': ['server/config', 'server/knowledge', 'server/staff', 'server/store'],
  'server/turns': ['server/answering', 'server/pubsub', 'server/replies', 'server/safety', 'server/store'],
  'server/insights': ['server/replies', 'server/store'],
  'server/webhooks': ['server/egress', 'server/insights', 'server/knowledge', 'server/store'],
  'server/visitor-api': [
    'server/answering',
    'server/branding',
    'server/config',
    'server/limits',
    'server/platform',
    'server/pubsub',
    'server/replies',
    'server/store',
    'server/turns',
    'server/visitors',
  ],
  'server/staff-api': [
    'server/config',
    'server/insights',
    'server/knowledge',
    'server/limits',
    'server/managed',
    'server/platform',
    'server/replies',
    'server/staff',
    'server/store',
    'server/webhooks',
  ],
  'server/integrations': [
    'server/answering',
    'server/limits',
    'server/platform',
    'server/replies',
    'server/safety',
    'server/staff',
    'server/store',
    'server/turns',
  ],
  'server/app': [
    'server/answering',
    'server/branding',
    'server/config',
    'server/egress',
    'server/insights',
    'server/integrations',
    'server/knowledge',
    'server/limits',
    'server/local-runtime',
    'server/managed',
    'server/models',
    'server/platform',
    'server/pubsub',
    'server/replies',
    'server/safety',
    'server/staff',
    'server/staff-api',
    'server/store',
    'server/turns',
    'server/visitor-api',
    'server/visitors',
    'server/webhooks',
  ],
  'server/commands': [
    'server/answering',
    'server/app',
    'server/config',
    'server/egress',
    'server/knowledge',
    'server/limits',
    'server/models',
    'server/platform',
    'server/replies',
    'server/staff',
    'server/staff-api',
    'server/store',
    'server/turns',
    'server/visitors',
  ],
  'server/main': ['server/app', 'server/commands', 'server/config'],
  console: ['ui'],
}

/** Imported by any part above them. */
const SHARED = [
  'text',
  'async',
  'personal-data',
  'contract',
  'server/constant',
  'server/create-once',
  'server/keys',
  'server/language',
  'server/repeat',
  'server/translations',
]

/** Settings are read once, by main, and passed on as types. */
const READS_SETTINGS = (path: string) => /^server\/(main|app|commands|config)[./]/.test(path)

/** References a file by its source location, which differs in `dist/server`. */
const ELSEWHERE_IN_THE_BUILD = /import\.meta\.(?:dir|file)name|__dirname|new URL\((?!'\.\/[^']+', import\.meta\.url\)).*import\.meta/

const PARTS = Object.keys(ARROWS)

const RULES: Record<string, (sources: Sources) => string[]> = {
  'follows the arrows between the parts': eachImport((path, { target, isType, isPackage }) => {
    const [from, to] = [partOf(path), partOf(target)]
    if (isPackage || from === to) return false
    if (target === 'server/config/config.ts' && !isType && !READS_SETTINGS(path)) return true
    if (SHARED.includes(to)) return PARTS.indexOf(to) > PARTS.indexOf(from)
    return !ARROWS[from]?.includes(to) && !(to === 'server/telemetry' && from.startsWith('server/'))
  }),
  'keeps features apart': eachImport((path, { target }) => isFeature(path) && isFeature(target) && featureOf(path) !== featureOf(target)),
  'gives the contract zod, and types of the AI SDK': eachImport(
    (path, { target, isType, isPackage }) => partOf(path) === 'contract' && isPackage && target !== 'zod' && !(target === 'ai' && isType),
  ),
  'keeps zod out of the pages': eachImport(
    (path, { target, isType }, sources) => /^(web|ui|console)\//.test(path) && !isType && reaches(target, 'zod', sources),
  ),
  'runs the server on what production installs': eachImport(
    (path, { target, isPackage }) =>
      /^(server|contract|text|async|personal-data)\//.test(path) && isPackage && !target.startsWith('node:') && !PRODUCTION.has(target),
  ),
  'has no cycle': (sources) => findCycle(sources) ?? [],
  'reads the environment in config.ts alone': eachFile(
    (path, { text }) => path !== 'server/config/config.ts' && /process\.env\b/.test(text),
  ),
  'goes out through the egress and model-request.ts alone': eachFile(
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
  'has at most 25 source files in a folder': (sources) => {
    const folders = Map.groupBy(sources.keys(), (path) => path.slice(0, path.lastIndexOf('/')))
    return [...folders].filter(([, files]) => files.length > MAX_FILES).map(([folder]) => folder)
  },
  'begins doc comments and descriptions with a verb or noun': eachFile((_, { text }) => ELLIPSIS.test(text)),
  'keeps files short enough to read': eachFile((_, { text }) => text.split('\n').length > MAX_LINES),
}

/** The only modules that send requests: to models, and to everything else with address checks. */
const WAYS_OUT = ['server/models/requests/model-request.ts', 'server/egress/send-request.ts', 'server/egress/outgoing-proxy.ts']

/** Calls of the global fetch, or imports that can open connections. Types and STATUS_CODES are allowed. */
const GOES_OUT =
  /(?<!const \{ STATUS_CODES \} = process\.)getBuiltinModule\(|(?<![.\w])fetch\(|globalThis\.fetch\(|import (?!type)[^;]*?\b(?:request|get|connect|createConnection)\b[^;]*?from 'node:(?:https?|http2|net|tls)'/

const PRODUCTION = new Set(Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies))

/** The helper itself, and the module for clients, which others install. */
const LISTENS_TO_ABORT = ['async/abort.ts', 'web/client/client.ts']

test.each(Object.entries(RULES))('%s', (_, violations) => {
  expect(violations(readSources(join(ROOT, 'src')))).toEqual([])
})

test('doc comments of tests, scripts, evaluations and benches begin with a verb or noun, too', () => {
  const files = globSync(['src/**/*.test.{ts,tsx}', '{test,scripts,eval,bench}/**/*.{ts,tsx,mjs,cjs}'], {
    cwd: ROOT,
    exclude: ['**/node_modules', 'test/architecture.test.ts'],
  })
  expect(files.filter((path) => ELLIPSIS.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

const [, LAYOUT = ''] = /## Layout\n\n```\n([^`]+)```/.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')) ?? []

test.each(['server', 'web'])('docs/architecture.md lists every folder of src/%s', (side) => {
  const [, listed = ''] = LAYOUT.split(`src/${side}/\n`)
  const [ofSide = ''] = listed.split(/^\S/m)
  const folders = readdirSync(join(ROOT, 'src', side), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.filter(({ name }) => !new RegExp(`(^|\\s)${name}/`).test(ofSide)).map(({ name }) => name)).toEqual([])
})

test('docs/architecture.md lists no folder that does not exist', () => {
  let side = ''
  const missing = LAYOUT.split('\n').flatMap((line) => {
    const names = [...line.matchAll(/(?<![^\s(])(?:[\w-]+\/)+/g)].map(([name]) => name)
    if (!line.startsWith(' ')) side = names[0] ?? ''
    const places = ['', side, `${side}${names[0]}`]
    return names.filter((name) => !places.some((place) => existsSync(join(ROOT, place, name))))
  })
  expect(missing).toEqual([])
})

test('arrows go down only', () => {
  const upwards = Object.entries(ARROWS).flatMap(([from, to]) => to.filter((part) => PARTS.indexOf(part) >= PARTS.indexOf(from)))
  expect(upwards).toEqual([])
})

describe('detects violations', () => {
  const HOUSE: Record<string, string> = {
    'server/store/turns/turns.ts': '',
    'server/config/config.ts': 'export const env = process.env',
    'contract/size-limits.ts': '',
    'contract/chat/chat.ts': "import { z } from 'zod'\nimport type { UIMessage } from 'ai'",
    'web/features/chat/page.tsx': "import { LIMIT } from '../../../contract/limits.ts'",
    'web/features/history/list.tsx': '',
  }

  test.each<[rule: string, path: string, text: string]>([
    ['follows the arrows between the parts', 'server/store/x.ts', "import { serve } from '../http/server.ts'"],
    ['follows the arrows between the parts', 'server/platform/x.ts', "import {\n  settings,\n} from '../config/config.ts'"],
    ['follows the arrows between the parts', 'web/app/x.ts', "const x = await import('../../server/store/turns.ts')"],
    ['follows the arrows between the parts', 'server/cache/x.ts', "import '../store/turns.ts'"],
    ['follows the arrows between the parts', 'server/platform/x.ts', "import { AuditLog } from '../staff/audit.ts'"],
    ['follows the arrows between the parts', 'server/staff/x.ts', "import { resolve } from '../visitors/resolve.ts'"],
    ['keeps features apart', 'web/features/chat/x.ts', "export { List } from '../history/list.tsx'"],
    ['gives the contract zod, and types of the AI SDK', 'contract/x.ts', "import { generateText } from 'ai'"],
    ['keeps zod out of the pages', 'web/features/chat/x.ts', "import { Prompt } from '../../../contract/chat/chat.ts'"],
    ['keeps zod out of the pages', 'console/x.ts', "import { Prompt } from '../contract/chat/chat.ts'"],
    ['runs the server on what production installs', 'server/platform/x.ts', "import { render } from 'katex'"],
    ['has no cycle', 'server/store/turns/turns.ts', "import type { Turn } from './turns.ts'"],
    ['reads the environment in config.ts alone', 'server/platform/x.ts', 'const port = process.env.PORT'],
    ['goes out through the egress and model-request.ts alone', 'server/answering/x.ts', 'await fetch(url)'],
    ['goes out through the egress and model-request.ts alone', 'server/answering/x.ts', 'await globalThis.fetch(url)'],
    ['goes out through the egress and model-request.ts alone', 'server/platform/x.ts', "import { request as ask } from 'node:https'"],
    [
      'goes out through the egress and model-request.ts alone',
      'server/platform/x.ts',
      "const { request } = process.getBuiltinModule('node:http')",
    ],
    [
      "leaves Node's own fetch unloaded, which an import of node:http loads",
      'server/platform/x.ts',
      "import { STATUS_CODES } from 'node:http'",
    ],
    ['listens to abort signals through abort.ts alone', 'server/platform/x.ts', "signal.addEventListener('abort', stop)"],
    ['has no drawer for everything', 'server/utils/x.ts', ''],
    ['begins doc comments and descriptions with a verb or noun', 'contract/x.ts', '/** Of an answer: its length. */'],
    ['begins doc comments and descriptions with a verb or noun', 'contract/x.ts', "x.describe('What it is.')"],
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

/** `server/store/turns/turns.ts` is of `server/store`, `server/main.ts` of `server/main`, `contract/chat/chat.ts` of `contract`. */
function partOf(path: string): string {
  const [side = '', part = ''] = path.split('/')
  return side === 'server' || side === 'web' ? `${side}/${part.replace(/\.tsx?$/, '')}` : side
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
