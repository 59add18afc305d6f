import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Larger files use a faster Brotli level. */
const LARGE_BYTES = 1_000_000
const QUICKER = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/**
 * Writes a `.br` and a `.gz` next to each text file of a built page, so the server compresses nothing itself.
 *
 * @param {string} folder Where the page is built.
 * @returns {import('vite').Plugin}
 */
export function compressed(folder) {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      // A failed build has no folder; its own error says more.
      if (!existsSync(folder)) return
      const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:js|css|html|svg)$/.test(name))
      for (const path of texts.map((name) => join(folder, name))) {
        const content = readFileSync(path)
        writeFileSync(`${path}.br`, brotliCompressSync(content, content.length > LARGE_BYTES ? QUICKER : {}))
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
      }
    },
  }
}
