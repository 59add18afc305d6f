import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import { compressed } from './scripts/compressed.mjs'
import { noticesOf } from './scripts/release/notices.mjs'
import { pack } from './scripts/release/pack.mjs'
import { recordPackages } from './scripts/release/shipped-packages.mjs'

/** The packages of all builds below, for the release's bill of materials. */
const packages = recordPackages('page')
/** Those of the client's package. */
const clientPackages = recordPackages('client')

const OUTPUT = join(import.meta.dirname, 'dist/web')

/** Builds the script for embedding pages: one classic script at a fixed address, to be loaded with `async`. */
function embedScript(): Plugin {
  return {
    name: 'embed-script',
    apply: 'build',
    async writeBundle() {
      const lib = {
        entry: join(import.meta.dirname, 'src/web/embed/embed.ts'),
        name: 'parley',
        formats: ['iife' as const],
        fileName: () => 'embed.js',
      }
      await build({
        configFile: false,
        plugins: [shortStyles, packages.plugin],
        publicDir: false,
        logLevel: 'warn',
        build: { lib, outDir: OUTPUT, emptyOutDir: false, target: 'es2022' },
      })
    },
  }
}

/** Takes comments and line breaks out of the styles in the script for embedding pages. */
const shortStyles: Plugin = {
  name: 'short-styles',
  transform: {
    filter: { id: /panel-styles\.ts$/ },
    handler: (code) => code.replaceAll(/\/\*[^*]*\*\/|\n\s+/g, ''),
  },
}

/** Builds the package `@parley/client`, as `client.tgz`, and its module for clients of the AI SDK, at a fixed address, with its types. */
function clientPackage(): Plugin {
  const source = join(import.meta.dirname, 'src/web/client')
  const folder = join(import.meta.dirname, 'dist/client/package')
  return {
    name: 'client-package',
    apply: 'build',
    async writeBundle() {
      rmSync(folder, { recursive: true, force: true })
      for (const name of ['client', 'react']) {
        await build({
          configFile: false,
          plugins: [packages.plugin, clientPackages.plugin],
          publicDir: false,
          logLevel: 'warn',
          build: {
            lib: { entry: join(source, `${name}.ts`), formats: ['es'], fileName: () => `${name}.js` },
            outDir: folder,
            emptyOutDir: false,
            target: 'es2022',
            rolldownOptions: { external: ['react'], output: { banner: name === 'react' ? "'use client'" : '' } },
          },
        })
      }
      mkdirSync(join(folder, '../types'), { recursive: true })
      const options = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict', '--target', 'es2022', '--lib', 'es2023,dom']
      const files = ['client', 'react'].map((name) => join(source, `${name}.ts`))
      const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions']
      const compiler = ['node_modules/typescript/bin/tsc', ...options, ...resolution, '--outDir', join(folder, '../types'), ...files]
      execFileSync(process.execPath, compiler, { stdio: 'inherit', cwd: import.meta.dirname })
      for (const name of ['client', 'react']) cpSync(join(folder, `../types/web/client/${name}.d.ts`), join(folder, `${name}.d.ts`))
      cpSync(join(source, 'README.md'), join(folder, 'README.md'))
      cpSync(join(import.meta.dirname, 'LICENSE'), join(folder, 'LICENSE'))
      writeFileSync(join(folder, 'THIRD_PARTY_NOTICES.txt'), noticesOf(clientPackages.write()))
      writeFileSync(join(folder, 'package.json'), `${JSON.stringify(clientManifest(), null, 2)}\n`)
      await pack(join(OUTPUT, 'client.tgz'), join(folder, '..'), 'package')
      for (const file of ['client.js', 'client.d.ts']) cpSync(join(folder, file), join(OUTPUT, file))
    },
  }
}

function clientManifest(): object {
  const { version, license } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'))
  const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  return {
    name: '@parley/client',
    version,
    description: 'A transport for useChat of the AI SDK, and a React component, for an installation of Parley.',
    license,
    private: true,
    type: 'module',
    sideEffects: false,
    exports: { '.': entry('client'), './react': entry('react') },
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  }
}

