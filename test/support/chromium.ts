import { chromium, type Browser } from 'playwright-core'
import { findChromium, findHeadlessChromium } from '../../scripts/chromium.mjs'

/** Disables background requests, and the sandbox and GPU that containers lack. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A headless Chromium with a fresh profile. Close it after use. `isWhole`: with a process for each sandboxed frame. */
export function launchOwnBrowser({ isWhole = false } = {}): Promise<Browser> {
  const executablePath = isWhole ? findChromium() : findHeadlessChromium()
  if (!executablePath) throw new Error('No Chromium on the PATH, and CHROMIUM_PATH is not set.')
  return chromium.launch({ executablePath, headless: true, args: BROWSER_FLAGS })
}

let ofWorker: Promise<Browser> | undefined

/** The worker's Chromium, which ends with the worker. `close` closes its contexts, so that the next test file finds a fresh profile. */
export async function launchBrowser(): Promise<Browser> {
  ofWorker ??= launchOwnBrowser()
  const browser = await ofWorker
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close') return async () => void (await Promise.all(target.contexts().map((context) => context.close())))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Runs `use` with a new browser and closes it. */
export async function withBrowser<Result>(use: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await launchOwnBrowser()
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}
