import { trustedScript } from '../trusted-script.ts'
import type { CodeLanguage } from './code-languages.ts'
// oxlint-disable-next-line import/default -- Vite makes it, with the address of the built worker
import workerAddress from './highlight-worker.ts?worker&url'

/** A line's pieces; the colour is a CSS value for both themes. */
export type CodeLine = { text: string; color: string }[]

/** What the worker is sent. It answers with the coloured lines, or null. */
export interface CodeToColour {
  code: string
  language: CodeLanguage
}

/** Code that takes longer is left as it is: a grammar may take for ever with what was written to that end. */
const LIMIT_MS = 20_000

const script = trustedScript('highlight', workerAddress)

let worker: Worker | null = null
/** One piece of code is coloured at a time. */
let last: Promise<unknown> = Promise.resolve()

/** Colours code, beside the page; null when that could not be done. */
export function highlight(code: CodeToColour): Promise<CodeLine[] | null> {
  const lines = last.then(() => colour(code))
  last = lines.catch(() => null)
  return lines
}

async function colour(code: CodeToColour): Promise<CodeLine[] | null> {
  const { promise, resolve } = Promise.withResolvers<CodeLine[] | null>()
  const over = new AbortController()
  worker ??= new Worker(script, { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<CodeLine[] | null>) => resolve(data), { signal: over.signal })
  worker.addEventListener('error', () => resolve(null), { signal: over.signal })
  const late = setTimeout(() => resolve(null), LIMIT_MS)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to a worker has no other target
  worker.postMessage(code)
  const lines = await promise
  clearTimeout(late)
  over.abort()
  if (lines) return lines
  // What it lacked may be there for the next one.
  worker.terminate()
  worker = null
  return null
}
