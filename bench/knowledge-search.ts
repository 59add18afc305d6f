import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { KnowledgeBase } from '../src/server/agent/knowledge/knowledge-base.ts'
import { type Figure, milliseconds, withinBound } from './support/measurement.ts'

const PASSAGES = 100_000
const PASSAGES_A_FILE = 500
const WORDS_A_PASSAGE = 60
const VOCABULARY = 30_000
const SEARCHES = 1_000
const BOUND_MS = 50
/** What the timer that looks at the loop may itself be late, on a machine with other work. */
const LOOP_BOUND_MS = 20

/** A search in 100,000 passages, at the 95th percentile, and how long the server's own loop stands still meanwhile. */
export const knowledgeSearch: Figure = {
  name: 'knowledge-search',
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), 'parley-knowledge-'))
    try {
      writeFiles(folder)
      const base = await KnowledgeBase.open({
        directory: folder,
        dataDirectory: null,
        languages: ['english', 'german', 'french', 'spanish'],
        onWarning: (message) => process.stderr.write(`${message}\n`),
      })
      await base.ready
      await search(base, 50)
      const delay = monitorEventLoopDelay({ resolution: 5 })
      await pause(100)
      delay.enable()
      const times = (await search(base, SEARCHES)).toSorted((one, other) => one - other)
      delay.disable()
      await base.close()
      const p95 = times[Math.floor(times.length * 0.95)] ?? Number.NaN
      return [
        withinBound(`a search in ${PASSAGES.toLocaleString('en')} passages, p95`, p95, BOUND_MS, milliseconds),
        withinBound('the loop’s delay meanwhile, p99', delay.percentile(99) / 1e6, LOOP_BOUND_MS, milliseconds),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** One after the other, as one visitor's tools ask; a sixth of the words mistyped. */
async function search(base: KnowledgeBase, count: number): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const words = Array.from({ length: 2 + (index % 5) }, () => wordOf(rankAtRandom()))
    const query = words.map((word, at) => ((index + at) % 6 === 0 ? word.slice(0, -2) + word.slice(-1) : word)).join(' ')
    const startedAt = performance.now()
    await base.search(`how do I ${query}?`, ['.'])
    times.push(performance.now() - startedAt)
  }
  return times
}

function writeFiles(folder: string): void {
  for (let file = 0; file < PASSAGES / PASSAGES_A_FILE; file += 1) {
    const sections = Array.from({ length: PASSAGES_A_FILE }, (_, section) => {
      const words = Array.from({ length: WORDS_A_PASSAGE }, () => wordOf(rankAtRandom()))
      return `## ${words.slice(0, 5).join(' ')} ${section}\n\n${words.join(' ')}.`
    })
    writeFileSync(join(folder, `${file}.md`), `# Document ${file}\n\n${sections.join('\n\n')}\n`)
  }
}

let state = 1

/** From 0 to 1, the same in every run. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

/** Few words are common and many are rare, as in a language (Zipf). */
function rankAtRandom(): number {
  return Math.min(VOCABULARY, Math.floor(VOCABULARY ** random()))
}

/** A word for each rank, of syllables, as long as words are. */
function wordOf(rank: number): string {
  const consonants = 'bdfgklmnprstvz'
  let word = ''
  for (let left = rank + 200; left > 0; left = Math.floor(left / 70)) {
    word += `${consonants[left % 14]}${'aeiou'[Math.floor(left / 14) % 5]}`
  }
  return `${word}${consonants[rank % 14]}`
}
