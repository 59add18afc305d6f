import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findProgram, installDebianPackages } from './debian.mjs'
import { environmentFor } from './processes.mjs'
import { runStep } from './steps.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
/** Chromium comes without fonts, and text without a font has no height. */
const PACKAGES = ['chromium', 'fonts-liberation']
const PLAYWRIGHT = 'node_modules/playwright-core/cli.js'

/** Path of a Chromium: `CHROMIUM_PATH`, the first of the known names on the PATH, or the one that Playwright installed. */
export function findChromium() {
  return process.env['CHROMIUM_PATH'] || NAMES.map((name) => findProgram(name)).find(Boolean) || findPlaywrightChromium()
}

/**
 * Installs Chromium for the tests, unless there is one: from Debian's packages as root, otherwise with Playwright's installer, which
 * puts it into the user's cache.
 *
 * @param {{ node: string, verbose: boolean }} options
 * @throws {LaunchError} if it cannot be downloaded.
 */
export async function ensureChromium(options) {
  if (findChromium()) return
  await installDebianPackages('Installing Chromium for the tests', PACKAGES, options)
  if (findChromium()) return
  const args = [PLAYWRIGHT, 'install', 'chromium', '--no-shell']
  await runStep('Downloading Chromium for the tests', {
    file: options.node,
    args,
    env: environmentFor(options.node),
    verbose: options.verbose,
  })
}

/** Loads Playwright, which takes a quarter of a second, so it comes last. */
function findPlaywrightChromium() {
  const path = createRequire(import.meta.url)('playwright-core').chromium.executablePath()
  return existsSync(path) ? path : undefined
}
