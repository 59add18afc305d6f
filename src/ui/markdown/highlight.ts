import { trustedScript } from '../trusted-script.ts'
import type { CodeLanguage } from './code-languages.ts'
// oxlint-disable-next-line import/default -- a virtual module of Vite
import workerAddress from './highlight-worker.ts?worker&url'

/** Pieces of a line. The colour is a CSS value for both themes. */
export type CodeLine = { text: string; color: string }[]

export interface HighlightRequest {
  code: string
  language: CodeLanguage
}

/** Time limit, because hostile code can make a grammar run for ever. */
const LIMIT_MS = 20_000

const script = trustedScript('highlight', workerAddress)

let worker: Worker | null = null
/** Highlights run one at a time. */
let last: Promise<unknown> = Promise.resolve()

/** Highlights code in a worker. Resolves with null on failure. */
export function highlight(code: HighlightRequest): Promise<CodeLine[] | null> {
  const lines = last.then(() => colour(code))
  last = lines.catch(() => null)
  return lines
}

async function colour(code: HighlightRequest): Promise<CodeLine[] | null> {
  const { promise, resolve } = Promise.withResolvers<CodeLine[] | null>()
  const over = new AbortController()
  worker ??= new Worker(script, { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<CodeLine[] | null>) => resolve(data), { signal: over.signal })
  worker.addEventListener('error', () => resolve(null), { signal: over.signal })
  const late = setTimeout(() => resolve(null), LIMIT_MS)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  worker.postMessage(code)
  const lines = await promise
  clearTimeout(late)
  over.abort()
  if (lines) return lines
  // A new worker may succeed next time.
  worker.terminate()
  worker = null
  return null
}
