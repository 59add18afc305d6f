import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { CLIENT, startOidcServer } from '../support/oidc-server.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { violationsIn } from './inspect-page.ts'

let oidc: Awaited<ReturnType<typeof startOidcServer>>
let server: TestServer
let browser: Browser
let origin: string
beforeAll(async () => {
  oidc = await startOidcServer()
  const env = { STAFF_OIDC_ISSUER: oidc.issuer, STAFF_OIDC_CLIENT_ID: CLIENT.id, STAFF_OIDC_CLIENT_SECRET: CLIENT.secret }
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, ...env } })
  ;({ origin } = await consoleOf(server))
  oidc.register(origin, { redirect_uris: [`${origin}/`] })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
  await oidc.close()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Completes the provider's forms. */
async function logIn(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${oidc.issuer}/**`)
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await button(page, 'Sign-in').click()
}

async function newPage(): Promise<Page> {
  const context = await browser.newContext()
  // The provider's own pages ask other hosts for fonts.
  await context.route(/googleapis|gstatic/, (route) => route.abort())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  return page
}

test('an editor signs in with the organisation, and confirms a stop there a quarter of an hour later', async () => {
  oidc.roles.set('ada', ['editor'])
  const page = await newPage()
  await page.goto(origin)
  await button(page, 'Sign in with your organisation').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await button(page, 'Sign in with your organisation').click()
  await logIn(page, 'ada')
  await button(page, 'Continue').click()
  await page.getByRole('banner').getByText('Signed in as Name of ada (editor)').waitFor()
  expect(page.url()).not.toMatch(/code|state/)
  await page.getByRole('link', { name: 'Your account', exact: true }).click()
  await page.getByText('Your organisation says who you are').waitFor()
  await expect.poll(() => page.getByRole('textbox').count()).toBe(0)

  const database = new DatabaseSync(join(server.dataDirectory, 'parley.db'), { timeout: 30_000 })
  database.exec('update staff_sessions set confirmed_at = 0')
  database.close()
  await page.getByRole('link', { name: 'Stops and banner', exact: true }).click()
  await page.getByRole('textbox', { name: 'Words of the topic' }).fill('parking permit')
  await page.getByRole('textbox', { name: 'Reason' }).fill('wrong fee')
  await button(page, 'Stop answers').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop answers' }).click()
  await page.waitForURL((url) => url.origin === origin && url.hash === '#/stop')
  await page.getByRole('heading', { name: 'Stops and banner', level: 1 }).waitFor()
})

test('somebody without a role reads why there is nothing to see', async () => {
  const page = await newPage()
  await page.goto(origin)
  await button(page, 'Sign in with your organisation').click()
  await logIn(page, 'mallory')
  await button(page, 'Continue').click()
  await page.getByText('Your account has no role here.').waitFor()
  expect(await violationsIn(page)).toEqual([])
  await button(page, 'Try again').click()
  await button(page, 'Sign in with your organisation').waitFor()
})
