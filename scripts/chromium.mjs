import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findProgram, installDebianPackages, isOffered } from './debian.mjs'
import { environmentFor } from './processes.mjs'
import { runStep } from './steps.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const SHELL = 'chromium-headless-shell'
/** Chromium comes without fonts, and text without a font has no height. */
const PACKAGES = ['chromium', 'fonts-liberation']
const PLAYWRIGHT = 'node_modules/playwright-core/cli.js'

/** Path of a Chromium: `CHROMIUM_PATH`, the first of the known names on the PATH, or the one that Playwright installed. */
export function findChromium() {
  return process.env['CHROMIUM_PATH'] || NAMES.map((name) => findProgram(name)).find(Boolean) || findPlaywrightChromium()
}

/**
 * Path of a program that draws pages as Chromium does, without its windows and tabs, in half the CPU time: Chromium's headless shell if
 * it is on the PATH, otherwise Chromium. Frames of one page share a process in it.
 */
export function findHeadlessChromium() {
  return process.env['CHROMIUM_PATH'] || findProgram(SHELL) || findChromium()
}

/**
 * Installs Chromium for the tests, unless there is one: from Debian's packages as root, otherwise with Playwright's installer, which
 * puts it into the user's cache. Its headless shell is installed too where Debian has it; the tests do without it.
 *
 * @param {{ node: string, verbose: boolean }} options
 * @throws {LaunchError} if it cannot be downloaded.
 */
export async function ensureChromium(options) {
  await ensureBrowser(options)
  if (process.env['CHROMIUM_PATH'] || findProgram(SHELL) || !isOffered(SHELL)) return
  await installDebianPackages('Installing the headless shell of Chromium for the tests', [SHELL], options)
}

/** @param {{ node: string, verbose: boolean }} options */
async function ensureBrowser(options) {
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
