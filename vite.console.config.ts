import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressed } from './scripts/compressed.mjs'
import { recordPackages } from './scripts/release/shipped-packages.mjs'

const OUTPUT = join(import.meta.dirname, 'dist/console')
const packages = recordPackages('console')

function writePackages(): Plugin {
  return { name: 'write-packages', apply: 'build', closeBundle: () => void packages.write() }
}

/** Builds the staff console. */
export default defineConfig({
  root: 'src/console',
  base: './',
  plugins: [react(), compressed(OUTPUT), packages.plugin, writePackages()],
  build: { outDir: OUTPUT, emptyOutDir: true, target: 'es2024', assetsInlineLimit: 0, modulePreload: false },
  server: { proxy: { '/api': 'http://localhost:3001' } },
})
