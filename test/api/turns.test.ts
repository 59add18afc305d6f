import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../src/contract/problem.ts'
import type { SessionDetail, Turn } from '../../src/contract/sessions.ts'
import { allEvents, cookieOf, listSessions, readEvents, sendPrompt, spoken, type StreamEvent, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe.each(DATABASES)('a turn on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel()
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
  })
})
