// Bundles src/server into dist/server: one file for everything that every start loads, one per lazily loaded part, and one per worker
// thread, child process and other program.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './processes.mjs'
import { recordPackages } from './release/shipped-packages.mjs'
import { SERVER_ENVIRONMENT } from './server-command.mjs'

const MAIN = join(ROOT, 'src/server/main.ts')
const OUTPUT = join(ROOT, 'dist/server')
/** Optional dependencies of packages. */
const NOT_INSTALLED = ['pg-native']
/** Packages whose modules are required by a name that isn't known before, with the files of them that are put beside the output. */
const REQUIRED_BY_NAME = {
  '@orama/stemmers': /\.cjs$/,
  '@orama/stopwords': /\.cjs$/,
  // Only the smallest model of languages.
  eld: /(?<!\b(?:large|medium|small|dynamic))\.js$/,
}
/** References to files that are not imported: entry points of workers and child processes, and data folders. */
const BESIDE = /new URL\('(\.\/[^']+)', import\.meta\.url\)/g

/**
 * Lets swagger-ui find its page next to its installed code.
 *
 * @type {import('rolldown').Plugin}
 */
const ownFolder = {
  name: 'own-folder',
  transform: {
    filter: { id: /@fastify[\\/]swagger-ui[\\/].*\.js$/, code: '__dirname' },
    handler(code, id) {
      const file = id.replaceAll('\\', '/').split('/node_modules/').at(-1)
      return code.replaceAll('__dirname', `require('node:path').dirname(require.resolve('${file}'))`)
    },
  },
}

const packages = recordPackages('server')

// Builds aside, so an incomplete server can't be started.
const building = `${OUTPUT}.${process.pid}`
try {
  mkdirSync(building, { recursive: true })
  /** @type {Record<string, string>} */
  let programs = { main: MAIN }
  const bundled = new Set()
  // A worker may start a process, which is bundled in the next pass.
  while (Object.keys(programs).length > 0) {
    const started = await bundle(building, programs)
    for (const name of Object.keys(programs)) bundled.add(name)
    // Sorted: they are found in any order, and the parts that they share depend on it.
    const found = Object.keys(started).filter((name) => !bundled.has(name))
    programs = Object.fromEntries(found.toSorted().map((name) => [name, started[name] ?? '']))
  }
  // Apart, so that it shares no parts with the server.
  await bundle(building, { eval: join(ROOT, 'eval/run.ts') })
  cpSync(join(ROOT, 'scripts/set-constants.cjs'), join(building, 'set-constants.cjs'))
  for (const [name, needed] of Object.entries(REQUIRED_BY_NAME)) {
    const source = join(ROOT, 'node_modules', name)
    const isNeeded = (/** @type {string} */ path) => extname(path) === '' || needed.test(path) || basename(path) === 'package.json'
    cpSync(source, join(building, 'node_modules', name), { recursive: true, filter: isNeeded })
    packages.add(join(source, 'package.json'))
  }
  rmSync(OUTPUT, { recursive: true, force: true })
  renameSync(building, OUTPUT)
  packages.write()
  // The compile cache is keyed by file name and would keep entries of every build.
  rmSync(SERVER_ENVIRONMENT.NODE_COMPILE_CACHE, { recursive: true, force: true })
} finally {
  rmSync(building, { recursive: true, force: true })
}

/**
 * Bundles programs into a folder, unminified, so stack traces are readable.
 *
 * @param {string} folder
 * @param {Record<string, string>} input Paths by names.
 * @returns {Promise<Record<string, string>>} The programs that these start.
 */
async function bundle(folder, input) {
  /** @type {Record<string, string>} */
  const programs = {}
  const only = Object.keys(input).length === 1 ? Object.entries(input)[0] : undefined
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: NOT_INSTALLED,
    plugins: [besideOutput(folder, programs), ownFolder, packages.plugin],
    onLog: (level, log, report) => report(log.code === 'EVAL' ? 'debug' : level, log),
  })
  const { output } = await build.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].js',
    // Hashed, because a server that is running during a build must not load parts of the new one.
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    // A single character beyond Latin-1 makes V8 store the whole source as UTF-16.
    charset: 'ascii',
    // Lazy parts import from a shared chunk, not from the entry, which may be awaiting them.
    codeSplitting: {
      groups: only ? [{ name: input['main'] ? 'server' : `${only[0]}-parts`, tags: ['$initial'], test: (id) => id !== only[1] }] : [],
    },
  })
  await build.close()
  for (const chunk of output) {
    if (chunk.type !== 'chunk') continue
    const imported = chunk.imports.filter((name) => name.replace(/\.js$/, '') in input)
    if (imported.length > 0) throw new Error(`${chunk.fileName} imports ${imported.join(', ')}, a program of its own.`)
    const [beyond] = chunk.name === 'server' ? (/.{0,40}[^\0-\x7f].{0,40}/.exec(chunk.code) ?? []) : []
    if (beyond) throw new Error(`What every start loads has to be ASCII; escape what is not in: ${beyond}`)
  }
  return programs
}

/**
 * Resolves `new URL('./…', import.meta.url)`: copies folders next to the output and collects programs for their own
 * bundles.
 *
 * @param {string} folder
 * @param {Record<string, string>} programs
 * @returns {import('rolldown').Plugin}
 */
function besideOutput(folder, programs) {
  return {
    name: 'beside-output',
    transform: {
      filter: { id: /[\\/]src[\\/]server[\\/].*\.ts$/ },
      handler(code, id) {
        return code.replaceAll(BESIDE, (_, path) => {
          const source = join(dirname(id), path)
          const name = basename(path, '.ts')
          if (!existsSync(source)) this.error(`${relative(ROOT, id)} names ${path}, which is not there.`)
          if (path.endsWith('.ts')) programs[name] = source
          else cpSync(source, join(folder, name), { recursive: true })
          return `new URL('./${path.endsWith('.ts') ? `${name}.js` : name}', import.meta.url)`
        })
      },
    },
  }
}
