import { findProgram, installDebianPackages } from './debian.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
/** Chromium brings no font of its own, and a page without one has no height. */
const PACKAGES = ['chromium', 'fonts-liberation']

/** Path of the system's Chromium: `CHROMIUM_PATH`, or the first of the known names on the PATH. */
export function findChromium() {
  return process.env['CHROMIUM_PATH'] || NAMES.map(findProgram).find(Boolean)
}

/** Sees to a Chromium for the tests. @param {{ verbose: boolean }} options */
export async function ensureChromium(options) {
  if (!findChromium()) await installDebianPackages('Installing Chromium for the tests', PACKAGES, options)
}