const MERMAID = '@mermaid-js/tiny'

/**
 * Builds the document of the diagram frame: one file with an inline script, named after the script's hash. The server's content security
 * policy allows only that hash.
 */
function diagramFrame(): Plugin {
  let fileName = ''
  let html = ''
  return {
    name: 'diagram-frame',
    async config() {
      const script = await diagramScript()
      fileName = `assets/diagram-${createHash('sha256').update(script).digest('base64url')}.html`
      html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagram</title><body><main><h1>Diagram</h1></main><script>${script}</script></body></html>\n`
      return { define: { DIAGRAM_FRAME: JSON.stringify(`/${fileName}`) } }
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response) => response.setHeader('content-type', 'text/html').end(html))
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source: html })
    },
  }
}

/** Mermaid and our script that calls it, checked for sequences that end an inline script or start an HTML comment. */
async function diagramScript(): Promise<string> {
  const require = createRequire(import.meta.url)
  const { version, license } = require(`${MERMAID}/package.json`)
  const lib = { entry: join(import.meta.dirname, 'src/ui/diagram/diagram-frame.ts'), name: 'diagrams', formats: ['iife' as const] }
  const built = await build({
    configFile: false,
    plugins: [packages.plugin],
    publicDir: false,
    logLevel: 'warn',
    build: { lib, write: false, target: 'es2022' },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  packages.add(require.resolve(MERMAID))
  const parts = [`/*! ${MERMAID} ${version}, ${license} */`, readFileSync(require.resolve(MERMAID), 'utf8'), output[0].code]
  return parts
    .join('\n')
    .replaceAll('<!--', String.raw`<\!--`)
    .replaceAll(/<\/(?=script)/gi, String.raw`<\/`)
}

/** Chunks that the service worker caches on first use rather than in advance. */
const USED_RARELY = /[\\/](?:katex|language[\\/]messages)[\\/]/

/** Builds the service worker at a fixed address, with the list of files to cache. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async writeBundle(_, bundle) {
      const files = Object.values(bundle)
        .filter((file) => (file.type === 'chunk' ? !file.moduleIds.some((id) => USED_RARELY.test(id)) : file.fileName.endsWith('.css')))
        .map(({ fileName }) => `/${fileName}`)
        .toSorted()
      const version = createHash('sha256').update(Object.keys(bundle).toSorted().join()).digest('hex').slice(0, 16)
      const lib = {
        entry: join(import.meta.dirname, 'src/web/service-worker/service-worker.ts'),
        name: 'worker',
        formats: ['iife' as const],
        fileName: () => 'service-worker.js',
      }
      await build({
        configFile: false,
        plugins: [packages.plugin],
        publicDir: false,
        logLevel: 'warn',
        define: { PAGE_FILES: JSON.stringify(files), PAGE_VERSION: JSON.stringify(version) },
        build: { lib, outDir: OUTPUT, emptyOutDir: false, target: 'es2022' },
      })
    },
  }
}

/** Prints the page's address in `npm run dev`. The server's own address shows the last build. */
function addressToOpen(): Plugin {
  return {
    name: 'address-to-open',
    configureServer(server) {
      server.printUrls = () => {
        const [address] = server.resolvedUrls?.local ?? []
        server.config.logger.info(`Open ${address} for the page as it is changed. The server's own address shows it as it was last built.`)
      }
    },
  }
}

/** Writes the licenses of what the page contains to a fixed address, since browsers get a copy of it. */
function notices(): Plugin {
  return {
    name: 'notices',
    apply: 'build',
    closeBundle() {
      writeFileSync(join(OUTPUT, 'third-party-notices.txt'), noticesOf(packages.write()))
    },
  }
}

export default defineConfig({
  root: 'src/web',
  base: './',
  plugins: [
    react(),
    embedScript(),
    clientPackage(),
    diagramFrame(),
    serviceWorker(),
    compressed(OUTPUT),
    addressToOpen(),
    packages.plugin,
    notices(),
  ],
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    rolldownOptions: {
      onLog(level, log, report) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
  // Only module workers can load grammars on demand.
  worker: { format: 'es', plugins: () => [packages.plugin] },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
