import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentFor, npmCommand } from '../../scripts/processes.mjs'
import type { CreatedToken } from '../../src/contract/staff/tokens.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const run = promisify(execFile)
const PACKAGES = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3', '@modelcontextprotocol/inspector@2.12.0']

describe('programs of others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'other-tools-'))
  const env = { ...environmentFor(process.execPath), REDOCLY_TELEMETRY: 'off', CI: '1' }
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    writeFileSync(join(folder, 'package.json'), '{}')
    writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n')
    const { file, args } = npmCommand(process.execPath, ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES])
    await run(file, args, { cwd: folder, env })
    server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  /** Both streams of a program, and how it ended. */
  const output = async (program: string, ...args: string[]) => {
    const of = (code: unknown, { stdout, stderr }: { stdout: string; stderr: string }) => ({ code, text: stdout + stderr })
    const bin = join(folder, 'node_modules/.bin', program)
    return run(bin, args, { cwd: folder, env }).then(
      (done) => of(0, done),
      (failed: { code: unknown; stdout: string; stderr: string }) => of(failed.code, failed),
    )
  }

  test.each(['visitors', 'staff'])('redocly and spectral have no remarks about the document of the %s', async (api) => {
    const url = api === 'staff' ? `${owner.origin}/api/staff/openapi.json` : `${server.url}/api/openapi.json`
    const headers = { ...(api === 'staff' && { cookie: owner.cookie ?? '' }) }
    writeFileSync(join(folder, 'openapi.json'), await (await fetch(url, { headers })).text())
    const redocly = await output('redocly', 'lint', 'openapi.json')
    expect(redocly.text).toContain('valid')
    expect([redocly.code, /\d+ (warning|error)/.exec(redocly.text)?.[0]], redocly.text).toEqual([0, undefined])
    const spectral = await output('spectral', 'lint', 'openapi.json', '--fail-severity=hint')
    expect(spectral.code, spectral.text).toBe(0)
    expect(spectral.text).toContain('No results')
  })

  test('the inspector lists the tools of the MCP server, and calls them', async () => {
    const wanted = { name: 'inspector', scopes: ['read:knowledge'], agents: ['assistant'] }
    const { token } = (await owner.call<CreatedToken>('POST', 'tokens', wanted)).body
    const inspect = async (...args: string[]) => {
      const place = ['--cli', `${server.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
      const { code, text } = await output('mcp-inspector', ...place, ...args)
      expect(code, text).toBe(0)
      return text
    }
    expect(await inspect('--method', 'tools/list')).toMatch(/"search"[^]*"fetch"/)
    const found = await inspect('--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=retention of chats')
    expect(found).toContain('structuredContent')
    const refused = await output('mcp-inspector', '--cli', `${server.url}/mcp`, '--transport', 'http', '--method', 'tools/list')
    expect(refused.code).not.toBe(0)
  })
})
