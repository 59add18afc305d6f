import type { ServerResponse } from 'node:http'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { sitePage, type SitePage, startWebsite, type Website } from '../../../../test/support/website.ts'
import {
  addSource as createRow,
  listMissingPages,
  readPages,
  readSource,
  updateSource,
  leaseSource,
} from '../../store/knowledge/sources.ts'
import { addSource } from './add-source.ts'
import { FORBIDDEN_ADDRESS } from './polite-fetcher.ts'
import { PrivateWebsiteError } from './source-lease.ts'
import { type RunReport, storedReport, summaryOf } from './run-report.ts'
import { runSourceCommand, type SourceCommand } from './source-commands.ts'
import { readSourceDefinitions, type SourceDefinition } from './source-definition.ts'
import { type SyncOptions, syncSource } from './sync-source.ts'
import { WebsiteSources } from './website-sources.ts'

const ORDINARY = Array.from({ length: 30 }, (_, index) => `/services/${index}`)
const SIGN_IN = '<form><label>Name <input></label><input type="password"><button>Sign in</button></form>'
const withHead = (page: string, header: string) => page.replace('<body>', `<body><header>${header}</header>`)

let opened: OpenedDatabase
let site: Website
let made = 0
let id = ''
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())
beforeEach(async () => {
  site = await startWebsite()
  made += 1
  id = `whole-${made}`
  return () => site.close()
})

const signal = new AbortController().signal
const definitionOf = (keys: string, websites = `${site.url}/sitemap.xml`): SourceDefinition => {
  const text = `sources:\n  - id: ${id}\n    network: private\n    delay: 0\n    website: ${websites}\n${keys}`
  const { sources, mistakes } = readSourceDefinitions(text)
  expect(mistakes).toEqual([])
  return sources[0] as SourceDefinition
}
async function sync(definition = definitionOf(''), options: Pick<SyncOptions, 'requestMs'> = {}): Promise<RunReport> {
  const report = await syncSource({
    database: opened.database,
    definition,
    holder: 'test',
    browserUrl: null,
    now: Date.now,
    signal,
    ...options,
  })
  if (!report) throw new Error('Another process has the source.')
  return report
}
async function answering(): Promise<string[]> {
  const { active = null } = (await readSource(opened.database, id)) ?? {}
  const pages: string[] = []
  for await (const part of readPages(opened.database, id, active ?? 0))
    for (const { address, text_hash: hash } of part) if (hash !== null) pages.push(address.replace(site.url, ''))
  return pages
}
const missing = async () =>
  Object.fromEntries(
    (await listMissingPages(opened.database, id, 1_000)).map(({ address, reason }) => [address.replace(site.url, ''), reason]),
  )
async function commandOutput(command: SourceCommand): Promise<string> {
  const output: string[] = []
  const settings = { database: opened.settings, knowledgeDirectory: '/nowhere', browserUrl: null }
  await runSourceCommand(command, [id], { settings, write: (text) => output.push(text), signal, now: Date.now })
  return output.join('')
}

