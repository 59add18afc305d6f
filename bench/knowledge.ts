import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import { z } from 'zod'
import { textOf } from '../src/server/knowledge/ingestion/document.ts'
import { readHtml } from '../src/server/knowledge/ingestion/extract/html.ts'
import { type Figure, type Measurement, milliseconds, withinBound } from './support/measurement.ts'

/** Pages of this repository, and those of a checkout of https://github.com/Murrough-Foley/web-content-extraction-benchmark. */
const OWN_PAGES = join(import.meta.dirname, '../test/web-pages')
const PUBLISHED_PAGES = process.env['BENCH_PAGES']
/** A checkout of https://github.com/scrapinghub/article-extraction-benchmark. */
const ARTICLES = process.env['BENCH_ARTICLES']
const SHINGLE_WORDS = 4
const MAX_MS_PER_100_KB = 30
const CHARACTERS = 100_000

/** A page with snippets that its text has to have, and others that it must not have. */
interface Page {
  html: string
  wanted: string[]
  unwanted: string[]
}

const Metadata = z.object({ files: z.record(z.string(), z.object({ split: z.string(), page_type: z.string() })) })
const Truth = z.object({
  ground_truth: z.object({ with: z.array(z.string()).default([]), without: z.array(z.string()).default([]) }),
})

const EXTRACTORS: Readonly<Record<string, (html: string) => string | Promise<string>>> = {
  Parley: (html) => {
    const { title, sections } = readHtml(html)
    return [nameOf(title), ...sections.flatMap(({ heading, blocks }) => [heading, textOf(blocks)])].join('\n')
  },
  readability: (html) => {
    const article = new Readability(documentOf(html)).parse()
    return `${nameOf(article?.title)} ${spaced(article?.content ?? '')}`
  },
  defuddle: async (html) => {
    const { title, content } = await Defuddle(documentOf(html), 'https://example.org/', { useAsync: false })
    return `${nameOf(title)} ${spaced(content)}`
  },
}

/** How well the text of a page is told from what stands around it, beside two libraries on the same pages. */
export const knowledge: Figure = {
  name: 'knowledge',
  async measure() {
    const sets = new Map([['our pages', ownPages()], ...(PUBLISHED_PAGES === undefined ? [] : publishedPages(PUBLISHED_PAGES))])
    const measurements: Measurement[] = []
    for (const [set, pages] of sets) {
      const rows: string[] = []
      for (const [name, extract] of Object.entries(EXTRACTORS)) {
        rows.push(rowOf(name, await scored(pages, extract)))
      }
      const [ours = '', ...others] = rows
      measurements.push({
        figure: `text of ${pages.length} pages, ${set}: F (precision, recall)`,
        ours,
        limit: others.join(', '),
        holds: null,
      })
    }
    if (ARTICLES !== undefined) measurements.push(await articles(ARTICLES))
    return [...measurements, withinBound('reading 100 kB of HTML, median', msPerPage(), MAX_MS_PER_100_KB, milliseconds)]
  },
}

/** The whole text of articles by shingles of four words, each article with the same weight, as the benchmark's own `evaluate.py` counts it. */
async function articles(folder: string): Promise<Measurement> {
  const truth = z
    .record(z.string(), z.object({ articleBody: z.string() }))
    .parse(JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')))
  const pages = Object.entries(truth).map(([id, { articleBody }]) => ({
    html: gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8'),
    wanted: shingles(articleBody),
  }))
  const [ours = '', ...others] = await Promise.all(
    Object.entries(EXTRACTORS).map(async ([name, extract]) => {
      let [found, missed, unwanted] = [0, 0, 0]
      for (const { html, wanted } of pages) {
        const read = shingles(await (async () => extract(html))().catch(() => ''))
        const common = [...read].reduce((sum, [shingle, count]) => sum + Math.min(count, wanted.get(shingle) ?? 0), 0)
        const all = sizeOf(read) + sizeOf(wanted) - common
        found += common / all
        unwanted += (sizeOf(read) - common) / all
        missed += (sizeOf(wanted) - common) / all
      }
      return rowOf(name, measuresOf(found, missed, unwanted))
    }),
  )
  return { figure: `whole text of ${pages.length} articles, published: F (precision, recall)`, ours, limit: others.join(', '), holds: null }
}

function shingles(text: string): Map<string, number> {
  const all = words(text).split(' ')
  const counts = new Map<string, number>()
  for (let from = 0; from <= Math.max(0, all.length - SHINGLE_WORDS); from += 1) {
    const shingle = all.slice(from, from + SHINGLE_WORDS).join(' ')
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  }
  return counts
}

const sizeOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0)

