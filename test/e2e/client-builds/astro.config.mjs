import react from '@astrojs/react'
import { defineConfig } from 'astro/config'

export default defineConfig({ integrations: [react()], srcDir: './astro', outDir: 'build-astro', devToolbar: { enabled: false } })
