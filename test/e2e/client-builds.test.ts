import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { environmentFor, npmCommand } from '../../scripts/processes.mjs'
import { launchBrowser } from '../support/chromium.ts'
import { documentedProgram } from '../support/documented-programs.ts'
import { freePort } from '../support/free-port.ts'
import { openStage, type Stage } from './stage.ts'

const run = promisify(execFile)
const PROJECT = join(import.meta.dirname, 'client-builds')
const EXAMPLE = join(import.meta.dirname, 'ai-sdk/chat.tsx')
const PROMPT = 'What is 15% of 240?'
const NEXT = 'node_modules/next/dist/bin/next'
const VITE = 'node_modules/vite/bin/vite.js'
const ASTRO = 'node_modules/astro/bin/astro.mjs'

const folder = mkdtempSync(join(tmpdir(), 'client-builds-'))
let browser: Browser
let stage: Stage
let origin: string
let site: ChildProcess | undefined

/** A project of another developer: the package is installed from an installation, everything else from the registry. */
beforeAll(async () => {
  browser = await launchBrowser()
  origin = `http://localhost:${await freePort()}`
  stage = await openStage(browser, { ALLOWED_ORIGINS: origin, FRAME_ANCESTORS: origin })
  cpSync(PROJECT, folder, { recursive: true })
  cpSync(EXAMPLE, join(folder, 'chat.tsx'))
  writeFileSync(join(folder, 'app/layout.tsx'), documentedProgram('tsx', 'next/script'))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:tsx|mjs|astro)$/.test(name))
  for (const source of sources.map((name) => join(folder, name)))
    writeFileSync(source, readFileSync(source, 'utf8').replaceAll('https://chat.example.org', stage.server.url))
  const { file, args } = npmCommand(process.execPath, ['install', '--no-audit', '--no-fund', `${stage.server.url}/client.tgz`])
  await run(file, args, { cwd: folder, env: environmentFor(process.execPath) })
})
afterAll(async () => {
  await stage.close()
  rmSync(folder, { recursive: true })
})
afterEach(async () => {
  if (!site) return
  const ended = once(site, 'exit')
  site.kill()
  await ended
  site = undefined
})

const env = (build: string) => ({ ...process.env, BUILD_FOLDER: build, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' })
const node = (args: string[], build = '') => run(process.execPath, args, { cwd: folder, env: env(build), maxBuffer: 64 * 1024 * 1024 })

/** Starts the built site, and waits until it answers. */
async function serve(args: string[], build = ''): Promise<void> {
  const { port } = new URL(origin)
  site = spawn(process.execPath, [...args, '--port', port], { cwd: folder, env: env(build), stdio: 'ignore' })
  await expect
    .poll(() =>
      fetch(origin).then(
        (response) => response.ok,
        () => false,
      ),
    )
    .toBe(true)
}

/** Sends a prompt on a page of the site; resolves with what the model was asked. */
async function chatOn(path: string): Promise<string[]> {
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript(() => localStorage.setItem('privacy-notice', 'accepted'))
  await page.goto(origin + path)
  stage.model.requests.length = 0
  stage.model.script([{ text: 'It is 36.' }])
  await page.getByRole('textbox', { name: 'Message' }).fill(PROMPT)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('It is 36.').waitFor()
  await page.context().close()
  return stage.model.requests.map(({ prompt }) => prompt)
}

test('plain Node chats', async () => {
  stage.model.script([{ text: 'It is 36.' }])
  expect((await node(['ask.mjs'])).stdout.trim()).toBe('It is 36.')
})

test('the declarations fit useChat of the AI SDK 5, 6 and 7', async () => {
  expect((await node(['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'])).stdout).toBe('')
})

test.each(['--turbopack', '--webpack'])('Next.js builds the documented chat, assistant-ui and the component with %s', async (bundler) => {
  const build = `build${bundler}`
  await node([NEXT, 'build', bundler], build)
  await serve([NEXT, 'start'], build)
  expect([await chatOn('/'), await chatOn('/assistant')]).toEqual([[PROMPT], [PROMPT]])
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${origin}/embed`)
  await page.getByRole('button', { name: 'Ask us' }).waitFor()
  const place = page.locator((await page.locator('script[data-inline]').getAttribute('data-inline')) ?? '')
  expect(await place.evaluate(({ style }) => style.height)).toBe('640px')
  await place.frameLocator('iframe').getByRole('textbox', { name: 'Message' }).waitFor()
  await page.context().close()
})

test('Astro builds the documented chat, and its router keeps the button and an open chat', async () => {
  await node([ASTRO, 'build'])
  await serve([ASTRO, 'preview', '--host', 'localhost'])
  expect(await chatOn('/')).toEqual([PROMPT])
  const page = await (await browser.newContext()).newPage()
  await page.goto(origin)
  await page.getByRole('button', { name: 'Ask us' }).click()
  const draft = page.frameLocator('iframe').getByRole('textbox', { name: 'Message' })
  await draft.fill('Until when')
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }))
  await page.getByRole('link', { name: 'Other page' }).click()
  await page.getByRole('heading', { name: 'Other page' }).waitFor()
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true)
  expect(await draft.inputValue()).toBe('Until when')
  await page.context().close()
})

test('Vite builds the documented chat', async () => {
  await node([VITE, 'build'])
  await serve([VITE, 'preview', '--strictPort', '--host', 'localhost', '--outDir', 'build-vite'])
  expect(await chatOn('/')).toEqual([PROMPT])
})
