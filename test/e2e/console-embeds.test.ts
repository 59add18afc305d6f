import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

const agents = mkdtempSync(join(tmpdir(), 'parley-agents-'))
let html = ''
let site: Server
let siteOrigin: string
let server: TestServer
let browser: Browser
let page: Page
let origin: string
beforeAll(async () => {
  site = createServer((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  cpSync('agents', agents, { recursive: true })
  writeFileSync(join(agents, 'embeds.yaml'), 'library:\n  label: Ask the library\n  color: "#7a2048"\n')
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, AGENTS_DIR: agents } })
  const found = await consoleOf(server)
  origin = found.origin
  const owner = new StaffClient(origin)
  await owner.enter(found.link)
  browser = await launchBrowser()
  page = await pageOf(owner)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  site.close()
  rmSync(agents, { recursive: true })
})

async function pageOf({ cookie }: StaffClient): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const [name = '', value = ''] = cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }])
  const opened = await context.newPage()
  opened.setDefaultTimeout(60_000)
  return opened
}

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function look(screen: string): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    expect([screen, width, ...(await violationsIn(page)), ...(await overflowOf(page))]).toEqual([screen, width])
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** The button that a page of the site shows for its line. */
async function launcherOf(line: string) {
  html = `<!doctype html><html lang="en"><title>A shop</title><h1>A shop</h1>${line}</html>`
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(siteOrigin)
  return visitor.locator('parley-chat').getByRole('button').first()
}

test('an embed is made, seen, put on a site by its line, changed and deleted in the console', async () => {
  await page.goto(`${origin}/#/embeds`)
  await page.getByRole('cell', { name: 'From files (read-only)' }).waitFor()
  await look('embeds')
  await page.getByRole('link', { name: 'New embed' }).click()
  await field('Name').fill('My shop')
  await field('Sites that may embed it').fill(`${siteOrigin}/path`)
  await field('Colour').fill('red')
  await field('Prompts per day (UTC)').fill('many')
  await button('Save').click()
  for (const mistake of ['lowercase letters, digits', 'without a path', 'a colour like', 'from 1 to 10,000,000'])
    await page.locator('p.error', { hasText: mistake }).waitFor()
  await look('new embed, with mistakes')
  await field('Name').fill('shop')
  await field('Sites that may embed it').fill(siteOrigin)
  await field('Colour').fill('#7a2048')
  await field('Prompts per day (UTC)').fill('500')
  await field('Label of the button').fill('Ask the shop')
  await field('Greeting').fill('What are you looking for?')
  await button('Save').click()

  const preview = page.frameLocator('iframe')
  await preview.getByRole('button', { name: 'Ask the shop' }).click()
  await preview.frameLocator('parley-chat iframe').getByText('What are you looking for?').waitFor()
  await look('embed')
  const line = await page.locator('.embed code').innerText()
  const launcher = await launcherOf(line)
  await expect.poll(() => launcher.innerText()).toContain('Ask the shop')

  expect(await field('Prompts per day (UTC)').inputValue()).toBe('500')
  await field('Label of the button').fill('Shop help')
  await button('Save').click()
  await preview.getByRole('button', { name: 'Shop help' }).waitFor()
  await button('Delete').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('cell', { name: 'Ask the library' }).waitFor()
  await page.getByRole('cell', { name: 'Shop help' }).waitFor({ state: 'detached' })
})

test('an embed of the file is shown with its preview, and can’t be changed', async () => {
  await page.goto(`${origin}/#/embeds/edit/library`)
  await page.frameLocator('iframe').getByRole('button', { name: 'Ask the library' }).waitFor()
  await page.getByText('From files (read-only)').waitFor()
  expect(await button('Save').count()).toBe(0)
  expect(await button('Delete').count()).toBe(0)
})
