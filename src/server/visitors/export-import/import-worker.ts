import { parentPort, workerData } from 'node:worker_threads'
import { readImport } from './read-import.ts'

// Reading 10 MB takes a fifth of a second, in which the server's own loop would stand still.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(readImport(workerData as Uint8Array) ?? null)
