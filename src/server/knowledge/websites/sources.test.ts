import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { sitePage, startWebsite, type Website } from '../../../../test/support/website.ts'
import { listMissingPages, listSnapshots, readPages, readSource, readTexts } from '../../store/knowledge/sources.ts'
import { listSourcePages } from '../files/list-source-pages.ts'
import { mirrorSource } from './mirror.ts'
import type { RunReport } from './run-report.ts'
import { runSourceCommand } from './source-commands.ts'
import { readSourceDefinitions, type SourceDefinition } from './source-definition.ts'
import { type SyncOptions, syncSource } from './sync-source.ts'

const PATHS = Array.from({ length: 10 }, (_, index) => `/services/${index}`)
const LOGIN = '<html><body><form>Please sign in<input type="password"></form></body></html>'

/** Sends a body until the client leaves. */
function sendEndlessly(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 'x')
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': '10000000000' })
  const send = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', send)
  send()
}

describe.each(DATABASES)('a website as a source, on %s', (kind) => {
  let opened: OpenedDatabase
  let site: Website
  let made = 0
  let id = ''
  let holders = 0
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
    return () => site.close()
  })

  /** Rules that have nothing of the database. */
  const ofTheSite = { skip: kind === 'postgres' }

  const definitionOf = (keys: string): SourceDefinition => {
    const { sources, mistakes } = readSourceDefinitions(`sources:\n  - id: ${id}\n    network: private\n    delay: 0\n${keys}`)
    expect(mistakes).toEqual([])
    return sources[0] as SourceDefinition
  }
  const bySitemap = (keys = '') => definitionOf(`    website: ${site.url}/sitemap.xml\n${keys}`)
  const byLinks = (keys = '') => definitionOf(`    website: ${site.url}/\n    crawl: true\n${keys}`)

  async function sync(
    definition: SourceDefinition,
    options: Partial<Pick<SyncOptions, 'signal' | 'onProgress' | 'wait'>> = {},
  ): Promise<RunReport> {
    holders += 1
    const signal = options.signal ?? new AbortController().signal
    const report = await syncSource({
      database: opened.database,
      definition,
      holder: `test ${holders}`,
      browserUrl: null,
      now: Date.now,
      ...options,
      signal,
    })
    if (!report) throw new Error('Another process has the source.')
    return report
  }

  async function answering(): Promise<Map<string, string>> {
    const { active = null } = (await readSource(opened.database, id)) ?? {}
    const pages = new Map<string, string>()
    if (active !== null)
      for await (const part of readPages(opened.database, id, active))
        for (const { address, text_hash: hash } of part) if (hash !== null) pages.set(address.slice(site.url.length), hash)
    return pages
  }

  const requestsSince = (start: number) => site.requests.slice(start).filter((line) => !/robots|sitemap/.test(line))
  /** Why pages aren't in, or only with an earlier text. */
  const reasons = async () =>
    (await listMissingPages(opened.database, id, 1_000)).map(
      ({ address, state, reason }) => `${state} ${address.slice(site.url.length)} ${reason}`,
    )

  test('is read by its sitemap, once each page, and then by one conditional request a page', async () => {
    const first = await sync(bySitemap())
    expect(first.counts).toMatchObject({ new: 10, failed: 0 })
    expect(requestsSince(0).toSorted()).toEqual(PATHS.map((path) => `200 ${path}`))
    const start = site.requests.length
    const second = await sync(bySitemap())
    expect(second.counts).toMatchObject({ new: 0, changed: 0, unchanged: 10 })
    expect(requestsSince(start).toSorted()).toEqual(PATHS.map((path) => `304 ${path}`))
    expect((await listSnapshots(opened.database, id)).length).toBe(1)
  })

  test('has its changed pages read anew, and loses those that are gone in the same run', async () => {
    await sync(bySitemap())
    const before = await answering()
    site.pages.set('/services/3', sitePage('another subject of the third service'))
    site.pages.delete('/services/4')
    const report = await sync(bySitemap())
    expect(report.counts).toMatchObject({ changed: 1, gone: 1, unchanged: 8 })
    const after = await answering()
    expect([...after.keys()]).toEqual(PATHS.filter((path) => path !== '/services/4'))
    expect(PATHS.filter((path) => after.get(path) !== before.get(path))).toEqual(['/services/3', '/services/4'])
  })

  test('loses a page that the sitemap no longer lists, without a request', async () => {
    await sync(bySitemap())
    site.list(PATHS.slice(1))
    const start = site.requests.length
    await sync(bySitemap())
    expect((await answering()).has('/services/0')).toBe(false)
    expect(requestsSince(start)).not.toContainEqual(expect.stringContaining('/services/0'))
  })

  test('is read by indexes of sitemaps, also compressed ones', ofTheSite, async () => {
    site.pages.set('/index.xml', {
      type: 'application/xml',
      body: `<sitemapindex><sitemap><loc>${site.url}/part.xml.gz</loc></sitemap></sitemapindex>`,
    })
    site.pages.set('/part.xml.gz', {
      type: 'application/gzip',
      body: gzipSync(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url}/services/1</loc></url></urlset>`),
    })
    await sync(definitionOf(`    website: ${site.url}/index.xml\n`))
    expect([...(await answering()).keys()]).toEqual(['/services/1'])
  })

  test('is followed by its links, within patterns, depth and what robots.txt allows', ofTheSite, async () => {
    site.pages.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/\n' })
    site.pages.set(
      '/',
      sitePage('start', ['/a', '/news/1', '/private/x', 'https://example.org/', '/a#part', '/a?utm_source=x', '/b.pdf?no']),
    )
    site.pages.set('/a', sitePage('first', ['/a/b']))
    site.pages.set('/a/b', sitePage('second', ['/a/b/c']))
    site.pages.set('/a/b/c', sitePage('third'))
    site.pages.set('/news/1', sitePage('news'))
    site.pages.set('/private/x', sitePage('private'))
    await sync(byLinks(`    exclude: ['/news/**']\n    limits: { depth: 2 }\n`))
    expect([...(await answering()).keys()]).toEqual(['/', '/a', '/a/b'])
    expect(requestsSince(0)).not.toContain('200 /private/x')
    expect(site.requests.filter((line) => line.endsWith(' /a'))).toHaveLength(1)
  })

  test('keeps out what asks not to be indexed or quoted', ofTheSite, async () => {
    site.pages.set('/services/1', sitePage('one', [], '<meta name="robots" content="noindex">'))
    site.pages.set('/services/2', sitePage('two', [], '<meta name="robots" content="NoSnippet">'))
    site.pages.set('/services/3', { body: sitePage('three'), headers: { 'x-robots-tag': 'noindex, nofollow' } })
    site.pages.set('/services/4', sitePage('four').replace('<p>', '<p data-nosnippet>'))
    const report = await sync(bySitemap())
    expect(report.counts).toMatchObject({ new: 7, skipped: 3 })
  })

  test('is known by one address each page', ofTheSite, async () => {
    site.pages.set('/', sitePage('start', ['/old', '/item?session=1', '/item', '/all']))
    site.pages.set('/old', { status: 301, headers: { location: '/new' } })
    site.pages.set('/new', sitePage('moved'))
    const item = sitePage('item', [], `<link rel="canonical" href="${site.url}/item">`)
    site.pages.set('/item?session=1', item)
    site.pages.set('/item', item)
    site.pages.set('/all', sitePage('everything', [], `<link rel="canonical" href="${site.url}/">`))
    await sync(byLinks())
    expect([...(await answering()).keys()]).toEqual(['/', '/all', '/item', '/new'])
  })

  test.each<[string, (path: string) => void, string]>([
    ['a page to sign in', (path) => void site.pages.set(path, LOGIN), 'It is a page to sign in.'],
    [
      'a redirect to one',
      (path) =>
        void (site.pages.set(path, { status: 302, headers: { location: '/services/login' } }), site.pages.set('/services/login', LOGIN)),
      'It is a page to sign in.',
    ],
    ['an empty body', (path) => void site.pages.set(path, ''), 'It has no text.'],
    [
      'an error page',
      (path) => void site.pages.set(path, '<meta name="prerender-status-code" content="404"><p>Sorry.</p>'),
      'It is an error page.',
    ],
    ['the text of another page', (path) => void site.pages.set(path, sitePage('subject /services/1')), 'It has the same text as'],
    [
      'half of its text',
      (path) => void site.pages.set(path, '<title>subject</title><main><p>Closed for today.</p></main>'),
      'It has lost more than half of its text.',
    ],
    ['a server error', (path) => void site.pages.set(path, { status: 500 }), 'The site replied with status 500.'],
    ['too many bytes', (path) => void site.pages.set(path, 'x'.repeat(3_000_000)), 'It is too large.'],
    ['ten gigabytes', (path) => void site.pages.set(path, (_, response) => sendEndlessly(response)), 'It is too large.'],
    ['nested without end', (path) => void site.pages.set(path, '<div>'.repeat(20_000)), 'It is nested too deeply.'],
    [
      'an unknown type',
      (path) => void site.pages.set(path, { type: 'application/x-thing', body: 'thing' }),
      'It is of no type that can be read.',
    ],
    ['a loop', (path) => void site.pages.set(path, { status: 302, headers: { location: path } }), 'It redirects too often.'],
    [
      'a broken stream',
      (path) =>
        void site.pages.set(
          path,
          (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('half', () => response.destroy()),
        ),
      'The site cannot be reached.',
    ],
  ])('answers as before while a page is %s', ofTheSite, async (_, breakPage, reason) => {
    await sync(bySitemap())
    const before = await answering()
    breakPage('/services/7')
    await sync(bySitemap())
    expect((await reasons()).join('\n')).toContain(`/services/7 ${reason}`)
    expect(await answering()).toEqual(before)
  })

  test('is read in the encoding that it has, whatever it states, and fills in nothing of ours', ofTheSite, async () => {
    const body = Buffer.from('<title>Gebühren</title><p>Die Gebühr für Hunde beträgt 5 Euro {{contact}}.</p>', 'latin1')
    site.pages.set('/services/1', { type: 'text/html; charset=utf-8', body })
    site.pages.set('/services/2', { type: 'text/html; charset=no-such-thing', body: Buffer.concat([body, Buffer.from('<p>Two.</p>')]) })
    await sync(bySitemap())
    const pages = await answering()
    for (const path of ['/services/1', '/services/2']) {
      const hash = pages.get(path) as string
      const text = (await readTexts(opened.database, id, [hash])).get(hash)
      expect(text).toContain('Die Gebühr für Hunde beträgt 5 Euro { {contact}}.')
    }
  })

  test('is never led to another host or an address of a cloud', ofTheSite, async () => {
    site.pages.set('/services/1', { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } })
    const report = await sync(bySitemap())
    expect(report.counts).toMatchObject({ new: 9, skipped: 1 })
    const metadata = { ...bySitemap(), website: ['http://169.254.169.254/sitemap.xml'] }
    id += '-cloud'
    expect(await sync({ ...metadata, id })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('Its address is not allowed'),
    })
    const loopback: SourceDefinition = { ...metadata, id, website: [`${site.url}/sitemap.xml`], network: 'public' }
    expect(await sync(loopback)).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('Its address is not allowed') })
  })

  test('is bounded where links never end', ofTheSite, async () => {
    const endless = (path: string) =>
      sitePage(
        `day ${path}`,
        Array.from({ length: 400 }, (_, index) => `/calendar?day=${index}&from=${path.length}`),
      )
    site.pages.set('/', sitePage('start', ['/calendar?day=0', '/loop', ...Array.from({ length: 20_000 }, (_, index) => `/many/${index}`)]))
    site.pages.set('/loop', sitePage('loop', ['loop/loop']))
    const any = site.pages.get.bind(site.pages)
    site.pages.get = (path) => any(path) ?? (/^\/(calendar|many|loop)/.test(path) ? endless(path) : undefined)
    const report = await sync(byLinks('    limits: { pages: 60 }\n'))
    expect(requestsSince(0).length).toBeLessThanOrEqual(60)
    expect(report.counts.leftOut).toBeGreaterThan(18_000)
  })

  test('waits for staff when more than a fifth has changed at once', async () => {
    await sync(bySitemap())
    const before = await answering()
    for (const path of PATHS.slice(0, 3)) site.pages.set(path, sitePage(`all new ${path}`))
    expect(await sync(bySitemap())).toMatchObject({ outcome: 'held', counts: { changed: 3 } })
    expect(await answering()).toEqual(before)
    const output: string[] = []
    const directory = mkdtempSync(join(tmpdir(), 'parley-sources-'))
    writeFileSync(join(directory, 'sources.yaml'), `sources:\n  - id: ${id}\n    website: ${site.url}/sitemap.xml\n`)
    const command = (name: 'diff' | 'accept' | 'rollback' | 'status') =>
      runSourceCommand(name, [id], {
        settings: { database: opened.settings, knowledgeDirectory: directory, browserUrl: null },
        write: (text) => output.push(text),
        signal: new AbortController().signal,
        now: Date.now,
      })
    expect(await command('diff')).toBe(0)
    expect(output.join('')).toContain(`changed  ${site.url}/services/2`)
    expect(await command('accept')).toBe(0)
    const after = await answering()
    expect(PATHS.filter((path) => after.get(path) !== before.get(path))).toEqual(PATHS.slice(0, 3))
    expect(await command('rollback')).toBe(0)
    expect(await answering()).toEqual(before)
    // The next run does not undo it.
    site.pages.set('/services/9', sitePage('changed after the rollback'))
    expect(await sync(bySitemap())).toMatchObject({ outcome: 'held', reason: expect.stringContaining('rolled back') })
    expect(await answering()).toEqual(before)
    expect(await command('accept')).toBe(0)
    expect((await answering()).get('/services/9')).not.toBe(before.get('/services/9'))
    rmSync(directory, { recursive: true })
  })

  test('answers with a page that lost its text once staff accept it', async () => {
    await sync(bySitemap())
    site.pages.set('/services/2', '<title>subject</title><main><p>Closed for ever.</p></main>')
    await sync(bySitemap())
    const before = (await answering()).get('/services/2')
    const context = {
      settings: { database: opened.settings, knowledgeDirectory: '/nowhere', browserUrl: null },
      write: () => undefined,
      signal: new AbortController().signal,
      now: Date.now,
    }
    expect(await runSourceCommand('accept', [id], context)).toBe(0)
    expect((await answering()).get('/services/2')).not.toBe(before)
    expect((await sync(bySitemap())).counts).toMatchObject({ held: 0, unchanged: 10 })
  })

  test('goes on after an interruption, with what was read left alone', async () => {
    const stopping = new AbortController()
    let pages = 0
    const onProgress = () => {
      pages += 1
      if (pages === 4) stopping.abort()
    }
    expect(await sync(bySitemap(), { signal: stopping.signal, onProgress })).toMatchObject({ outcome: 'interrupted' })
    expect(await answering()).toEqual(new Map())
    // What has been read so far answers meanwhile.
    const directory = mkdtempSync(join(tmpdir(), 'parley-mirror-'))
    const mirrored = async (active: number | null) => {
      await mirrorSource(opened.database, { id, active }, directory)
      return (await listSourcePages(directory, () => undefined)).map(({ file }) => file.replace(/^.*services/, ''))
    }
    expect(await mirrored(null)).toEqual(['/0.page', '/1.page', '/2.page', '/3.page'])
    const start = site.requests.length
    expect((await sync(bySitemap())).counts).toMatchObject({ new: 10 })
    expect(requestsSince(start)).toHaveLength(6)
    expect((await answering()).size).toBe(10)
    expect(await mirrored((await readSource(opened.database, id))?.active ?? null)).toHaveLength(10)
    rmSync(directory, { recursive: true })
  })

  test('keeps what it has when the site, its robots.txt or its sitemap are away', ofTheSite, async () => {
    await sync(bySitemap())
    const before = await answering()
    site.pages.set('/robots.txt', { status: 500 })
    expect(await sync(bySitemap())).toMatchObject({
      outcome: 'failed',
      reason: 'robots.txt cannot be read. The site replied with status 500.',
    })
    site.pages.delete('/robots.txt')
    site.pages.set('/sitemap.xml', '<html>Welcome</html>')
    expect(await sync(bySitemap())).toMatchObject({ outcome: 'failed', reason: 'The sitemap cannot be read. It is no sitemap.' })
    const definition = bySitemap()
    await site.close()
    expect(await sync(definition)).toMatchObject({ outcome: 'failed' })
    expect(await answering()).toEqual(before)
    site = await startWebsite()
  })

  test('is asked no faster than its robots.txt and the source say', ofTheSite, async () => {
    const waits: number[] = []
    const wait = async (ms: number) => void waits.push(ms)
    await sync({ ...bySitemap(), delay: 30 }, { wait })
    site.pages.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nCrawl-delay: 45\n' })
    const first = waits.splice(0)
    await sync({ ...bySitemap(), delay: 30 }, { wait })
    // Between robots.txt, the sitemap and ten pages each; the time that a page takes counts.
    expect(first.map((ms) => Math.ceil(ms / 10_000))).toEqual(Array.from({ length: 11 }, () => 3))
    expect(waits.map((ms) => Math.ceil(ms / 10_000))).toEqual(Array.from({ length: 11 }, () => 5))
  })

  test('slows down for a site that is busy, and no longer than it is', ofTheSite, async () => {
    const waits: number[] = []
    const wait = async (ms: number) => void waits.push(ms)
    const paths = Array.from({ length: 200 }, (_, index) => `/p${index}`)
    for (const [index, path] of paths.entries()) site.pages.set(path, index % 20 === 5 ? { status: 503 } : sitePage(`subject ${path}`))
    site.list(paths)
    const report = await sync(bySitemap(), { wait })
    expect(report.reasons).toEqual({ 'The site is busy.': 10 })
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_000)
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(10 * 6_000)
  })

  test('is read by one process at a time', async () => {
    const definition = bySitemap()
    const signal = new AbortController().signal
    let second: RunReport | null | undefined
    site.pages.set('/services/5', (_, response) => {
      const reply = async () => {
        second = await syncSource({ database: opened.database, definition, holder: 'another', browserUrl: null, now: Date.now, signal })
        response.writeHead(200, { 'content-type': 'text/html' }).end(sitePage('five'))
      }
      reply().catch(() => response.destroy())
    })
    await sync(definition)
    expect(second).toBe(null)
    expect(requestsSince(0)).toHaveLength(10)
  })
})
