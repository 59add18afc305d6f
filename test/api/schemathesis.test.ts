import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const run = promisify(execFile)
/** From PyPI, into a folder that stays. */
const FOLDER = join(import.meta.dirname, '../../.runtime/schemathesis-4.32.5')
/** About 2,000 cases or more of each document. */
const EXAMPLES = '30'
/** Failures in its report; the last would mean that nobody was signed in. */
const WRONG = /= FAILURES =|= ERRORS =|Missing authentication/
const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'
/** Some have no end. */
const STREAMS = '/stream$|/events$'
/** They end the session that the other cases need, or the server's answers, or start the server again (`/model`). */
const LEFT_OUT = '/session$|/sessions|/staff/v1/staff|/staff/v1/model$|/answers$|/evaluations'

async function install(): Promise<string> {
  const program = join(FOLDER, 'bin/schemathesis')
  if (existsSync(program)) return program
  await run('python3', ['-m', 'venv', FOLDER])
  await run(join(FOLDER, 'bin/pip'), ['install', '--quiet', 'schemathesis==4.32.5'])
  return program
}

describe('random requests by the OpenAPI documents get no fault and no reply that they lack', () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-schemathesis-'))
  let server: TestServer
  let owner: StaffClient
  let program: string

  beforeAll(async () => {
    program = await install()
    const env = Object.fromEntries(['PROMPTS_PER_DAY', 'PROMPTS_PER_MINUTE'].map((limit) => [`LIMIT_${limit}`, '100000']))
    server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, ...env } })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  }, 600_000)
  afterAll(async () => {
    await server.stop()
    rmSync(data, { recursive: true })
  })

  /** The output, or what failed. */
  async function generated(document: string, url: string, more: string[]): Promise<string> {
    const common = ['--checks', CHECKS, '--phases', 'examples,coverage,fuzzing', '-n', EXAMPLES, '--seed', '1', '--no-color']
    const { stdout } = await run(program, ['run', document, '-u', url, ...common, '--continue-on-failure', ...more], {
      cwd: data,
      maxBuffer: 1e8,
    }).catch((error: { stdout: string }) => error)
    return stdout
  }
  const casesOf = (output: string) => Number(/(\d+) generated/.exec(output)?.[1])

  test('of the visitors', { timeout: 1_200_000 }, async () => {
    const output = await generated(`${server.url}/api/openapi.json`, server.url, ['--exclude-path-regex', STREAMS])
    expect(output).not.toMatch(WRONG)
    expect(casesOf(output)).toBeGreaterThan(2_000)
  })

  test('of the staff', { timeout: 1_200_000 }, async () => {
    const credentials = ['-H', `Cookie: ${owner.cookie}`, '-H', `Origin: ${owner.origin}`, '--exclude-path-regex', `${STREAMS}|${LEFT_OUT}`]
    const output = await generated(`${owner.origin}/api/staff/openapi.json`, owner.origin, credentials)
    expect(output).not.toMatch(WRONG)
    expect(casesOf(output)).toBeGreaterThan(2_000)
  })
})
