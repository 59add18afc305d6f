import { expect, test, vi } from 'vitest'
import { DEFAULT_PERSONAL_DATA_RULES } from '../../personal-data/kinds.ts'
import { completeRules } from '../../personal-data/rules.ts'
import { AgentPolicy } from '../replies/agent-policy.ts'
import { NO_POLICY } from '../replies/policy.ts'
import { BEFORE_THE_MODEL, firstOutcome } from './before-the-model.ts'

const route = {
  id: 'fines',
  state: 'referred' as const,
  reply: { en: 'Ask the cashier.' },
  examples: [],
  counterExamples: [],
  keywords: ['parking fines'],
}
const policy = new AgentPolicy({ ...NO_POLICY, routes: [route] }, null)
const stop = (scope: 'all' | 'agent' | 'topic' | 'file', target: string) => ({ scope, target, examples: [], reply: `${scope} is stopped` })
const REFUSING = completeRules('refuse', DEFAULT_PERSONAL_DATA_RULES)

const PROMPT = { prompt: 'How high are parking fines?', agent: 'assistant', policy, languages: [], stops: [] as ReturnType<typeof stop>[] }
const answered = (change: Partial<typeof PROMPT>) => firstOutcome(BEFORE_THE_MODEL.answer, { ...PROMPT, ...change })
const textOf = async (change: Partial<typeof PROMPT>) => (await answered(change))?.text ?? null
const arrived = (change: Partial<typeof PROMPT>) => firstOutcome(BEFORE_THE_MODEL.arrival, { ...PROMPT, rules: REFUSING, ...change })

test('the checks apply in this order: what can reject before the commit, what can answer after it', () => {
  expect(Object.entries(BEFORE_THE_MODEL).map(([when, checks]) => [when, Object.keys(checks)])).toEqual([
    ['arrival', ['emergency', 'person', 'stops', 'personalData']],
    ['admission', ['moderation']],
    ['answer', ['emergency', 'person', 'stops', 'approvedAnswers', 'routes']],
  ])
})

test('an emergency comes before everything, also while everything is stopped and personal data is refused', async () => {
  const prompt = 'My son is not breathing, call +43 664 1234567 or a@example.org'
  const reply = { kind: 'emergency', state: 'referred', text: expect.stringContaining('**112**') }
  expect(await arrived({ prompt, stops: [stop('all', '')] })).toMatchObject(reply)
  expect(await answered({ prompt, stops: [stop('all', '')] })).toMatchObject(reply)
})

test('an emergency has the language of its words, and is no exception where the policy turns it off', async () => {
  expect(await answered({ prompt: 'ich will sterben' })).toMatchObject({ text: expect.stringContaining('Notruf') })
  const off = new AgentPolicy({ ...NO_POLICY, emergency: 'off' }, null)
  expect(await answered({ prompt: 'ich will sterben', policy: off })).toBeNull()
  expect(await arrived({ prompt: 'ich will sterben', policy: off })).toBeNull()
})

test('a stop comes before the refusal of personal data', async () => {
  const prompt = 'Write to a@example.org about parking fines'
  expect(await arrived({ prompt, stops: [stop('all', '')] })).toMatchObject({ kind: 'stop', state: 'suspended' })
  expect(await arrived({ prompt })).toMatchObject({ kind: 'rejected', code: 'personal_data', personalData: [{ kind: 'email' }] })
  expect(await arrived({})).toBeNull()
})

test('a stop comes before a route, and without either a model answers', async () => {
  expect(await textOf({ stops: [stop('topic', 'parking fines')] })).toBe('topic is stopped')
  expect(await textOf({})).toBe('Ask the cashier.')
  expect(await textOf({ prompt: 'When do you open?' })).toBeNull()
})

test('an approved answer comes before a route and after a stop of its topic, agent or file', async () => {
  const source = { title: 'Fees', url: null }
  const answer = { file: 'approved/fines.md', text: 'Fines are 20 euros.', source, validFrom: '2026-01-01' }
  const answerTo = async (_: string, excluded: readonly string[]) => (excluded.includes(answer.file) ? null : answer)
  const approving = new AgentPolicy({ ...NO_POLICY, routes: [route] }, null, { answerTo })
  expect(await answered({ policy: approving })).toEqual({
    kind: 'approved',
    text: 'Fines are 20 euros.',
    state: 'answered',
    approved: { source, file: answer.file, approvedOn: '2026-01-01' },
  })
  expect(await textOf({ policy: approving, stops: [stop('topic', 'parking fines')] })).toBe('topic is stopped')
  expect(await textOf({ policy: approving, stops: [stop('file', 'approved/fines.md')] })).toBe('Ask the cashier.')
  expect(await arrived({ policy: approving })).toBeNull()
})

test('stops of other agents and topics do not apply', async () => {
  expect(await textOf({ stops: [stop('agent', 'other'), stop('topic', 'dog licences')] })).toBe('Ask the cashier.')
})

test('moderates texts together without empty ones, and nothing where there is no text', async () => {
  const moderator = { check: vi.fn<(text: string) => Promise<'allowed'>>(async () => 'allowed') }
  expect(await firstOutcome(BEFORE_THE_MODEL.admission, { texts: ['', ''], moderator })).toBeNull()
  expect(await firstOutcome(BEFORE_THE_MODEL.admission, { texts: ['a', '', 'b'], moderator })).toBeNull()
  expect(moderator.check.mock.calls).toEqual([['a\n\nb']])
})