test('is in page by page, and each page that is not has its reason in every list', async () => {
  const pages = {
    '/line-512': '<title>Line 512</title><main><h1>Line 512</h1><p>Every 10 min.</p></main>',
    '/bus-404': '<title>404 bus</title><h1>404 bus</h1><p>Departs 12:05.</p><script src="/count.js"></script>',
    '/maintenance': '<title>Road maintenance</title><h1>Road maintenance</h1><p>Error reports: 115.</p>',
    '/signed': withHead(sitePage('boats'), SIGN_IN),
    '/item': sitePage('items', [], `<link rel="canonical" href="${site.url}/item">`),
    '/home': sitePage('homes', [], `<link rel="canonical" href="${site.url}/">`),
    '/folder': sitePage('folders', [], `<link rel="canonical" href="${site.url}/folder/">`),
  }
  const others = {
    '/old': [{ status: 301, headers: { location: '/services/1' } }, `It is ${site.url}/services/1.`],
    '/away': [
      { status: 302, headers: { location: 'https://example.org/x' } },
      'It leads to https://example.org/x, which is no page of the source.',
    ],
    '/gone': [{ status: 410 }, 'The site does not have it.'],
    '/missing': [{ status: 404 }, 'The site does not have it.'],
    '/broken': [{ status: 500 }, 'The site replied with status 500.'],
    '/staff': [{ status: 401 }, 'It asks to sign in (status 401).'],
    '/login': [`<main><h1>Welcome</h1><p>Please sign in.</p>${SIGN_IN}</main>`, 'It is a page to sign in.'],
    '/hidden': [{ body: sitePage('hidden'), headers: { 'x-robots-tag': 'noindex' } }, 'It asks not to be indexed or quoted.'],
    '/private/x': [sitePage('private'), 'robots.txt does not allow it.'],
    '/copy': [sitePage('subject /services/2'), `It has the same text as ${site.url}/services/2.`],
    '/item?from=home': [pages['/item'], `It is ${site.url}/item.`],
    '/app': ['<div id="app"></div><script src="/app.js"></script>', 'It needs a browser: its scripts make its text (BROWSER_URL).'],
    '/empty': ['', 'It has no text.'],
    '/data.bin': [{ type: 'application/x-thing', body: 'thing' }, 'It is of no type that can be read.'],
  } as const
  for (const path of ORDINARY) site.pages.set(path, sitePage(`subject ${path}`))
  for (const [path, page] of Object.entries(pages)) site.pages.set(path, page)
  for (const [path, [page]] of Object.entries(others)) site.pages.set(path, page)
  // The address that the page names leads back to it.
  site.pages.set('/folder/', { status: 301, headers: { location: '/folder' } })
  site.pages.set('/tagged', { body: sitePage('tagged'), headers: { 'x-robots-tag': 'otherbot: noindex' } })
  site.pages.set('/robots.txt', { type: 'text/plain', body: 'User-agent: *\nDisallow: /%70rivate/\n' })
  const listed = [...ORDINARY, ...Object.keys(pages), '/tagged', ...Object.keys(others), '/picture.png']
  site.list(listed)
  const report = await sync()
  const reasons = {
    ...Object.fromEntries(Object.entries(others).map(([path, [, reason]]) => [path, reason])),
    '/picture.png': 'It is of no type that can be read.',
  }
  const own = Object.keys(pages).filter((path) => path !== '/folder')
  expect((await answering()).toSorted()).toEqual([...ORDINARY, ...own, '/folder/', '/tagged'].toSorted())
  expect(await missing()).toEqual({ ...reasons, '/folder': `It is ${site.url}/folder/.` })
  const { counts } = report
  expect(counts.new + counts.failed + counts.skipped).toBe(listed.length + 1)
  expect(summaryOf(report)).toContain('It is another address (3)')
  for (const output of [await commandOutput('status'), await commandOutput('diff')])
    for (const [path, reason] of Object.entries(reasons)) expect(output).toContain(`${site.url}${path}  ${reason}`)
})

test('is followed by the links of pages that have not changed, and loses those that nothing leads to', async () => {
  site.pages.set('/', sitePage('start', ['/a', '/c']))
  site.pages.set('/a', sitePage('first', ['/b', '/form.md']))
  site.pages.set('/b', sitePage('second'))
  site.pages.set('/c', sitePage('third'))
  site.pages.set('/form.md', { type: 'text/markdown', body: '# Form\n\nA form for boats.' })
  const definition = definitionOf('    crawl: true\n', `${site.url}/`)
  await sync(definition)
  expect(await answering()).toEqual(['/', '/a', '/b', '/c', '/form.md'])
  site.pages.set('/b', sitePage('second, changed', ['/d']))
  site.pages.set('/d', sitePage('fourth'))
  expect((await sync(definition)).counts).toMatchObject({ new: 1, changed: 1, unchanged: 4, gone: 0 })
  site.pages.set('/', sitePage('start', ['/a']))
  expect((await sync(definition)).counts).toMatchObject({ gone: 1 })
  expect(await answering()).toEqual(['/', '/a', '/b', '/d', '/form.md'])
})

