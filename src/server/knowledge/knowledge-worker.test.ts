import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { WorkerReply, WorkerSetup } from './knowledge-worker.ts'

test('the process that extracts files ends once all are read', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'knowledge-worker-'))
  writeFileSync(join(directory, 'prices.csv'), 'what,price\nbread,3\n')
  const workerData: WorkerSetup = {
    directory,
    sourcesDirectory: null,
    store: null,
    skip: [],
    usesOcr: false,
    embedding: null,
    maxEmbedded: undefined,
  }
  const worker = new Worker(new URL('./knowledge-worker.ts', import.meta.url), { workerData })
  const said: WorkerReply[] = []
  worker.on('message', (reply: WorkerReply) => said.push(reply))
  const processes = () => said.filter(({ kind }) => kind === 'extraction')
  await expect.poll(processes).toEqual([
    { kind: 'extraction', pid: expect.any(Number) },
    { kind: 'extraction', pid: null },
  ])
  expect(said.filter(({ kind }) => kind === 'problem')).toEqual([])
  await worker.terminate()
  rmSync(directory, { recursive: true })
})
