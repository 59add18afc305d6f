import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../processes.mjs'

/** The parts of a release that a bundler makes, each with the list of the packages whose modules are in it. */
const LISTS = {
  server: 'dist/server-packages.json',
  page: 'dist/web-packages.json',
  console: 'dist/console-packages.json',
  client: 'dist/client-packages.json',
}

/** @typedef {keyof typeof LISTS} Part */

/** The folder of the package that a module belongs to, also of a package inside another one's folder. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/[^/]+|[^/]+)/

/**
 * A plugin for every build of a part, and what writes the part's list once they are done.
 *
 * @param {Part} part
 */
export function recordPackages(part) {
  /** @type {Set<string>} */
  const folders = new Set()
  return {
    /** @type {import('rolldown').Plugin} */
    plugin: {
      name: 'record-packages',
      generateBundle(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') for (const id of file.moduleIds) add(id)
        }
      },
    },
    add,
    write() {
      writeFileSync(join(ROOT, LISTS[part]), `${JSON.stringify([...folders].toSorted(), null, 2)}\n`)
      return shippedPackages([part])
    },
  }

  /** Adds the package of a module, by the module's path. @param {string} id */
  function add(id) {
    const [folder] = PACKAGE.exec(id.replaceAll('\\', '/').replace(/^\0/, '')) ?? []
    if (folder !== undefined) folders.add(relative(ROOT, folder).replaceAll('\\', '/'))
  }
}

/**
 * @typedef {object} ShippedPackage
 * @property {string} folder Relative to the repository.
 * @property {string} name
 * @property {string} version
 * @property {Part[]} parts What it is part of.
 */

/**
 * The packages of the last build, by name and version.
 *
 * @returns {ShippedPackage[]}
 */
export function shippedPackages(parts = /** @type {Part[]} */ (Object.keys(LISTS))) {
  /** @type {Map<string, ShippedPackage>} */
  const packages = new Map()
  for (const part of parts) {
    for (const folder of /** @type {string[]} */ (JSON.parse(readFileSync(join(ROOT, LISTS[part]), 'utf8')))) {
      const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
      const known = packages.get(`${name}@${version}`)
      if (known) known.parts.push(part)
      else packages.set(`${name}@${version}`, { folder, name, version, parts: [part] })
    }
  }
  return [...packages.values()].toSorted((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1))
}
