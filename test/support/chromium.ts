import { chromium, type Browser } from 'playwright-core'
import { findChromium, findHeadlessChromium } from '../../scripts/chromium.mjs'

/** Disables background requests, and the sandbox and GPU that containers lack. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A headless Chromium with a fresh profile. Close it after use. `isWhole`: with a process for each sandboxed frame. */
export function launchBrowser({ isWhole = false } = {}): Promise<Browser> {
  const executablePath = isWhole ? findChromium() : findHeadlessChromium()
  if (!executablePath) throw new Error('No Chromium on the PATH, and CHROMIUM_PATH is not set.')
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}

/** Runs `use` with a new browser and closes it. */
export async function withBrowser<Result>(use: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchBrowser()
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}