test('keeps documents that unchanged pages of a sitemap link to', async () => {
  site.pages.set('/a', sitePage('first', ['/form.md']))
  site.pages.set('/form.md', { type: 'text/markdown', body: '# Form\n\nA form for boats.' })
  site.list(['/a'])
  await sync()
  expect((await sync()).counts).toMatchObject({ unchanged: 2, gone: 0 })
  site.pages.delete('/form.md')
  await sync()
  expect(await answering()).toEqual(['/a'])
})

test('has several hosts, each with its robots.txt, and keeps the pages of one that is away', async () => {
  const help = await startWebsite()
  for (const path of ORDINARY) site.pages.set(path, sitePage(`subject ${path}`))
  site.pages.set('/services/0', sitePage('subject', [`${help.url}/linked`]))
  site.list(ORDINARY)
  help.pages.set('/', sitePage('help', ['/private', '/more']))
  for (const path of ['/private', '/more', '/linked']) help.pages.set(path, sitePage(`help ${path}`))
  help.pages.set('/robots.txt', { type: 'text/plain', body: 'User-agent: ParleyBot\nDisallow: /private\n' })
  const definition = definitionOf('    crawl: true\n', `['${site.url}/sitemap.xml', '${help.url}/']`)
  await sync(definition)
  const helpPages = ['/', '/linked', '/more'].map((path) => help.url + path)
  expect((await answering()).toSorted()).toEqual([...ORDINARY, ...helpPages].toSorted())
  expect(await missing()).toEqual({ [`${help.url}/private`]: 'robots.txt does not allow it.' })
  await help.close()
  site.pages.set('/services/3', sitePage('changed'))
  expect(await sync(definition)).toMatchObject({ outcome: 'done', counts: { changed: 1, gone: 0 } })
  expect((await answering()).toSorted()).toEqual([...ORDINARY, ...helpPages].toSorted())
})

test('says where its start page leads', async () => {
  site.pages.set('/', { status: 301, headers: { location: 'https://www.example.org/' } })
  expect(await sync(definitionOf('    crawl: true\n', `${site.url}/`))).toMatchObject({
    outcome: 'failed',
    reason: 'No page of the source could be read. It leads to https://www.example.org/, which is no page of the source.',
  })
})

test('is followed where a page leads its visitors at once, which is no text of its own', async () => {
  const refresh = (content: string) => `<meta http-equiv="Refresh" content="${content}">`
  site.pages.set('/', `<html><head>${refresh(' 0; URL=docs/')}</head><body></body></html>`)
  const own = {
    '/docs/': sitePage('start', ['/old', '/away', '/board', '/account', '/scripts']),
    '/board': sitePage('departures', [], refresh('30')),
    '/account': sitePage('accounts', [], refresh('1800; url=/signed-out')),
    '/scripts': sitePage('scripts', [], `<noscript>${refresh('0; url=/no-scripts')}</noscript>`),
    '/new': sitePage('new'),
  }
  for (const [path, page] of Object.entries(own)) site.pages.set(path, page)
  site.pages.set('/old', `${refresh("3;url='/new'")}<main><h1>Moved</h1><p>This page has moved to another address.</p></main>`)
  site.pages.set('/away', `${refresh('0,https://example.org/x')}<main><p>This page has moved.</p></main>`)
  await sync(definitionOf('    crawl: true\n', `${site.url}/`))
  expect((await answering()).toSorted()).toEqual(Object.keys(own).toSorted())
  expect(await missing()).toEqual({
    '/': `It leads to ${site.url}/docs/.`,
    '/old': `It leads to ${site.url}/new.`,
    '/away': 'It leads to https://example.org/x, which is no page of the source.',
  })
})

