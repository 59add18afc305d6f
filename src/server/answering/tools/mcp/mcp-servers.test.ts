import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool } from 'ai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../../../test/support/eventually.ts'
import { requiresApproval } from '../foreign-tools.ts'
import { openMcpServers } from './mcp-servers.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parley-mcp-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** The problems and the tools that ask, of ten tools with descriptions of so many bytes in all, after a start. */
async function listed(bytes: number) {
  const program = join(import.meta.dirname, '../../../../../test/support/wide-mcp-server.ts')
  const wide = { command: process.execPath, args: [program], env: { BYTES: String(bytes), RESULT_BYTES: '10' } }
  writeFileSync(join(directory, 'mcp.json'), JSON.stringify({ mcpServers: { wide } }))
  const [path, pins] = [join(directory, 'mcp.json'), join(directory, 'pins.json')]
  const servers = await openMcpServers({ path, pins, variable: () => undefined, onWarning: () => undefined })
  try {
    const tools = await eventually(() => {
      expect(Object.keys(servers.toolsOf(['wide']))).toHaveLength(10)
      return servers.toolsOf(['wide'])
    })
    const asking = Object.entries(tools).flatMap(([name, tool]) => (requiresApproval(tool as Tool) ? name : []))
    return { problems: servers.problems, asking }
  } finally {
    await servers.close()
  }
}

test('a tool whose definition has changed asks the visitor until its pin is removed', async () => {
  expect(await listed(3_000)).toEqual({ problems: [], asking: [] })
  expect(await listed(3_000)).toEqual({ problems: [], asking: [] })
  const changed = await listed(4_000)
  expect(changed.asking).toHaveLength(10)
  expect(changed.problems).toContain(
    'mcp.json, "wide": the tool wide_find_1 has changed since it was first listed; visitors are asked before it runs',
  )
  expect((await listed(4_000)).asking).toHaveLength(10)
  const { 'wide/find_1': _, ...pins } = JSON.parse(readFileSync(join(directory, 'pins.json'), 'utf8')) as Record<string, string>
  writeFileSync(join(directory, 'pins.json'), JSON.stringify(pins))
  expect((await listed(4_000)).asking).toHaveLength(9)
})
