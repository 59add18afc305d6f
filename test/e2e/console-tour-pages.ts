import type { Browser, Page } from 'playwright-core'

const PATIENCE_MS = 60_000
/** A passkey in Chromium, which needs no touch. */
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

interface Size {
  width: number
  height: number
}

/** The page of somebody on the staff, with an authenticator. */
export async function openStaffPage(browser: Browser, viewport: Size, locale = 'en-US'): Promise<Page> {
  const page = await newPage(browser, viewport, locale)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('WebAuthn.enable')
  await devTools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
  return page
}

/** A page of staff, with an authenticator, and one of a visitor. */
export async function openConsoleTour(browser: Browser, viewport = { width: 1280, height: 800 }): Promise<{ staff: Page; visitor: Page }> {
  return { staff: await openStaffPage(browser, viewport), visitor: await newPage(browser, viewport) }
}

async function newPage(browser: Browser, viewport: Size, locale?: string): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', serviceWorkers: 'block', ...(locale && { locale }) })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  return page
}
