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
  ['', /^Give one of invite/],
  ['token', /^staff token takes one name/],
  ['token a', /^scopes: /],
  ['token a --scope write:all', /^scopes 0: /],
  ['token a --scope read:figures --days 0', /^days: .*1/],
  ['token a --scope publish --collection b --days 91', /^days: too many/],
  ['token a --scope answer', /^These scopes need/],
  ['token a --scope read:figures --role owner', /^--role does not belong to staff token/],
  ['tokens all', /^staff tokens takes no name/],
  ['revoke', /^staff revoke takes one name or id/],
  ['invite ada@example.org --role king', /^role: /],
  ['tokens --all', /^Unknown option '--all'/],
])('says why it does not run “staff %s”, and explains the commands', async (line, reason) => {
  const { output, exitCode } = await runStaffCommand(line.split(' ').filter(Boolean), options)
  expect(exitCode).toBe(2)
  expect(output).toMatch(reason)
  expect(output).toContain('\n\nManages the staff')
})

test('explains the commands where it is asked to', async () => {
  const { output, exitCode } = await runStaffCommand(['--help'], options)
  expect(exitCode).toBe(0)
  expect(output).toMatch(/^Manages the staff/)
})
