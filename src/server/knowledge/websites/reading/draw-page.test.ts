import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BROWSER_FLAGS } from '../../../../../test/support/chromium.ts'
import { findHeadlessChromium } from '../../../../../scripts/chromium.mjs'
import { type OpenedDatabase, openTestDatabase } from '../../../../../test/support/test-database.ts'
import { sitePage, startWebsite, type Website } from '../../../../../test/support/website.ts'
import { listMissingPages, readPages, readSource, readTexts } from '../../../store/knowledge/sources.ts'
import { readSourceDefinitions } from '../source-definition.ts'
import { syncSource } from '../sync-source.ts'

let opened: OpenedDatabase
let site: Website
let browserUrl = ''
let made = 0
let id = ''
let stopBrowser: () => Promise<void>
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
  const profile = mkdtempSync(join(tmpdir(), 'parley-chromium-'))
  const child = spawn(findHeadlessChromium() ?? '', [
    ...BROWSER_FLAGS,
    '--headless',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ])
  stopBrowser = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  }
  for await (const part of child.stderr.setEncoding('utf8')) {
    const found = /DevTools listening on ws:\/\/([^/]+)\//.exec(String(part))
    if (found) {
      browserUrl = `http://${found[1]}`
      break
    }
  }
})
afterAll(async () => {
  await stopBrowser()
  await opened.remove()
})
beforeEach(async () => {
  site = await startWebsite()
  made += 1
  id = `drawn-${made}`
  site.pages.set('/', sitePage('start'))
  site.list(['/', '/app'])
  return () => site.close()
})

const shell = (script: string) => `<title>App</title><div id="app"></div><noscript>Turn scripts on.</noscript><script>${script}</script>`
const show = (text: string) => `document.querySelector('#app').innerHTML = '<h1>Boats</h1><p>' + ${text} + '</p>'`

async function sync(browser: string | null) {
  const text = `sources:\n  - { id: ${id}, network: private, delay: 0, website: '${site.url}/sitemap.xml' }\n`
  const definition = readSourceDefinitions(text).sources[0]!
  const { signal } = new AbortController()
  await syncSource({ database: opened.database, definition, holder: 'test', browserUrl: browser, now: Date.now, signal })
}
async function textOfApp(): Promise<string | undefined> {
  const { active = null } = (await readSource(opened.database, id)) ?? {}
  for await (const part of readPages(opened.database, id, active ?? 0)) {
    const hash = part.find(({ address }) => address.endsWith('/app'))?.text_hash
    if (hash) return (await readTexts(opened.database, id, [hash])).get(hash)
  }
  return undefined
}
const reasons = async () => (await listMissingPages(opened.database, id, 10)).map(({ reason }) => reason)

/** Counts connections to a port that only the browser itself could open. */
async function listen(): Promise<{ server: Server; port: number; connections: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, connections: () => count }
}

test('a page that scripts fill is read after it has drawn, and follows its data', async () => {
  site.pages.set('/app', shell(`fetch('/fees.json').then((reply) => reply.json()).then((fees) => { ${show('fees.boats')} })`))
  site.pages.set('/fees.json', { type: 'application/json', body: '{"boats":"The fee for boats is 44 euros."}' })
  await sync(null)
  expect(await reasons()).toEqual(['It needs a browser: its scripts make its text (BROWSER_URL).'])
  await sync(browserUrl)
  expect(await textOfApp()).toContain('The fee for boats is 44 euros.')
  expect(await reasons()).toEqual([])
  // The page itself has not changed.
  site.pages.set('/fees.json', { type: 'application/json', body: '{"boats":"The fee for boats is 55 euros."}' })
  await sync(browserUrl)
  expect(await textOfApp()).toContain('The fee for boats is 55 euros.')
})

test('the browser opens no connection by itself, and writes nothing', async () => {
  const { server, port, connections } = await listen()
  const tries = [
    `new WebSocket('ws://127.0.0.1:${port}/')`,
    `new Image().src = 'http://127.0.0.1:${port}/'`,
    `document.head.insertAdjacentHTML('beforeend', '<link rel="preconnect" href="http://127.0.0.1:${port}"><iframe src="http://127.0.0.1:${port}"></iframe>')`,
    `new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.1:${port}/')"])))`,
    `fetch('/write', { method: 'POST', body: 'x' }).catch(() => 0)`,
    `navigator.sendBeacon('http://127.0.0.1:${port}/', 'x')`,
    `open('http://127.0.0.1:${port}/')`,
    `String(typeof RTCPeerConnection)`,
  ]
  const guarded = tries.map((one) => `try { ${one} } catch {}`).join(';')
  site.pages.set(
    '/app',
    shell(
      `${guarded}; fetch('http://169.254.169.254/').then(() => { ${show("'reached'")} }, () => { ${show("'refused ' + typeof RTCPeerConnection")} })`,
    ),
  )
  await sync(browserUrl)
  expect(await textOfApp()).toContain('refused undefined')
  expect(connections()).toBe(0)
  expect(site.requests.join()).not.toContain('/write')
  server.close()
})

test.each([
  ['that never ends', 'for (;;);', 'It takes too long to draw.'],
  ['that asks', `alert(1); ${show("'asked'")}`, null],
  ['that goes elsewhere', "location.href = '/elsewhere'", 'It has no text.'],
])('a page %s ends in time', async (_, script, reason) => {
  site.pages.set('/app', shell(script))
  await sync(browserUrl)
  expect(await reasons()).toEqual(reason === null ? [] : [reason])
  expect((await textOfApp()) === undefined).toBe(reason !== null)
  expect(site.requests.join()).not.toContain('/elsewhere')
})

test('a browser that is away is named', async () => {
  site.pages.set('/app', shell(show("'drawn'")))
  await sync('http://127.0.0.1:9')
  expect(await reasons()).toEqual(['It needs a browser, and that of BROWSER_URL cannot be reached.'])
})
