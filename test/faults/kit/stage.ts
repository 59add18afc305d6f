import type { TestDatabase } from '../../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { expectReading, type Reading, Visitor } from './visitor.ts'

export interface Stage {
  model: ScriptedModel
  server: TestServer
  /** A patient visitor with one answered prompt. */
  visitor(): Promise<Visitor>
  /** Stops both. Throws if the server has crashed or exits with an error. */
  stop(): Promise<void>
}

/** A server with a scripted model; `through` may insert a proxy. */
export async function startStage(options: {
  database: TestDatabase
  env?: Record<string, string | undefined>
  through?: (baseUrl: string) => Promise<string>
}): Promise<Stage> {
  const { database, env, through } = options
  const model = await startScriptedModel()
  const baseUrl = through ? await through(model.baseUrl) : model.baseUrl
  const server = await startServer({ database, env: { OPENAI_BASE_URL: baseUrl, MODEL: 'scripted', ...env } })
  return {
    model,
    server,
    async visitor() {
      const visitor = await knownVisitor(server.url)
      visitor.isPatient = true
      return visitor
    },
    async stop() {
      const code = await server.stop()
      await model.close()
      // A crashed process has no clean exit.
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output().slice(-4_000)}`)
    },
  }
}

export async function knownVisitor(url: string): Promise<Visitor> {
  const visitor = new Visitor(url)
  visitor.isPatient = true
  const hello: Reading = expectReading(await visitor.send('Hello.'))
  visitor.isPatient = false
  if (!(await hello.ended)) throw new Error(`The first prompt of a visitor was not answered: ${JSON.stringify(hello)}`)
  return visitor
}
