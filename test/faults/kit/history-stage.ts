import { setTimeout as pause } from 'node:timers/promises'
import { withConstants } from '../../../scripts/constants.mjs'
import type { TestDatabase } from '../../support/databases.ts'
import { createDatabase } from '../../support/postgres.ts'
import type { Script } from '../../support/scripted-model.ts'
import { isMissing } from '../../support/services.ts'
import { type Clock, createClock } from './clock.ts'
import type { Answering } from './history.ts'
import { startStage, type Stage } from './stage.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { lockWrites } from './write-lock.ts'

/** A server that supports all commands of a history. */
export interface HistoryStage {
  stage: Stage
  /** Null without libfaketime, which disables clock jumps. */
  clock: Clock | null
  /** Makes the database unavailable for this time. Resolves when it is back. */
  databaseDown(ms: number): Promise<void>
  /** For reading stored data directly. */
  stored: { env: Record<string, string>; dataDirectory: string }
  stop(): Promise<void>
}

/** A visitor's quota; more than a history uses. */
export const TOKENS_A_DAY = 200_000

const WORDS = Array.from({ length: 30 }, (_, index) => `word${index} `)

/** The answer starts with the prompt's first word, which identifies the visitor. */
function answerTo(prompt: string): Script | undefined {
  const [canary, answering] = prompt.split(' ') as [string, Answering]
  const scripts: Record<Answering, Script> = {
    quick: [{ text: [`${canary} `, 'at ', 'once.'] }],
    slow: [{ text: [`${canary} `, ...WORDS], tokensPerSecond: 30 }],
    refused: { status: 400 },
    'broken-off': [{ text: [`${canary} `, 'half an '] }, { pauseMs: 100 }, { cut: true }],
  }
  return scripts[answering]
}

export async function startHistoryStage(database: TestDatabase): Promise<HistoryStage> {
  const clock = isMissing('libfaketime') ? null : createClock()
  const own = database === 'postgres' ? await createDatabase() : undefined
  const proxy = own && (await startTcpProxy(own.url))
  const env = {
    ...clock?.env,
    LIMIT_TOKENS_PER_DAY: String(TOKENS_A_DAY),
    ...(own && proxy && { DATABASE_URL: proxy.through(own.url), ...withConstants({ databaseTimeoutMs: 2_000 }) }),
  }
  const stage = await startStage({ database: 'sqlite', env })
  stage.model.script(({ prompt }) => answerTo(prompt))
  const stored = { env: own ? { DATABASE_URL: own.url } : {}, dataDirectory: stage.server.dataDirectory }
  return {
    stage,
    clock,
    stored,
    databaseDown: (ms) => (proxy ? proxyDown(proxy, ms) : lockedFor(stored, ms)),
    async stop() {
      await stage.stop()
      await proxy?.close()
      await own?.drop()
      clock?.remove()
    },
  }
}

async function proxyDown(proxy: TcpProxy, ms: number): Promise<void> {
  proxy.refuse(true)
  proxy.resetAll()
  await pause(ms)
  proxy.refuse(false)
}

/** The embedded database can't be unavailable; a long write lock comes closest. */
async function lockedFor(stored: HistoryStage['stored'], ms: number): Promise<void> {
  const release = await lockWrites(stored)
  await pause(ms)
  await release()
}
