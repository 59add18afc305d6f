import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMigratedDatabase } from './postgres.ts'
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import { startServer, type TestServer } from './server.ts'

/** Two processes of one installation, and the model that both use. */
export interface ProcessPair {
  near: TestServer
  far: TestServer
  model: ScriptedModel
  stop(): Promise<void>
}

/** Starts two processes on one PostgreSQL database, each with a folder of its own; a visitor may have two answers written at a time. With `redisUrl` they hear each other through Redis. */
export async function startPair({
  redisUrl,
  consolePort,
  env: more,
}: {
  redisUrl?: string
  consolePort?: string
  env?: Record<string, string>
} = {}): Promise<ProcessPair> {
  const database = await createMigratedDatabase()
  const model = await startScriptedModel()
  const ledger = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
  const env = {
    ERASURE_LEDGER: ledger,
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    INSTALLATION_KEY: randomBytes(32).toString('hex'),
    OPENAI_BASE_URL: model.baseUrl,
    MODEL: 'scripted',
    LIMIT_RUNNING_TURNS: '2',
    ...(consolePort !== undefined && { CONSOLE_PORT: consolePort }),
    ...more,
  }
  // Both use the pair's database instead of one each.
  const start = () => startServer({ database: 'sqlite', env })
  const [near, far] = await Promise.all([start(), start()])
  return {
    near,
    far,
    model,
    async stop() {
      await Promise.all([near.stop(), far.stop()])
      await model.close()
      await database.drop()
      rmSync(ledger, { recursive: true })
    },
  }
}
