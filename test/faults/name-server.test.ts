import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETS_CONSTANTS } from '../../scripts/constants.mjs'
import { DATABASES } from '../support/databases.ts'
import { startStage, type Stage } from './kit/stage.ts'
import { startTcpProxy, type TcpProxy } from './kit/tcp-proxy.ts'
import { answerOf, expectBody, expectReading } from './kit/visitor.ts'

const PRELOADED = `${SETS_CONSTANTS} --require ${JSON.stringify(join(import.meta.dirname, 'kit/name-server.cjs'))}`

describe.each(DATABASES)('the name server on %s', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-names-'))
  const state = join(folder, 'state')
  const names = (does: 'works' | 'fails' | 'is silent') => writeFileSync(state, does)
  let stage: Stage
  let connections: TcpProxy
  beforeAll(async () => {
    names('works')
    const through = async (url: string) => {
      connections = await startTcpProxy(url)
      return connections.through(url).replace('127.0.0.1', 'model.test')
    }
    stage = await startStage({ database, env: { NODE_OPTIONS: PRELOADED, MODEL_NAME_STATE: state }, through })
  })
  afterAll(async () => {
    await stage.stop()
    await connections.close()
    rmSync(folder, { recursive: true })
  })

  test.each(['fails', 'is silent'] as const)('F12: that %s fails the prompts of its time, and nothing that is stored', async (does) => {
    const visitor = await stage.visitor()
    const ask = async (prompt: string, session?: string) => {
      const reading = expectReading(await visitor.send(prompt, { session }))
      await reading.ended
      return reading
    }
    const before = await ask('before')
    names(does)
    // An open connection needs no name.
    connections.resetAll()
    const meanwhile = await ask('meanwhile', before.session)
    expect(meanwhile).toMatchObject({ status: 'failed', code: 'model_unavailable' })
    const read = async () => expectBody(await visitor.session(before.session))
    expect(answerOf(await read(), before.turn)?.text).toBe(before.text)
    names('works')
    const after = await ask('after', before.session)
    expect(after.status).toBe('done')
    expect(answerOf(await read(), before.turn)?.text).toBe(before.text)
  })
})
