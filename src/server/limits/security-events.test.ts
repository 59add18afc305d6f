import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { SECURITY_EVENT_KINDS, SecurityEvents, securityEventOf } from './security-events.ts'

let opened: OpenedDatabase
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await opened.remove()
})

const counted = async () =>
  (await opened.database.selectFrom('security_events').selectAll().execute()).map(({ day, kind, count }) => `${day} ${kind} ${count}`)

test('writes counts every ten seconds, and the rest at the end', async () => {
  let now = Date.UTC(2026, 9, 25)
  const events = new SecurityEvents({ database: opened.database, now: () => now, onFault: () => undefined })
  events.count('refused_host')
  events.count('refused_host')
  expect(await counted()).toEqual([])
  vi.advanceTimersByTime(10_000)
  await expect.poll(counted).toEqual(['2026-10-25 refused_host 2'])
  events.count('refused_host')
  now += 24 * 60 * 60 * 1000
  events.count('refused_origin')
  await events.close()
  expect((await counted()).toSorted()).toEqual(['2026-10-25 refused_host 3', '2026-10-26 refused_origin 1'])
  expect(events.totals.get('refused_host')).toBe(3)
})

test.each([
  ['host_not_allowed', 'refused_host'],
  ['cross_origin', 'refused_origin'],
  ['unauthorized', 'refused_credential'],
  ['transfer_code_unknown', 'wrong_transfer_code'],
  ['prompt_blocked', 'blocked_prompt'],
  ['too_many_requests', 'network_or_visitor_over_limit'],
  ['too_many_prompts', 'network_or_visitor_over_limit'],
  ['daily_prompts_used', 'network_or_visitor_over_limit'],
  ['daily_tokens_used', 'network_or_visitor_over_limit'],
  ['too_many_files', 'network_or_visitor_over_limit'],
  ['too_many_visitors', 'network_or_visitor_over_limit'],
  ['too_many_turns', 'network_or_visitor_over_limit'],
  ['too_many_streams', 'network_or_visitor_over_limit'],
  ['not_found', undefined],
  ['server_busy', undefined],
] as const)('the rejection "%s" is counted as %s', (code, kind) => {
  expect(securityEventOf(code)).toBe(kind)
})

test('counts kinds of events that say nothing about the client', () => {
  expect(SECURITY_EVENT_KINDS.toSorted().join(' ')).toBe(
    'blocked_network blocked_prompt network_or_visitor_over_limit refused_credential refused_host refused_origin ' +
      'revoked_device too_many_connections wrong_transfer_code',
  )
})
