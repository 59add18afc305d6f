import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { pageAddress } from './page-address.ts'
import { FORBIDDEN_ADDRESS, isSitemap, PoliteFetcher } from './polite-fetcher.ts'
import { readableOf } from '../ingestion/extract-file.ts'
import { SiteRules } from './site-rules.ts'
import { readSourceDefinitions, type SourceDefinition, SOURCES_FILE } from './source-definition.ts'
import { PrivateWebsiteError, SourceActionError } from './source-lease.ts'
import { newPageReader } from './sync-source.ts'

const MAX_PAGE_BYTES = 20_000_000

export interface NewSource {
  /** As an operator writes them: the scheme may be missing. */
  addresses: readonly string[]
  /** From the host, without one. */
  id?: string | undefined
  network: SourceDefinition['network']
}

interface AddContext {
  knowledgeDirectory: string
  /** Called with a line that says what was found or done. */
  write: (line: string) => void
  signal: AbortSignal
}

type NewEntry = Pick<SourceDefinition, 'id' | 'website'> & { crawl?: true; include?: string[]; network?: 'private' }

/** Looks at websites and writes them into `sources.yaml` as one source. Returns its id. @throws {SourceActionError} */
export async function addSource({ addresses, id, network }: NewSource, { knowledgeDirectory, write, signal }: AddContext): Promise<string> {
  const path = join(knowledgeDirectory, SOURCES_FILE)
  const text = await readFile(path, 'utf8').catch(() => '')
  const { sources, isReadable } = text.trim() === '' ? { sources: [], isReadable: true } : readSourceDefinitions(text)
  if (!isReadable) throw new SourceActionError(`${SOURCES_FILE} can't be read: correct it first. Nothing was added.`)
  const website: string[] = []
  const directory = await mkdtemp(join(tmpdir(), 'parley-source-'))
  const look = new FirstLook({ directory, network, signal, write })
  try {
    for (const address of addresses) website.push(await look.at(address))
  } finally {
    await look.close()
    await rm(directory, { recursive: true, force: true })
  }
  const known = sources.find((source) => website.some((address) => source.website.includes(address)))
  if (known) throw new SourceActionError(`The source "${known.id}" has this website already.`)
  const pages = website.filter((address) => !isSitemap(address))
  const folders = pages.map((address) => new URL(address).pathname).filter((folder) => folder !== '/' && folder.endsWith('/'))
  const entry: NewEntry = {
    id: id ?? freeId(new URL(website[0] ?? '').hostname, new Set(sources.map((source) => source.id))),
    website,
    ...(pages.length > 0 && { crawl: true }),
    ...(folders.length === website.length && { include: folders.map((folder) => `${folder}**`) }),
    ...(network === 'private' && { network }),
  }
  const added = withEntry(text, entry)
  const { mistakes } = readSourceDefinitions(added)
  const mistake = mistakes.at(-1)
  if (mistake !== undefined && !readSourceDefinitions(text).mistakes.includes(mistake))
    throw new SourceActionError(`${SOURCES_FILE}, ${mistake} Nothing was added.`)
  await mkdir(knowledgeDirectory, { recursive: true })
  await writeFile(path, added).catch((error: NodeJS.ErrnoException) => {
    throw new SourceActionError(`${path} can't be written (${error.code}). Add it there:\n${withEntry('', entry)}`)
  })
  write(`${entry.id}: added to ${path}.\n`)
  return entry.id
}

/** The file with one more source; its comments stay. */
function withEntry(text: string, { website, ...entry }: NewEntry): string {
  const document = parseDocument(text.trim() === '' ? 'sources: []' : text)
  const { id, ...keys } = entry
  const value = { id, website: website.length === 1 ? website[0] : website, ...keys }
  document.addIn(['sources'], document.createNode(value))
  const list = document.get('sources') as { flow?: boolean }
  if (text.trim() === '') list.flow = false
  return document.toString({ lineWidth: 0 })
}

function freeId(hostname: string, taken: ReadonlySet<string>): string {
  const name = hostname
    .replace(/^www\./, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 36)
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? name : `${name}-${number}`
    if (!taken.has(id) && id !== 'uploads') return id
  }
}

/** Finds out where a website is, whether it may be read, and by which list of its pages. */
class FirstLook {
  readonly #write: AddContext['write']
  readonly #fetcher: PoliteFetcher
  readonly #reader = newPageReader()
  readonly #rules: SiteRules

  constructor({
    write,
    signal,
    directory,
    network,
  }: Pick<AddContext, 'write' | 'signal'> & Pick<NewSource, 'network'> & { directory: string }) {
    this.#write = write
    this.#fetcher = new PoliteFetcher({ directory, network, signal, bytesPerPage: MAX_PAGE_BYTES, delayS: 0 })
    this.#rules = new SiteRules({
      request: (address) => this.#fetcher.follow(address, () => true),
      read: async (request) => readableOf(await this.#reader.parse(request)),
    })
  }

  /** Returns a sitemap, or the page to begin at. @throws {SourceActionError} */
  async at(written: string): Promise<string> {
    const stated = pageAddress(/^[a-z]+:/i.test(written) && !/^[^/]+:\d+(?:\/|$)/.test(written) ? written : `https://${written}`)
    if (stated === null || !URL.canParse(stated)) throw new SourceActionError(`${written} is no web address. Nothing was added.`)
    let address = stated
    const fetched = await this.#fetcher.follow(stated, (to) => {
      this.#write(`${address} leads to ${to}.\n`)
      address = to
      return true
    })
    if (fetched.kind === 'failed' && fetched.reason === FORBIDDEN_ADDRESS) throw new PrivateWebsiteError(`${address}: ${FORBIDDEN_ADDRESS}`)
    if (fetched.kind === 'failed') throw new SourceActionError(`${address}: ${fetched.reason} Nothing was added.`)
    if (fetched.kind !== 'body') throw new SourceActionError(`${address}: The site does not have it. Nothing was added.`)
    const allowed = await this.#rules.allow(address)
    const reason = allowed === false ? 'robots.txt does not allow ParleyBot to read it.' : allowed
    if (reason !== true) throw new SourceActionError(`${address}: ${reason} Nothing was added.`)
    if (isSitemap(address) || new URL(address).pathname !== '/') return address
    const sitemap = await this.#sitemapOf(address)
    this.#write(sitemap === null ? `${address} is read by following its links.\n` : `${address} is read by its sitemap, ${sitemap}.\n`)
    return sitemap ?? address
  }

  async close(): Promise<void> {
    this.#reader.close()
    await this.#fetcher.close()
  }

  /** The first sitemap that robots.txt names and that lists pages of this host, or the one at the usual place; `null` for none. */
  async #sitemapOf(start: string): Promise<string | null> {
    const rules = await this.#rules.of(start)
    const named = rules.kind === 'rules' ? rules.sitemaps.slice(0, 5) : []
    for (const name of [...named, '/sitemap.xml']) {
      let address = pageAddress(name, start)
      const isHere = (to: string) => isSitemap(to) && new URL(to).host === new URL(start).host
      if (address === null || !isHere(address)) continue
      const fetched = await this.#fetcher.follow(address, (to) => {
        if (isHere(to)) address = to
        return isHere(to)
      })
      if (fetched.kind !== 'body') continue
      const scope = { website: [start], include: [], exclude: [] }
      const found = readableOf(await this.#reader.parse({ kind: 'sitemap', path: fetched.path, address, scope }))
      if (found.kind === 'sitemap' && found.pages.length + found.sitemaps.length > 0) return address
    }
    return null
  }
}
