import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import { NoLogo, readLogo } from '../../src/server/branding/logo.ts'
import { startServer, type TestServer } from '../support/server.ts'

const SVG =
  '<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script></svg>'

let folder: string
let server: TestServer
const fileOf = async (name: string, content: string | Buffer) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branding-'))
  const LOGO_FILE = await fileOf('logo.svg', SVG)
  const env = {
    APP_NAME: 'Harbour',
    THEME_COLOR: '#7a1f5c',
    WELCOME_LINE: 'Ask about ships.',
    LINKS: 'Imprint=https://example.org/',
    LOGO_FILE,
  }
  server = await startServer({ database: 'sqlite', env })
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const configured = async () => (await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration

test('the configuration contains the operator’s branding', async () => {
  expect((await configured()).branding).toEqual({
    colors: { light: '#7a1f5c', dark: null },
    logo: expect.stringMatching(/^\/api\/v1\/logo\?version=[0-9a-f]{16}$/),
    welcomeLine: 'Ask about ships.',
    links: [{ label: 'Imprint', url: 'https://example.org/' }],
  })
})

test('serves the logo as an image only: opened directly, it runs and loads nothing', async () => {
  const response = await fetch(server.url + (await configured()).branding.logo)
  expect(await response.text()).toBe(SVG)
  expect(response.headers.get('content-type')).toBe('image/svg+xml')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
})

test('the installed app has the operator’s name, colour and logo', async () => {
  const response = await fetch(`${server.url}/manifest.webmanifest`)
  expect(response.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
  const { branding } = await configured()
  expect(await response.json()).toMatchObject({
    name: 'Harbour',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: '#7a1f5c',
    icons: [{ src: branding.logo, sizes: 'any', type: 'image/svg+xml' }],
  })
})

test('without a logo, the default icons are served', async () => {
  const plain = await startServer({ database: 'sqlite' })
  try {
    expect((await fetch(`${plain.url}/api/v1/logo`)).status).toBe(404)
    const { icons } = (await (await fetch(`${plain.url}/manifest.webmanifest`)).json()) as { icons: Record<string, string>[] }
    expect(icons.map(({ purpose }) => purpose)).toContain('maskable')
    for (const { src, sizes } of icons) {
      const bytes = Buffer.from(await (await fetch(plain.url + src)).arrayBuffer())
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    }
  } finally {
    await plain.stop()
  }
})

describe('a logo file', () => {
  const png = (width: number, height: number) => {
    const header = Buffer.alloc(32)
    header.write('89504e470d0a1a0a', 'hex')
    header.writeUInt32BE(width, 16)
    header.writeUInt32BE(height, 20)
    return header
  }

  test.each([
    ['a square PNG is an icon too', png(192, 192), 'image/png', '192x192'],
    ['a small PNG is none', png(64, 64), 'image/png', null],
    ['a long PNG is none', png(600, 200), 'image/png', null],
    ['a WebP is none', Buffer.from('RIFF0000WEBPVP8 '), 'image/webp', null],
    ['an SVG is one', Buffer.from('<svg/>'.replace('/', ' ')), 'image/svg+xml', 'any'],
  ])('%s', async (_name, content, type, iconSize) => {
    expect(await readLogo(await fileOf('tried', content))).toMatchObject({ type, iconSize })
  })

  test.each([
    ['a page', '<html><svg></svg></html>', 'an SVG, a PNG or a WebP'],
    ['more than 256 kB', '<svg>'.padEnd(300_000), '256 kB'],
  ])('%s is rejected', async (_name, content, reason) => {
    const path = await fileOf('refused', content)
    await expect(readLogo(path)).rejects.toThrow(NoLogo)
    await expect(readLogo(path)).rejects.toThrow(reason)
  })

  test('rejects a missing file', async () => {
    await expect(readLogo(join(folder, 'none'))).rejects.toThrow('cannot be read')
  })
})
