import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CACHE_DIRECTORY, isFetched } from '../eval/collections/collection.ts'
import { fetchCollection } from '../eval/collections/fetch.ts'
import { storedReport, summaryOf } from '../src/server/knowledge/websites/run-report.ts'
import { runSourceCommand } from '../src/server/knowledge/websites/source-commands.ts'
import { openReader } from '../src/server/store/engine/open-database.ts'
import { listMissingPages, readPages, readSource } from '../src/server/store/knowledge/sources.ts'
import { sitePage, type SitePage, startWebsite, type Website } from '../test/support/website.ts'
import { count, type Figure, type Measurement, megabytes, recorded, seconds, withinBound } from './support/measurement.ts'
import { peakMegabytes, withProcesses } from './support/processes.ts'

/** Documentation of Debian 12, by authors who don't know this project. */
const PACKAGES = [
  { package: 'python-django-doc', folder: 'usr/share/doc/python-django-doc/html' },
  { package: 'python3.11-doc', folder: 'usr/share/doc/python3.11/html' },
  { package: 'postgresql-doc-15', folder: 'usr/share/doc/postgresql-doc-15/html' },
]
/** `BENCH_PAGES=400` makes a smaller website. */
const PAGES = Number(process.env['BENCH_PAGES'] ?? 2_000)
/** One page in this many has each condition. */
const SHARE = 80
const NEW = 40
const LIMIT_S = 300
const LIMIT_MB = 400
const SIGN_IN = '<form action="/in"><label>Name <input></label><input type="password"><button>Sign in</button></form>'
const NOT_THERE = 'The site does not have it.'

/** Empty pages, equal indexes by letter, and a table of contents of 1 MB. */
const OWN_REASON = /^It (?:has no text|has the same text as|is too large)/

/** Changes the page at `path`. With a `reason` it may not answer, otherwise it has to. */
type Condition = (page: { path: string; html: string; site: Website; target: string }) => { page: SitePage; reason?: string }

const CONDITIONS: readonly Condition[] = [
  ({ site, target }) => ({ page: { status: 301, headers: { location: target } }, reason: `It is ${site.url}${target}.` }),
  // Canonical addresses of other pages don't count.
  ({ html, site, target }) => ({ page: html.replace('</head>', `<link rel="canonical" href="${site.url}${target}"></head>`) }),
  ({ html, path, site }) => ({ page: html.replace('</head>', `<link rel="canonical" href="${site.url}${path}"></head>`) }),
  ({ html }) => ({ page: html.replace(/<body[^>]*>/, `$&<header>${SIGN_IN}</header>`) }),
  ({ path }) => ({ page: `<title>Line</title><main><h1>Line ${path.length}${path}</h1><p>Every 10 min, 503 seats, ${path}.</p></main>` }),
  ({ html }) => ({ page: html.replace(/<title>/, '<title>Maintenance, error 404: sign in to ') }),
  () => ({ page: `<main><h1>Welcome</h1><p>Please sign in.</p>${SIGN_IN}</main>`, reason: 'It is a page to sign in.' }),
  ({ html }) => ({ page: { body: html, headers: { 'x-robots-tag': 'noindex' } }, reason: 'It asks not to be indexed or quoted.' }),
  () => ({ page: { status: 404, body: '<h1>Not here</h1>' }, reason: NOT_THERE }),
  () => ({ page: { status: 410 }, reason: NOT_THERE }),
  () => ({ page: { status: 503, body: 'Later.' }, reason: 'The site is busy.' }),
]

/** A website of 2,000 pages of documentation with what websites do to pages, read twice by the server: every page is in or has its reason. */
export const wholeSite: Figure = {
  name: 'whole-site',
  measure: async () => {
    for (const one of PACKAGES) if (!isFetched(one)) await fetchCollection(one)
    const site = await startWebsite()
    try {
      return await withProcesses(async (processes) => {
        const { paths, expected } = fill(site)
        const [knowledge, data] = [processes.folder(), processes.folder()]
        mkdirSync(knowledge, { recursive: true })
        const source = `{ id: site, website: '${site.url}/sitemap.xml', network: private, delay: 0 }`
        writeFileSync(join(knowledge, 'sources.yaml'), `sources:\n  - ${source}\n`)
        const startedAt = Date.now()
        const server = await processes.parley({ settings: { KNOWLEDGE_DIR: knowledge }, dataDirectory: data })
        const first = await result(data, 0)
        const rows = [...check('the first run', { ...first, site, paths, expected }, first.endedAt - startedAt)]

        // The first page after those with a condition is where redirects lead.
        const ordinary = paths.filter((path, index) => index % SHARE > CONDITIONS.length && hasMark(site, path))
        const gone = ordinary.filter((_, index) => index % 50 === 5)
        const changed = ordinary.filter((_, index) => index % 50 === 6)
        for (const [index, path] of gone.entries()) {
          expected.set(path, NOT_THERE)
          site.pages.set(path, { status: index % 2 === 0 ? 404 : 410 })
        }
        for (const path of changed) site.pages.set(path, (site.pages.get(path) as string).replaceAll('</p>', ' This sentence is new.</p>'))
        const added = Array.from({ length: NEW }, (_, index) => `/new/${index}.html`)
        for (const path of added) site.pages.set(path, sitePage(`subject ${path}`))
        site.list([...paths, ...added])
        const quoted = await answersWith(server.url, marker(gone[0] ?? ''), true)
        site.requests.length = 0
        const output: string[] = []
        const again = Date.now()
        await runSourceCommand('sync', ['site'], {
          settings: { database: { kind: 'sqlite', directory: data }, knowledgeDirectory: knowledge, browserUrl: null },
          write: (text) => output.push(text),
          signal: new AbortController().signal,
          now: Date.now,
        })
        const second = await result(data, again)
        rows.push(
          ...check('the second run', { ...second, site, paths: [...paths, ...added], expected }, second.endedAt - again),
          withinBound('changed pages counted otherwise than expected', Math.abs(second.report.counts.changed - changed.length), 0, count),
          withinBound(
            'pages it printed no reason for',
            [...second.missing.keys()].filter((path) => !output.join('').includes(`${site.url}${path}  `)).length,
            0,
            count,
          ),
          withinBound('a gone page’s text that did not answer before it went', quoted ? 0 : 1, 0, count),
          withinBound(
            'the same that still answers after the run',
            (await answersWith(server.url, marker(gone[0] ?? ''), false)) ? 1 : 0,
            0,
            count,
          ),
          withinBound('resident memory of the server, at most', peakMegabytes(server.pid), LIMIT_MB, megabytes),
        )
        return rows
      })
    } finally {
      await site.close()
    }
  },
}