test('says that it has more sitemaps than are read, and keeps the pages that they may list', async () => {
  const map = (body: string): SitePage => ({ type: 'application/xml', body })
  const setMaps = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `<sitemap><loc>/${index}.xml</loc></sitemap>`)
    site.pages.set('/sitemap.xml', map(`<sitemapindex>${names.join('')}</sitemapindex>`))
    for (let index = 0; index < count; index += 1) site.pages.set(`/${index}.xml`, map('<urlset/>'))
    site.pages.set('/0.xml', map('<urlset><url><loc>/first</loc></url></urlset>'))
    site.pages.set(`/${count - 1}.xml`, map('<urlset><url><loc>/last</loc></url></urlset>'))
  }
  for (const path of ['/first', '/last']) site.pages.set(path, sitePage(`subject ${path}`))
  setMaps(99)
  expect((await sync()).notes).toEqual([])
  setMaps(120)
  const { notes, counts } = await sync()
  expect(notes).toEqual([{ address: `${site.url}/sitemap.xml`, state: 'failed', reason: 'Of its 121 sitemaps, 100 were read.' }])
  expect(counts).toMatchObject({ unchanged: 2, gone: 0 })
  expect(await answering()).toEqual(['/first', '/last'])
})

test('lists what is beyond its limits', async () => {
  for (const path of ORDINARY) site.pages.set(path, sitePage(`subject ${path}`))
  site.list(ORDINARY)
  expect((await sync(definitionOf('    limits: { pages: 20 }\n'))).counts).toMatchObject({ new: 20, leftOut: 10 })
  expect(Object.values(await missing())).toEqual(Array.from({ length: 10 }, () => 'It is beyond the limits of the source.'))
})

test('takes no more addresses than it can hold, however long and many its sitemaps make them', async () => {
  const long = 'a'.repeat(1_390)
  const entries = Array.from({ length: 50_000 }, (_, index) => `<url><loc>${index.toString(36)}</loc></url>`).join('')
  const maps = Array.from({ length: 99 }, (_, index) => `<sitemap><loc>/${long}/${index}.xml</loc></sitemap>`).join('')
  site.pages.set('/sitemap.xml', { type: 'application/xml', body: `<sitemapindex>${maps}</sitemapindex>` })
  const any = site.pages.get.bind(site.pages)
  site.pages.get = (path) =>
    any(path) ?? (path.endsWith('.xml') ? { type: 'application/xml', body: `<urlset>${entries}</urlset>` } : undefined)
  site.pages.set(`/${long}/0`, sitePage('the only page'))
  const report = await sync(definitionOf('    limits: { pages: 5 }\n'))
  expect(report).toMatchObject({ outcome: 'done', pages: 1 })
  expect(report.counts.leftOut).toBeGreaterThan(40_000)
  expect(site.requests.filter((line) => line.endsWith('.xml')).length).toBeLessThan(6)
  const names = await missing()
  expect(Object.keys(names).join('').length).toBeLessThan(2_000_000)
})

test('is bounded where every other page never ends', async () => {
  const drip = (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const drops = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(drops))
  }
  const paths = Array.from({ length: 80 }, (_, index) => `/drip/${index}`)
  for (const [index, path] of paths.entries()) site.pages.set(path, index % 2 === 0 ? drip : sitePage(`subject ${path}`))
  site.list(paths)
  // A page that is there replies at once, also on a busy machine.
  const report = await sync(definitionOf(''), { requestMs: 2_000 })
  expect(report).toMatchObject({ outcome: 'failed', reason: 'Its pages take too much time or memory to read.' })
  expect(Object.values(await missing()).filter((reason) => reason === 'The site did not reply in time.').length).toBeGreaterThan(15)
})

test('is bounded where redirects, links and packed pages never end', async () => {
  const chain = (path: string): SitePage => ({ status: 302, headers: { location: `${path}x` } })
  const links = Array.from({ length: 60_000 }, (_, index) => `<a href="/l${index.toString(36)}">a</a>`).join('')
  site.pages.set('/', sitePage('start', ['/hop', '/bomb', '/links']))
  site.pages.set('/bomb', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(200_000_000, 'x')) })
  site.pages.set('/links', `<main><p>Many links.</p>${links}</main>`)
  const any = site.pages.get.bind(site.pages)
  site.pages.get = (path) => any(path) ?? (path.startsWith('/hop') ? chain(path) : undefined)
  const report = await sync(definitionOf('    crawl: true\n    limits: { pages: 30 }\n', `${site.url}/`))
  expect(report.outcome).toBe('done')
  expect(site.requests.length).toBeLessThan(50)
  expect(await missing()).toMatchObject({ '/hop': 'It redirects too often.', '/bomb': 'It is too large.' })
  expect(report.counts.leftOut).toBeGreaterThan(50_000)
})

