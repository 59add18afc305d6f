import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../processes.mjs'

/**
 * @typedef {object} Embedded
 * @property {string} in The package that ships others inside its own files, where no bundler of ours sees them.
 * @property {string} version The package's version that the list was written for.
 * @property {string} licenses File in `licenses/` with the texts.
 * @property {{ name: string, version?: string, license: string }[]} components Without a version where it can't be told.
 */

/** Packages inside packages. @returns {Embedded[]} */
export function embeddedPackages() {
  return JSON.parse(readFileSync(join(ROOT, 'scripts/release/embedded-packages.json'), 'utf8'))
}

/**
 * Packages inside a package; undefined if there are none.
 *
 * @param {{ name: string, version: string }} shipped
 * @throws {Error} if the list was written for another version: compare it with what the new one contains.
 */
export function embeddedIn({ name, version }) {
  const embedded = embeddedPackages().find((entry) => entry.in === name)
  if (embedded && embedded.version !== version) {
    throw new Error(
      `${name} is ${version}, and scripts/release/embedded-packages.json lists what ${embedded.version} contains: bring it up to date.`,
    )
  }
  return embedded
}

/** A file of `licenses/`. @param {string} name */
export function licenseText(name) {
  return readFileSync(join(ROOT, 'scripts/release/licenses', name), 'utf8').trim()
}
