import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { KnowledgeBase } from '../../src/server/knowledge/knowledge-base.ts'
import type { EmbeddingSettings } from '../../src/server/knowledge/embeddings/embed.ts'
import { peakMegabytes, residentMegabytes } from './processes.ts'

// A process that opens a knowledge base, searches it, and reports what it measured.

export interface KnowledgeRun {
  directory: string
  dataDirectory: string
  embedding: EmbeddingSettings | null
  queries: string[]
}

export interface KnowledgeRunResult {
  /** Milliseconds from the start of the process. */
  firstSearchMs: number
  /** The same until the index was stored. */
  indexedMs: number
  /** Peak resident memory until the index was stored: of this process, and of all its processes. */
  peakMegabytes: number
  peakOfAllMegabytes: number
  /** CPU time of this process and its ended children until the index was stored. */
  cpuMs: number
  searchesMs: number[]
  loopDelayP99Ms: number
}

const TICKS_PER_SECOND = 100
const SAMPLE_INTERVAL_MS = 50
const WARM_UP_SEARCHES = 50

process.once('message', (run: KnowledgeRun) => {
  measure(run).then(
    (result) => process.send?.(result, () => process.exit()),
    (cause: unknown) => {
      process.stderr.write(`${String(cause)}\n`)
      process.exit(1)
    },
  )
})

async function measure({ directory, dataDirectory, embedding, queries }: KnowledgeRun): Promise<KnowledgeRunResult> {
  let peakOfAllMegabytes = 0
  const sampling = setInterval(() => (peakOfAllMegabytes = Math.max(peakOfAllMegabytes, residentOfAll())), SAMPLE_INTERVAL_MS)
  const base = await KnowledgeBase.open({ directory, dataDirectory, embedding, onWarning: () => {} })
  const search = (query: string) => base.search(query, { folders: ['.'], caller: embedding ? 'model' : 'builtin' })
  await search('first search')
  const firstSearchMs = performance.now()
  await base.ready
  while (!existsSync(join(dataDirectory, 'knowledge/index')) || children().length > 0) await pause(SAMPLE_INTERVAL_MS)
  clearInterval(sampling)
  const indexing = { indexedMs: performance.now(), peakMegabytes: peakMegabytes(process.pid), peakOfAllMegabytes, cpuMs: cpuMs() }
  // Vectors load after the index. Only they find a passage for an unknown word.
  if (embedding) while ((await search('xqxq')).passages.length === 0) await pause(100)
  for (const query of queries.slice(0, WARM_UP_SEARCHES)) await search(query)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  await pause(100)
  delay.enable()
  const searchesMs: number[] = []
  for (const query of queries) {
    const startedAt = performance.now()
    await search(query)
    searchesMs.push(performance.now() - startedAt)
  }
  delay.disable()
  await base.close()
  return { firstSearchMs, ...indexing, searchesMs, loopDelayP99Ms: delay.percentile(99) / 1e6 }
}

function residentOfAll(): number {
  return [process.pid, ...children()].reduce((sum, pid) => sum + residentNow(pid), 0)
}

/** 0 for a process that has just ended. */
function residentNow(pid: number): number {
  try {
    return residentMegabytes(pid) || 0
  } catch {
    return 0
  }
}

/** The kernel lists children by the thread that started them. */
function children(): number[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      return readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    } catch {
      return []
    }
  })
}

/** CPU time of all threads and ended children, user and system. */
function cpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 1000) / TICKS_PER_SECOND
}
