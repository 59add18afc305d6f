import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expectReading, Visitor } from '../../test/faults/kit/visitor.ts'
import { type ModelProcess, startModelProcess } from '../../test/faults/kit/model-process.ts'
import { startServer, type TestServer } from '../../test/support/server.ts'
import { withProcesses } from './processes.ts'
import type { StreamJob } from './stream-client.ts'

export interface Streams {
  server: TestServer
  /** Opens streams from another process. Resolves when every reply has begun. */
  open(job: Pick<StreamJob, 'path' | 'streams' | 'together' | 'keep'>): Promise<void>
  /** Starts a turn that writes a word every ten seconds, for up to two minutes. */
  quietTurn(): Promise<{ path: string; end: () => Promise<unknown> }>
}

const QUIET = [{ text: Array.from({ length: 12 }, (_, index) => `word${index} `), tokensPerSecond: 0.1 }]

/** A server with the embedded database, a slow model and a client, each in its own process. */
export async function withStreams<Result>(env: Record<string, string>, use: (streams: Streams) => Promise<Result>): Promise<Result> {
  return withProcesses(async (processes) => {
    const model = await startModelProcess()
    const server = await startServer({ database: 'sqlite', env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...env } })
    try {
      return await use(await streamsOf(server, model, processes.worker(join(import.meta.dirname, 'stream-client.ts'))))
    } finally {
      await server.stop('SIGKILL')
      await model.close()
    }
  })
}

async function streamsOf(server: TestServer, model: ModelProcess, client: ChildProcess): Promise<Streams> {
  await model.script('quiet', QUIET)
  const visitor = new Visitor(server.url)
  return {
    server,
    async open(job) {
      client.send({ ...job, url: server.url, cookie: visitor.cookie } satisfies StreamJob)
      const [answer] = (await once(client, 'message')) as [{ opened: number } | { error: string }]
      if ('error' in answer) throw new Error(`A stream could not be opened: ${answer.error}`)
    },
    async quietTurn() {
      const reading = expectReading(await visitor.send('quiet, please'))
      await reading.firstText
      reading.leave()
      return { path: `/api/v1/turns/${reading.turn}/stream`, end: () => visitor.stop(reading.turn) }
    },
  }
}
