import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../../test/support/databases.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { sitePage, startWebsite, type Website } from '../../../../test/support/website.ts'
import { listSourcePages } from '../files/list-source-pages.ts'
import { listSnapshots, readPages, readSource, readTexts } from '../../store/knowledge/sources.ts'
import { heldKind, readHeldSource } from './held-pages.ts'
import { ChangedMeanwhile, decidePages, type PageDecision } from './page-decisions.ts'
import { acceptSource, rollBackSource } from './source-actions.ts'
import { type SourceCommand, runSourceCommand } from './source-commands.ts'
import { readSourceDefinitions, type SourceDefinition } from './source-definition.ts'
import { SourceActionError } from './source-lease.ts'
import { storedReport } from './run-report.ts'
import { syncSource } from './sync-source.ts'
import { WebsiteSources } from './website-sources.ts'

const PATHS = Array.from({ length: 10 }, (_, index) => `/services/${index}`)
const PATIENCE_MS = 60_000
const SHORT = '<title>subject</title><main><p>Closed for ever.</p></main>'

describe.each(DATABASES)('the held pages of a website, on %s', (kind) => {
  let opened: OpenedDatabase
  let site: Website
  let made = 0
  let id = ''
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    site = await startWebsite()
    made += 1
    id = `town-${made}`
    for (const path of PATHS) site.pages.set(path, sitePage(`subject ${path}`))
    site.list(PATHS)
    await sync()
    return () => site.close()
  })

  const definition = () => {
    const keys = `    network: private\n    delay: 0\n    website: ${site.url}/sitemap.xml\n`
    return readSourceDefinitions(`sources:\n  - id: ${id}\n${keys}`).sources[0] as SourceDefinition
  }
  async function sync() {
    const { signal } = new AbortController()
    const report = await syncSource({
      database: opened.database,
      definition: definition(),
      holder: 'test',
      browserUrl: null,
      now: Date.now,
      signal,
    })
    if (!report) throw new Error('Another process has the source.')
    return report
  }
  const context = { now: Date.now, write: () => undefined, commands: { sync: () => '', accept: () => '' } }
  const decide = (decisions: Record<string, PageDecision['decision']>, seen?: PageDecision['seen']) => {
    const list = Object.entries(decisions).map(([path, decision]) => ({ address: site.url + path, decision, ...(seen && { seen }) }))
    return decidePages(opened.database, id, list, context)
  }
  const row = async () => (await readSource(opened.database, id))!

  /** Waiting pages by path. */
  async function held(): Promise<Record<string, string | null>> {
    const { pages } = await readHeldSource(opened.database, await row())
    return Object.fromEntries(pages.flatMap((page) => (heldKind(page) ? [[page.address.slice(site.url.length), heldKind(page)]] : [])))
  }

  /** The first words of the pages that answer, by path. */
  async function answering(): Promise<Record<string, string>> {
    const pages: Record<string, string> = {}
    for await (const part of readPages(opened.database, id, (await row()).active!))
      for (const { address, text_hash: hash } of part) {
        if (hash === null) continue
        const text = (await readTexts(opened.database, id, [hash])).get(hash) ?? '{}'
        pages[address.slice(site.url.length)] = (JSON.parse(text) as { title: string }).title
      }
    return pages
  }

  /** Two pages change, one comes, one goes: more than a fifth at once. */
  async function holdBack() {
    site.pages.set('/services/1', sitePage('changed one'))
    site.pages.set('/services/2', sitePage('changed two'))
    site.pages.set('/services/new', sitePage('the new page'))
    site.pages.delete('/services/4')
    site.list([...PATHS.filter((path) => path !== '/services/4'), '/services/new'])
    expect(await sync()).toMatchObject({ outcome: 'held' })
    return { '/services/1': 'changed', '/services/2': 'changed', '/services/4': 'gone', '/services/new': 'new' }
  }

  test('are accepted one by one, while the others wait over later runs', async () => {
    const before = await answering()
    expect(await held()).toEqual({})
    expect(await holdBack()).toEqual(await held())
    await decide({ '/services/1': 'accept' })
    expect(await answering()).toEqual({ ...before, '/services/1': 'changed one' })
    const left = { '/services/2': 'changed', '/services/4': 'gone', '/services/new': 'new' }
    expect(await held()).toEqual(left)
    // Three of ten would be too few to hold the whole run back; a page that changes meanwhile is not theirs.
    site.pages.set('/services/7', sitePage('changed seven'))
    expect(await sync()).toMatchObject({ outcome: 'done', counts: { changed: 1, held: 3 } })
    expect(await held()).toEqual(left)
    expect(await answering()).toEqual({ ...before, '/services/1': 'changed one', '/services/7': 'changed seven' })
    await decide({ '/services/4': 'accept', '/services/new': 'accept' })
    const { '/services/4': _, ...others } = before
    const now = { ...others, '/services/1': 'changed one', '/services/7': 'changed seven', '/services/new': 'the new page' }
    expect(await answering()).toEqual(now)
    await acceptSource(opened.database, id, context)
    expect(await answering()).toEqual({ ...now, '/services/2': 'changed two' })
    expect(await sync()).toMatchObject({ outcome: 'done', counts: { held: 0, changed: 0, gone: 0 } })
  })

  test('stay as they were where staff keep them, until the site has another text', async () => {
    const before = await answering()
    await holdBack()
    await decide({ '/services/1': 'keep', '/services/2': 'keep', '/services/4': 'keep', '/services/new': 'keep' })
    expect(await answering()).toEqual(before)
    expect(await held()).toEqual({})
    expect(storedReport((await row()).report)).toMatchObject({ outcome: 'done', counts: { held: 0 } })
    for (let run = 0; run < 2; run += 1) {
      expect(await sync()).toMatchObject({ outcome: 'done', counts: { held: 0, changed: 0, gone: 0, new: 0 } })
      expect(await answering()).toEqual(before)
    }
    site.pages.set('/services/1', sitePage('changed again'))
    site.pages.set('/services/new', sitePage('the new page, again'))
    site.pages.set('/services/4', sitePage('subject four is back'))
    site.list([...PATHS, '/services/new'])
    await sync()
    expect(await answering()).toEqual(before)
    expect(await held()).toEqual({ '/services/1': 'changed', '/services/4': 'changed', '/services/new': 'new' })
    // What is as it was needs no decision any more.
    site.pages.set('/services/1', sitePage('subject /services/1'))
    await sync()
    expect(await held()).toEqual({ '/services/4': 'changed', '/services/new': 'new' })
  })

  test('wait with their newest state when the site changes, or loses, them again', async () => {
    const before = await answering()
    await holdBack()
    await decide({ '/services/1': 'accept' })
    site.pages.set('/services/2', sitePage('changed two, again'))
    site.pages.delete('/services/new')
    site.pages.set('/services/4', sitePage('subject /services/4'))
    site.list(PATHS)
    await sync()
    expect(await held()).toEqual({ '/services/2': 'changed' })
    await decide({ '/services/2': 'accept' })
    expect(await answering()).toEqual({ ...before, '/services/1': 'changed one', '/services/2': 'changed two, again' })
  })

  test('are asked about when one that was kept goes, but not kept where the site asks not to be read', async () => {
    await holdBack()
    await decide({ '/services/1': 'keep', '/services/2': 'accept', '/services/4': 'accept', '/services/new': 'accept' })
    site.pages.delete('/services/1')
    await sync()
    expect(await held()).toEqual({ '/services/1': 'gone' })
    for (const path of ['/services/5', '/services/6', '/services/7'])
      site.pages.set(path, { body: sitePage(`hidden ${path}`), headers: { 'x-robots-tag': 'noindex' } })
    expect(await sync()).toMatchObject({ outcome: 'held' })
    await expect(decide({ '/services/5': 'keep' })).rejects.toThrow(SourceActionError)
    await decide({ '/services/5': 'accept', '/services/1': 'keep' })
    await sync()
    expect(await held()).toEqual({})
    expect(Object.keys(await answering())).not.toContain('/services/6')
    expect(Object.keys(await answering())).toContain('/services/1')
  })

  test('that lost their text are decided one by one too', async () => {
    site.pages.set('/services/3', SHORT)
    expect(await sync()).toMatchObject({ outcome: 'done', counts: { held: 1 } })
    expect(await held()).toEqual({ '/services/3': 'shorter' })
    await decide({ '/services/3': 'keep' })
    expect(await sync()).toMatchObject({ counts: { held: 0, unchanged: 10 } })
    expect((await answering())['/services/3']).toBe('subject /services/3')
  })

  test('are decided as they were seen or not at all', async () => {
    await holdBack()
    const { pages } = await readHeldSource(opened.database, await row())
    const { text_hash: before, held_hash: after } = pages.find(({ address }) => address.endsWith('/1'))!
    await expect(decide({ '/services/1': 'accept' }, { before, after: 'f'.repeat(64) })).rejects.toThrow(ChangedMeanwhile)
    await expect(decide({ '/services/2': 'accept', '/services/9': 'keep' })).rejects.toThrow(ChangedMeanwhile)
    expect(Object.keys(await held())).toHaveLength(4)
    await decide({ '/services/1': 'accept' }, { before, after })
    await expect(decide({ '/services/1': 'keep' }, { before, after })).rejects.toThrow(ChangedMeanwhile)
  })

  test('count as one snapshot to roll back to, however many decisions there were', async () => {
    const before = await answering()
    await holdBack()
    for (const path of ['/services/1', '/services/2', '/services/4', '/services/new']) await decide({ [path]: 'accept' })
    expect((await listSnapshots(opened.database, id)).map(({ state }) => state)).toEqual(['complete', 'complete'])
    await rollBackSource(opened.database, id, context)
    expect(await answering()).toEqual(before)
  })

  test('are listed, compared and decided by command', async () => {
    await holdBack()
    const output: string[] = []
    const command = (name: SourceCommand, ...paths: string[]) =>
      runSourceCommand(name, [id, ...paths.map((path) => site.url + path)], {
        settings: { database: opened.settings, knowledgeDirectory: '/nowhere', browserUrl: null },
        write: (text) => output.push(text),
        signal: new AbortController().signal,
        now: Date.now,
      })
    expect(await command('diff')).toBe(0)
    expect(output.splice(0).join('')).toContain(`  gone     ${site.url}/services/4  Nothing leads to it any more.`)
    expect(await command('diff', '/services/1')).toBe(0)
    expect(output.splice(0).join('')).toMatch(/ - Title: subject \/services\/1\n(.*\n)* {4}\+ Title: changed one\n/)
    expect(await command('accept', '/services/1', '/services/new')).toBe(0)
    expect(output.splice(0).join('')).toBe(`${id}: 2 pages accepted, 0 kept, 2 wait. In force within a few seconds.\n`)
    expect(await command('keep', '/services/2')).toBe(0)
    expect(await command('keep', '/services/2')).toBe(1)
    expect(await command('keep')).toBe(1)
    expect(await command('rollback', '/services/2')).toBe(1)
    expect(await held()).toEqual({ '/services/4': 'gone' })
  })

  test('are brought to every process that has the same data folder', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-held-'))
    writeFileSync(join(directory, 'sources.yaml'), `sources:\n  - id: ${id}\n    network: private\n    website: ${site.url}/sitemap.xml\n`)
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const read = [new Set<string>(), new Set<string>()]
    const processes = read.map((seen, index) => {
      const onChange = () => {
        listSourcePages(join(directory, 'knowledge', 'sources'), () => undefined).then(
          (pages) => seen.add(pages.map(({ mtimeMs }) => mtimeMs).join()),
          () => undefined,
        )
      }
      const shared = {
        knowledgeDirectory: directory,
        dataDirectory: directory,
        browserUrl: null,
        database: opened.database,
        now: Date.now,
        log,
      }
      return new WebsiteSources({ ...shared, instance: `process ${index}`, onChange })
    })
    for (const one of processes) one.start()
    try {
      await eventually(() => expect(read.map(({ size }) => size)).toEqual([1, 1]), PATIENCE_MS)
      await holdBack()
      await decide({ '/services/1': 'accept' })
      await eventually(() => expect(read.map(({ size }) => size)).toEqual([2, 2]), PATIENCE_MS)
    } finally {
      for (const one of processes) await one.close()
      rmSync(directory, { recursive: true })
    }
  })
})
