import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/chromium.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, WITH_CONSOLE } from '../support/staff-client.ts'
import { openStaffPage } from './console-tour-pages.ts'
import { overflowOf, violationsIn } from './inspect-page.ts'

/** That an owner has. */
const SCREENS = 15
const PHONE = { width: 375, height: 800 }

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, BUDGET_PER_DAY: '5' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const root = (page: Page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])

/** Faults of every screen, by its name in the navigation. */
async function faultsOnScreens(page: Page, menu: string, loading: string): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {}
  const links = page.getByRole('navigation').getByRole('link')
  await button(page, menu).click()
  await expect.poll(() => links.count()).toBe(SCREENS)
  const names = await links.allInnerTexts()
  for (const name of names) {
    if ((await links.count()) === 0) await button(page, menu).click()
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await expect.poll(() => page.getByText(loading, { exact: true }).count()).toBe(0)
    const found = [...(await violationsIn(page)), ...(await overflowOf(page))]
    if (found.length > 0) faults[name] = found
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/${name}.png`, fullPage: true })
  }
  return faults
}

test('speaks the browser’s language, switches to Arabic from right to left without losing what is typed, and stays there', async () => {
  const { origin, link } = await consoleOf(server)
  const page = await openStaffPage(browser, PHONE, 'de-CH')
  await page.goto(`${origin}/#/enter/${link}`)
  await page.getByText('Fügen Sie einen Passkey hinzu').waitFor()
  expect(await root(page)).toEqual(['de', 'ltr'])
  await page.getByRole('textbox', { name: 'Name des Geräts' }).fill('Laptop im Büro')
  await button(page, 'Passkey hinzufügen').click()
  await expect.poll(() => page.title()).toBe('Übersicht · Konsole')
  await button(page, 'Bereiche').click()
  await button(page, 'Abmelden').click()
  await button(page, 'Mit einem Passkey anmelden').click()
  expect(await faultsOnScreens(page, 'Bereiche', 'Wird geladen')).toEqual({})

  await page.getByRole('textbox', { name: 'Name des Geräts' }).fill('Telefon')
  await button(page, 'Bereiche').click()
  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('ar')
  await expect.poll(() => root(page)).toEqual(['ar', 'rtl'])
  await expect.poll(() => page.getByRole('textbox', { name: 'اسم الجهاز' }).inputValue()).toBe('Telefon')
  await expect.poll(() => page.title()).toContain('لوحة الإدارة')
  await page.reload()
  await button(page, 'الشاشات').click()
  await button(page, 'تسجيل الخروج').click()
  expect(await root(page)).toEqual(['ar', 'rtl'])
  await button(page, 'تسجيل الدخول بمفتاح مرور').click()
  expect(await faultsOnScreens(page, 'الشاشات', 'جارٍ التحميل')).toEqual({})
})

test('shows the server’s rejection in the reader’s language', async () => {
  const page = await openStaffPage(browser, PHONE, 'fr-FR')
  await page.goto(`${(await consoleOf(server)).origin}/#/enter/${'x'.repeat(43)}`)
  await page.getByRole('heading', { name: 'Ce lien ne fonctionne pas' }).waitFor()
  await expect.poll(() => page.getByRole('alert').innerText()).toBe('Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.')
})
