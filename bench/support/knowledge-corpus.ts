import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './processes.ts'

/** Manuals downloaded by `npm run eval -- --retrieval` and the retrieval bench. */
const COLLECTIONS = join(ROOT, '.runtime/eval-collections')
const VOCABULARY = 30_000
const SECTIONS_PER_PAGE = 6
const WORDS_PER_SECTION = 130
/** One in this many words of a copied page is replaced, so that each passage of a copy differs from the original. */
const REPLACED = 12

export interface Corpus {
  megabytes: number
  /** A sample of the words of the pages, in proportion to their frequency. */
  words: string[]
}

/**
 * Writes HTML pages number `from` to `to` into a folder: copies of the downloaded manuals with some words replaced, or
 * generated pages if there are none.
 */
export function writeCorpus(folder: string, from: number, to: number): Corpus {
  const originals = fetchedPages()
  const words: string[] = []
  let bytes = 0
  for (let page = from; page < to; page += 1) {
    const original = originals[page % Math.max(1, originals.length)]
    const html = original === undefined ? generatedPage(page) : varied(readFileSync(original, 'utf8'))
    writeFileSync(join(folder, `${page}.html`), html)
    bytes += Buffer.byteLength(html)
    words.push(...sampleOf(html))
  }
  return { megabytes: bytes / 1e6, words }
}

function fetchedPages(): string[] {
  if (!existsSync(COLLECTIONS)) return []
  return readdirSync(COLLECTIONS, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.html(\.en)?$/.test(file))
    .toSorted()
    .map((file) => join(COLLECTIONS, file))
}

function varied(html: string): string {
  return html.replace(/>[^<]+/g, (text) => text.replace(/\p{L}{4,}/gu, (word) => (random() < 1 / REPLACED ? randomWord() : word)))
}

function generatedPage(page: number): string {
  const sections = Array.from({ length: SECTIONS_PER_PAGE }, (_, section) => {
    const words = Array.from({ length: WORDS_PER_SECTION }, randomWord)
    return `<h2>${words.slice(0, 5).join(' ')} ${section}</h2>\n<p>${words.join(' ')}.</p>`
  })
  const navigation = Array.from({ length: 30 }, (_, item) => `<li><a href="${item}.html">${randomWord()}</a></li>`).join('')
  return `<!doctype html><title>Page ${page}</title><nav><ul>${navigation}</ul></nav><main><h1>Page ${page}</h1>\n${sections.join('\n')}</main>`
}

/** Every hundredth word. */
function sampleOf(html: string): string[] {
  const words = html.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/g, ' ').match(/\p{L}{3,}/gu) ?? []
  return words.filter((_, index) => index % 100 === 50)
}

let state = 1

/** Random numbers from 0 to 1, the same in every run. */
export function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** A random word, distributed as in a language: few words are common, many are rare (Zipf). */
function randomWord(): string {
  return wordOf(Math.min(VOCABULARY, Math.floor(VOCABULARY ** random())))
}

/** A made-up word for each rank, of realistic length. */
function wordOf(rank: number): string {
  const consonants = 'bdfgklmnprstvz'
  let word = ''
  for (let left = rank + 200; left > 0; left = Math.floor(left / 70)) {
    word += `${consonants[left % 14]}${'aeiou'[Math.floor(left / 14) % 5]}`
  }
  return `${word}${consonants[rank % 14]}`
}
