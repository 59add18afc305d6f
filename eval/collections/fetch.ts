import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../../scripts/debian.mjs'
import { CACHE_DIRECTORY, type Collection, isFetched, pagesDirectory, readCollections } from './collection.ts'
import { rawText } from './raw-text.ts'

const run = promisify(execFile)
const TIMEOUT_MS = 300_000
/** Where a page states its language. */
const HEAD_CHARACTERS = 2_000

export interface FetchedPackage {
  package: string
  version: string
  sha256: string
  pages: number
}

/** Downloads the missing documents of all question sets. Returns whether they contain every quotation. */
export async function fetchCollections(say: (line: string) => void, collections = readCollections()): Promise<boolean> {
  const missing = collections.filter((collection) => !isFetched(collection))
  if (missing.length > 0 && !(findProgram('apt-get') && findProgram('dpkg-deb'))) {
    say('The document collections are Debian packages, and fetching them needs apt-get and dpkg-deb, which are not here.')
    say('Run `npm run eval -- --fetch` on Debian or Ubuntu (a container does), then copy .runtime/eval-collections here; or unpack')
    for (const { package: name, folder } of missing)
      say(`  ${folder} of https://packages.debian.org/${name} into ${relative('.', join(CACHE_DIRECTORY, name, 'pages'))}`)
    return false
  }
  for (const collection of missing) await fetchCollection(collection)
  return collections.map((collection) => isComplete(collection, say)).every(Boolean)
}

/** Downloads the documents of one package. */
export async function fetchCollection(collection: Pick<Collection, 'package' | 'folder'>): Promise<void> {
  const target = dirname(pagesDirectory(collection))
  mkdirSync(CACHE_DIRECTORY, { recursive: true })
  const work = mkdtempSync(join(CACHE_DIRECTORY, 'fetch-'))
  try {
    await run('apt-get', ['download', collection.package], { cwd: work, timeout: TIMEOUT_MS })
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'))
    if (!archive) throw new Error(`apt-get downloaded nothing for ${collection.package}.`)
    const path = join(work, archive)
    const { stdout: version } = await run('dpkg-deb', ['--field', path, 'Version'])
    await run('dpkg-deb', ['-x', path, join(work, 'files')], { timeout: TIMEOUT_MS })
    const pages = copyEnglishPages(join(work, 'files', collection.folder), join(work, 'done', 'pages'))
    const fetched: FetchedPackage = {
      package: collection.package,
      version: version.trim(),
      sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
      pages,
    }
    writeFileSync(join(work, 'done', 'package.json'), `${JSON.stringify(fetched, null, 2)}\n`)
    rmSync(target, { recursive: true, force: true })
    renameSync(join(work, 'done'), target)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Copies the pages that do not state a language other than English. Returns their number. */
function copyEnglishPages(source: string, target: string): number {
  const pages = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((page) => isEnglish(readFileSync(join(source, page), 'utf8')))
  for (const page of pages) {
    mkdirSync(join(target, dirname(page)), { recursive: true })
    copyFileSync(join(source, page), join(target, page))
  }
  return pages.length
}

function isEnglish(html: string): boolean {
  const language = /<html[^>]*?\slang="([^"]*)"/i.exec(html.slice(0, HEAD_CHARACTERS))?.[1] ?? 'en'
  return language.toLowerCase().startsWith('en')
}

/** Reports what was downloaded, and which quotations are missing. */
function isComplete(collection: Collection, say: (line: string) => void): boolean {
  const { version, sha256, pages } = fetchedPackage(collection)
  say(`${collection.package} ${version}, ${pages} pages (${collection.use}), sha256 ${sha256}`)
  if (version !== collection.version)
    say(`  The questions were written for version ${collection.version}; quotations that have changed since count as misses.`)
  const text = readPages(collection).map(rawText).join('\n')
  const missing = collection.questions.flatMap(({ gold }) => gold).filter((quotation) => !text.includes(quotation))
  for (const quotation of missing) say(`  not in the documents: "${quotation}"`)
  return missing.length === 0
}

/** Facts that a download recorded about its package. */
export function fetchedPackage(collection: Collection): FetchedPackage {
  const directory = dirname(pagesDirectory(collection))
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as FetchedPackage
  } catch {
    return { package: collection.package, version: 'unknown', sha256: 'unknown', pages: readPages(collection).length }
  }
}

function readPages(collection: Collection): string[] {
  const directory = pagesDirectory(collection)
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile() && basename(entry.name).endsWith('.html'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}
