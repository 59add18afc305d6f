import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** How the page reads Markdown, everywhere. */
const MARKED_SETTINGS = [
  ['pedantic', 'false'],
  ['gfm', 'true'],
  ['breaks', 'false'],
  ['extensions', 'null'],
  ['hooks', 'null'],
  ['silent', 'false'],
] as const

/**
 * marked ships one bundle that builds its HTML renderer at load. The page only needs the lexer (it draws tokens with React),
 * so everything from the default instance on is cut off, what the page never sets is written in, and the rest falls to tree shaking.
 * Saves 3.5 kB gz.
 */
function markedLexerOnly(): Plugin {
  return {
    name: 'marked-lexer-only',
    transform(code, id) {
      if (!id.includes('/marked.esm.js')) return null
      const instance = code.search(/var \w+=new \w+;function \w+\(\w+,\w+\)\{return \w+\.parse\(/)
      const lexer = /[{,](\w+) as Lexer[,}]/.exec(code)?.[1]
      if (instance < 0 || !lexer) this.error('marked.esm.js has another form than expected: adapt marked-lexer-only.')
      const settled = MARKED_SETTINGS.reduce(
        (text, [option, value]) => text.replaceAll(`this.options.${option}`, value),
        code.slice(0, instance).replaceAll(/,pedantic:\w+(?=\})/g, ''),
      )
      return { code: `${settled}export{${lexer} as Lexer};`, map: null, moduleSideEffects: false }
    },
  }
}

const OUTPUT = join(import.meta.dirname, 'dist/web')

/** Lays a `.br` and a `.gz` beside each text file of the build: the server sends those and compresses nothing itself. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      const texts = readdirSync(OUTPUT, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:js|css|html|svg)$/.test(name))
      for (const path of texts.map((name) => join(OUTPUT, name))) {
        const content = readFileSync(path)
        writeFileSync(`${path}.br`, brotliCompressSync(content))
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: 'src/web',
  base: './',
  plugins: [react(), markedLexerOnly(), compressed()],
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // One chunk waits for another at most once: the helper that preloads would cost more than it brings.
    modulePreload: false,
    // One file, or each chunk would need that helper for its styles. What comes later brings its own: ui/adopt-styles.ts.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      onLog(level, log, report) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log)
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