const rowOf = (name: string, { f, precision, recall }: ReturnType<typeof measuresOf>) =>
  `${name} ${f.toFixed(3)} (${precision.toFixed(3)}, ${recall.toFixed(3)})`

function measuresOf(found: number, missed: number, unwanted: number) {
  const precision = found / (found + unwanted)
  const recall = found / (found + missed)
  return { precision, recall, f: (2 * precision * recall) / (precision + recall) }
}

/** Time for our pages in one of 100 kB, after a warm-up. */
function msPerPage(): number {
  const page = ownPages()
    .map(({ html }) => html)
    .join('\n')
  const html = page.repeat(Math.ceil(CHARACTERS / page.length)).slice(0, CHARACTERS)
  const times = Array.from({ length: 60 }, () => {
    const startedAt = performance.now()
    readHtml(html)
    return performance.now() - startedAt
  })
  return times.slice(30).toSorted((one, other) => one - other)[15] ?? Number.NaN
}

/** A title without the name of its site. */
function nameOf(title: string | null | undefined): string {
  return title?.split(/ [-\u2013|] /)[0] ?? ''
}

async function scored(pages: readonly Page[], extract: (html: string) => string | Promise<string>) {
  let found = 0
  let missed = 0
  let unwantedFound = 0
  for (const { html, wanted, unwanted } of pages) {
    const text = words(await (async () => extract(html))().catch(() => ''))
    // Published snippets may end within a word.
    const has = (snippet: string) => text.includes(words(snippet))
    found += wanted.filter(has).length
    missed += wanted.filter((snippet) => !has(snippet)).length
    unwantedFound += unwanted.filter(has).length
  }
  return measuresOf(found, missed, unwantedFound)
}

/** As a browser has it: also a page without a body element, or of text alone, has one. */
function documentOf(html: string): Document {
  return parseHTML(/<body[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`).document
}

/** Words alone: pages and snippets differ in quotes, spaces and marks. */
function words(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}

function spaced(html: string): string {
  return (
    parseHTML(`<html><body>${html.replace(/<\/?(?:article|blockquote|br|d[dt]|div|h\d|li|p|pre|section|t[dhr])\b/g, ' $&')}</body>`)
      .document.body.textContent ?? ''
  )
}

function ownPages(): Page[] {
  return readdirSync(OWN_PAGES).map((file) => {
    const html = readFileSync(join(OWN_PAGES, file), 'utf8')
    const listed = (name: string) => new RegExp(`<!-- ${name}: (.*?) -->`).exec(html)?.[1]?.split(' | ') ?? []
    return { html, wanted: listed('wanted'), unwanted: listed('unwanted') }
  })
}

/** The published pages by split and type. */
function publishedPages(folder: string): Map<string, Page[]> {
  const pages = new Map<string, Page[]>()
  for (const [id, { split, page_type: type }] of Object.entries(
    Metadata.parse(JSON.parse(readFileSync(join(folder, 'metadata.json'), 'utf8'))).files,
  )) {
    const truth = Truth.parse(JSON.parse(readFileSync(join(folder, split, 'ground-truth', `${id}.json`), 'utf8')))
    const html = gunzipSync(readFileSync(join(folder, split, 'html', `${id}.html.gz`))).toString('utf8')
    const set = `${split}: ${type}`
    pages.set(set, [...(pages.get(set) ?? []), { html, wanted: truth.ground_truth.with, unwanted: truth.ground_truth.without }])
  }
  return pages
}