test('that ended its process is read again only when staff ask', async () => {
  site.pages.set('/a', sitePage('first'))
  site.list(['/a'])
  const directory = mkdtempSync(join(tmpdir(), 'parley-crashed-'))
  writeFileSync(
    join(directory, 'sources.yaml'),
    `sources:\n  - { id: ${id}, network: private, delay: 0, website: '${site.url}/sitemap.xml' }\n`,
  )
  const now = Date.now()
  await createRow(opened.database, id)
  await leaseSource(opened.database, id, { holder: 'process', now, durationMs: 60_000 })
  await updateSource(opened.database, id, { started_at: now })
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const options = {
    knowledgeDirectory: directory,
    dataDirectory: directory,
    browserUrl: null,
    database: opened.database,
    now: Date.now,
    log,
  }
  const started = new WebsiteSources({ ...options, instance: 'process', onChange: () => undefined })
  started.start()
  try {
    await eventually(() => expect(started.problems.join()).toContain(`is not started again by itself: parley knowledge sync ${id}`))
    expect(storedReport((await readSource(opened.database, id))?.report ?? null)?.outcome).toBe('crashed')
    expect(site.requests).toEqual([])
    expect(started.request(id)).toBe(true)
    await eventually(async () => expect(await answering()).toEqual(['/a']))
    await eventually(() => expect(started.problems).toEqual([]))
  } finally {
    await started.close()
    rmSync(directory, { recursive: true })
  }
})

test('is added by its address: redirects are followed, its sitemap is found, and the file keeps its comments', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-added-'))
  const path = join(directory, 'sources.yaml')
  const output: string[] = []
  const add = (...addresses: string[]) =>
    addSource({ addresses, network: 'private' }, { knowledgeDirectory: directory, write: (line) => output.push(line), signal })
  const old = await startWebsite()
  old.pages.set('/', { status: 301, headers: { location: `${site.url}/` } })
  site.pages.set('/', sitePage('start'))
  site.pages.set('/en/', sitePage('english'))
  site.pages.set('/robots.txt', { type: 'text/plain', body: `User-agent: *\nDisallow: /no\nSitemap: ${site.url}/list.xml\n` })
  site.list(['/'])
  site.pages.set('/map.xml', site.pages.get('/sitemap.xml') ?? '')
  site.pages.set('/list.xml', { status: 301, headers: { location: '/map.xml' } })
  expect(await add(`${old.url}/`)).toBe('127-0-0-1')
  expect(output.join('')).toContain(`${old.url}/ leads to ${site.url}/.`)
  writeFileSync(path, `# ours\n${readFileSync(path, 'utf8')}`)
  expect(await add(`${site.url}/en/`)).toBe('127-0-0-1-2')
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(/^# ours\nsources:\n/)
  expect(readSourceDefinitions(text)).toMatchObject({
    mistakes: [],
    sources: [
      { id: '127-0-0-1', website: [`${site.url}/map.xml`], crawl: false, network: 'private' },
      { id: '127-0-0-1-2', website: [`${site.url}/en/`], crawl: true, include: ['/en/**'] },
    ],
  })
  const refused = async (...addresses: string[]) => add(...addresses).then(String, (error: Error) => error.message)
  expect(await refused(site.url)).toContain('has this website already')
  site.pages.set('/no', sitePage('no'))
  expect(await refused(`${site.url}/no`)).toContain('robots.txt does not allow ParleyBot to read it. Nothing was added.')
  expect(await refused(`${site.url}/none`)).toContain('The site does not have it. Nothing was added.')
  await old.close()
  expect(await refused(old.url)).toContain('The site cannot be reached. Nothing was added.')
  expect(await refused('mailto:me@example.org')).toContain('is no web address')
  await expect(
    addSource({ addresses: [site.url], network: 'public' }, { knowledgeDirectory: directory, write: () => undefined, signal }),
  ).rejects.toThrow(new PrivateWebsiteError(`${site.url}/: ${FORBIDDEN_ADDRESS}`))
  expect(readFileSync(path, 'utf8')).toBe(text)
  rmSync(directory, { recursive: true })
})
