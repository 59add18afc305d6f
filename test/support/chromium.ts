import { chromium, type Browser } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'

/** No request of the browser's own disturbs a count of requests, and nothing needs a sandbox or a GPU that a container lacks. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A headless Chromium with a fresh profile; whoever launches it closes it. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium on the PATH, and CHROMIUM_PATH is not set.')
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}

/** Runs `use` with a browser of its own and closes it in every case. */
export async function withBrowser<Result>(use: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchBrowser()
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}
