import { expect, test } from 'vitest'
import { runStaffCommand, type StaffCommandOptions } from './staff-command.ts'

const options: StaffCommandOptions = {
  database: { kind: 'sqlite', directory: '/dev/null' },
  audit: null,
  consoleOrigin: null,
  now: Date.now,
  write: () => undefined,
}

test.each([
  '',
  'token',
  'token a',
  'token a --scope write:all',
  'token a --scope read:figures --days 0',
  'token a --scope read:figures --role owner',
  'tokens all',
  'revoke',
  'invite ada@example.org --role king',
])('explains the commands instead of running “staff %s”', async (line) => {
  const args = line.split(' ').filter(Boolean)
  expect(await runStaffCommand(args, options)).toEqual({ exitCode: 2, output: expect.stringContaining('Manages the staff') as string })
})