/** The pages and, for each path that may not answer, the reason. */
function fill(site: Website): { paths: string[]; expected: Map<string, string> } {
  const files = PACKAGES.flatMap(({ package: name }) => globSync(`${name}/pages/**/*.html`, { cwd: CACHE_DIRECTORY }).toSorted()).slice(
    0,
    PAGES,
  )
  const paths = files.map((file) => `/${file.replaceAll('/pages/', '/')}`)
  const expected = new Map<string, string>()
  for (const [index, path] of paths.entries()) {
    // Its own canonical address is that of another website.
    const html = readFileSync(join(CACHE_DIRECTORY, files[index] ?? ''), 'utf8').replace(/<link rel="canonical"[^>]*>/, '')
    const marked = withMark(html, path)
    const target = paths[index - (index % SHARE) + CONDITIONS.length] ?? '/'
    const { page, reason } = CONDITIONS[index % SHARE]?.({ path, html: marked, site, target }) ?? { page: marked }
    site.pages.set(path, page)
    if (reason !== undefined) expected.set(path, reason)
  }
  site.list(paths)
  return { paths, expected }
}

/** The page with a paragraph below its heading: the last of the first level, since a site's name is often one too, or the first other. */
function withMark(html: string, path: string): string {
  const title = html.lastIndexOf('</h1>')
  const at = title < 0 ? html.search(/<\/h[23]>/) : title
  return at < 0
    ? html
    : `${html.slice(0, at + 5)}<p>The mark of this page is ${marker(path)}, and no other page has it.</p>${html.slice(at + 5)}`
}

function hasMark(site: Website, path: string): boolean {
  const page = site.pages.get(path)
  return typeof page === 'string' && page.includes(marker(path))
}

/** A word that only this page has. */
function marker(path: string): string {
  return `q${[...path].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7).toString(36)}x`
}

interface Result {
  report: NonNullable<ReturnType<typeof storedReport>>
  endedAt: number
  answering: Set<string>
  missing: Map<string, string>
}

/** Waits for a run that ends after `since`, and reads which pages answer. */
async function result(directory: string, since: number): Promise<Result> {
  for (;;) {
    const database = await openReader({ kind: 'sqlite', directory })
    try {
      const row = await readSource(database, 'site')
      const report = storedReport(row?.report ?? null)
      if (row && report && (row.ended_at ?? 0) > since) {
        if (report.outcome !== 'done') throw new Error(summaryOf(report))
        const answering = new Set<string>()
        for await (const part of readPages(database, 'site', row.active ?? 0))
          for (const { address, text_hash: hash } of part) if (hash !== null) answering.add(new URL(address).pathname)
        const missing = (await listMissingPages(database, 'site', PAGES * 2)).map(
          ({ address, reason }) => [new URL(address).pathname, reason ?? ''] as const,
        )
        return { report, endedAt: row.ended_at ?? 0, answering, missing: new Map(missing) }
      }
    } finally {
      await database.destroy()
    }
    await pause(500)
  }
}

interface Checked extends Result {
  site: Website
  paths: readonly string[]
  expected: ReadonlyMap<string, string>
}

function check(run: string, { site, paths, expected, answering, missing }: Checked, durationMs: number): Measurement[] {
  const reasonOf = (path: string) => missing.get(path) || (answering.has(path) ? undefined : 'none')
  const isOfItself = (path: string) => !expected.has(path) && OWN_REASON.test(reasonOf(path) ?? '')
  const wrong = paths.filter((path) => reasonOf(path) !== expected.get(path) && !isOfItself(path))
  for (const path of wrong.slice(0, 20)) process.stdout.write(`${run}: ${path}: ${reasonOf(path) ?? 'answers'}\n`)
  return [
    withinBound(
      `${run} of ${paths.length} pages: neither in nor listed with a reason`,
      paths.filter((path) => reasonOf(path) === 'none').length,
      0,
      count,
    ),
    withinBound('in or out against what the page is', wrong.length, 0, count),
    recorded('pages that answer', answering.size, count),
    withinBound('real pages without a text of their own', paths.filter(isOfItself).length, PAGES / 100, count),
    withinBound(
      'requests besides one a page, robots.txt and the sitemap',
      Math.max(0, site.requests.length - paths.length - 2),
      expected.size,
      count,
    ),
    withinBound('its duration', durationMs / 1000, LIMIT_S, seconds),
  ]
}

/** Whether an answer quotes the mark's page, waited for while `isExpected` isn't yet so. */
async function answersWith(url: string, mark: string, isExpected: boolean): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(`${url}/api/v1/agent/chat/me`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: `Which page has the mark ${mark}?` }),
    })
    const isThere = (await response.text()).includes(`The mark of this page is ${mark}`)
    if (isThere === isExpected || tries === 60) return isThere
    await pause(500)
  }
}
