// Makes dist/server of src/server: one file that holds what every start loads, one for each part that is loaded when it is wanted,
// and one for each thread and process that the server starts.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from './processes.mjs'
import { SERVER_ENVIRONMENT } from './server-command.mjs'

const MAIN = join(ROOT, 'src/server/main.ts')
const OUTPUT = join(ROOT, 'dist/server')
/** Packages ask for it, and do without. */
const NOT_INSTALLED = ['pg-native']
/** How the sources name what lies beside them and is not imported: the program of a thread or a process, or a folder of data. */
const BESIDE = /new URL\('(\.\/[^']+)', import\.meta\.url\)/g

/**
 * Lets swagger-ui find the page that it brings along: beside its own code, as it is installed.
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

// Nobody starts a server that is half built.
const building = `${OUTPUT}.${process.pid}`
try {
  mkdirSync(building, { recursive: true })
  /** @type {Record<string, string>} */
  let programs = { main: MAIN }
  const bundled = new Set()
  // A thread may start a process, which is bundled after it.
  while (Object.keys(programs).length > 0) {
    const started = await bundle(building, programs)
    for (const name of Object.keys(programs)) bundled.add(name)
    programs = Object.fromEntries(Object.entries(started).filter(([name]) => !bundled.has(name)))
  }
  rmSync(OUTPUT, { recursive: true, force: true })
  renameSync(building, OUTPUT)
  // Node keeps compiled code by the name of its file, and would keep that of every build.
  rmSync(SERVER_ENVIRONMENT.NODE_COMPILE_CACHE, { recursive: true, force: true })
} finally {
  rmSync(building, { recursive: true, force: true })
}

/**
 * Bundles these programs into the folder. Nothing is made unreadable: a stack trace names functions, and lines that can be read.
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
    plugins: [besideOutput(folder, programs), ownFolder],
    onLog: (level, log, report) => report(log.code === 'EVAL' ? 'debug' : level, log),
  })
  const { output } = await build.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].js',
    // With a hash, or a server that runs on through a build would load parts that are made for another.
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    // V8 keeps a text with a single character beyond Latin-1 in two bytes each.
    charset: 'ascii',
    // Parts that are loaded later import from what every start loads: not from the program itself, which may wait for them.
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
 * Lays beside the output what sources name by `new URL('./…', import.meta.url)`: folders as they are; programs are noted for a
 * bundle of their own.
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
