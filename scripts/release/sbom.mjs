import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand, ROOT } from '../processes.mjs'
import { embeddedIn } from './embedded-packages.mjs'

/**
 * @typedef {import('./shipped-packages.mjs').ShippedPackage} ShippedPackage
 * @typedef {{ name: string, value: string }} Property
 * @typedef {object} Component
 * @property {string} bom-ref
 * @property {string} type
 * @property {string} name
 * @property {string} [version]
 * @property {string} [purl]
 * @property {Property[]} [properties]
 * @property {Record<string, unknown>[]} [licenses]
 * @property {{ alg: string, content: string }[]} [hashes]
 * @property {Component[]} [components]
 *
 * @typedef {object} Sbom CycloneDX 1.5, as far as it is changed here.
 * @property {string} bomFormat
 * @property {string} specVersion
 * @property {string} [serialNumber]
 * @property {{ component: Component, timestamp?: string }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn: string[] }[]} dependencies
 */

/** npm's list of everything that is installed takes about 1 MB. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * The bill of materials of a release: npm's, without what only builds and tests need, and with what packages contain.
 *
 * @param {ShippedPackage[]} packages
 * @returns {Sbom}
 */
export function sbomOf(packages) {
  const all = installed()
  const shipped = new Map(packages.map((entry) => [`${entry.name}@${entry.version}`, entry]))
  const components = all.components.flatMap((component) => {
    const entry = shipped.get(`${component.name}@${component.version}`)
    return entry ? [withContent(component, entry)] : []
  })
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const root = all.metadata.component
  const refs = new Set([root['bom-ref'], ...components.map((component) => component['bom-ref'])])
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((target) => refs.has(target)) }))
  // Both are optional, and would make each archive of the same files another one.
  const { serialNumber: _, ...document } = all
  const { timestamp: __, ...metadata } = all.metadata
  return { ...document, metadata: { ...metadata, component: { ...root, type: 'application', name, version } }, components, dependencies }
}

/** @returns {Sbom} */
function installed() {
  const { file, args } = npmCommand(process.execPath, ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'silent'])
  const output = execFileSync(file, args, {
    cwd: ROOT,
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output)
}

/** Adds in which parts a package is shipped, and what it contains. @param {Component} component @param {ShippedPackage} entry */
function withContent(component, entry) {
  const properties = entry.parts.map((part) => ({ name: 'parley:part', value: part }))
  const contained = embeddedIn(entry)?.components.map((inner) => ({
    'bom-ref': `${component['bom-ref']}#${inner.name}`,
    type: 'library',
    name: inner.name,
    ...(inner.version === undefined ? {} : { version: inner.version, purl: packageUrl(inner.name, inner.version) }),
    licenses: [inner.license.includes(' ') ? { expression: inner.license } : { license: { id: inner.license } }],
  }))
  return { ...component, properties, ...(contained ? { components: contained } : {}) }
}

/** @param {string} name @param {string} version */
const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/**
 * Faults of a bill of materials; empty if it lists every shipped package with its version, license, address and checksum, and
 * refers to nothing that it doesn't list.
 *
 * @param {Sbom} sbom
 * @param {ShippedPackage[]} packages
 */
export function problemsOfSbom(sbom, packages) {
  const listed = new Map(sbom.components.map((component) => [`${component.name}@${component.version}`, component]))
  const refs = new Set([sbom.metadata.component['bom-ref'], ...sbom.components.map((component) => component['bom-ref'])])
  return [
    ...packages.flatMap(({ name, version }) => (listed.has(`${name}@${version}`) ? [] : [`${name} ${version} is missing`])),
    ...sbom.components.flatMap(({ name, licenses, purl, hashes }) =>
      licenses?.length && purl && hashes?.length ? [] : [`${name} has no license, address or checksum`],
    ),
    ...sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn].filter((target) => !refs.has(target))),
  ]
}
