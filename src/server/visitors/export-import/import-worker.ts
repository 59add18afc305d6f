import { parentPort, workerData } from 'node:worker_threads'
import { readImport } from './read-import.ts'

// Parsing 10 MB takes 200 ms, which would block the server's event loop.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(readImport(workerData as Uint8Array) ?? null)
