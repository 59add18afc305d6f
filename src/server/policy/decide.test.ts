import { expect, test } from 'vitest'
import { AgentPolicy } from './agent-policy.ts'
import { CHECKS, decideReply, replyBeforeModeration } from './decide.ts'
import { NO_POLICY } from './policy.ts'

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
const decided = async (more: Partial<Parameters<typeof decideReply>[0]>) =>
  (await decideReply({ prompt: 'How high are parking fines?', agent: 'assistant', policy, stops: [], ...more }))?.text ?? null

test('the checks apply in this order', () => {
  expect(Object.keys(CHECKS)).toEqual(['emergency', 'stops', 'approvedAnswers', 'routes'])
})

test('an emergency comes before everything, also while everything is stopped', async () => {
  const reply = await decideReply({ prompt: 'My son is not breathing', agent: 'assistant', policy, stops: [stop('all', '')] })
  expect(reply).toMatchObject({ kind: 'emergency', state: 'referred', text: expect.stringContaining('**112**') })
})

test('a stop comes before a route, and without either a model answers', async () => {
  expect(await decided({ stops: [stop('topic', 'parking fines')] })).toBe('topic is stopped')
  expect(await decided({})).toBe('Ask the cashier.')
  expect(await decided({ prompt: 'When do you open?' })).toBeNull()
})

test('an approved answer comes before a route and after a stop of its topic, agent or file', async () => {
  const source = { title: 'Fees', url: null }
  const answer = { file: 'approved/fines.md', text: 'Fines are 20 euros.', source, validFrom: '2026-01-01' }
  const answerTo = (_: string, excluded: readonly string[]) => (excluded.includes(answer.file) ? null : answer)
  const approving = new AgentPolicy({ ...NO_POLICY, routes: [route] }, null, { answerTo })
  expect(await decideReply({ prompt: 'How high are parking fines?', agent: 'assistant', policy: approving, stops: [] })).toEqual({
    kind: 'approved',
    text: 'Fines are 20 euros.',
    state: 'answered',
    approved: { source, file: answer.file, approvedOn: '2026-01-01' },
  })
  expect(await decided({ policy: approving, stops: [stop('topic', 'parking fines')] })).toBe('topic is stopped')
  expect(await decided({ policy: approving, stops: [stop('file', 'approved/fines.md')] })).toBe('Ask the cashier.')
  expect(
    await replyBeforeModeration({ prompt: 'How high are parking fines?', agent: 'assistant', policy: approving, stops: [] }),
  ).toBeNull()
})

test('stops of other agents and topics do not apply', async () => {
  expect(await decided({ stops: [stop('agent', 'other'), stop('topic', 'dog licences')] })).toBe('Ask the cashier.')
})

test('only emergencies and stops precede moderation', async () => {
  const prompt = { prompt: 'How high are parking fines?', agent: 'assistant', policy }
  expect(await replyBeforeModeration({ ...prompt, stops: [] })).toBeNull()
  expect((await replyBeforeModeration({ ...prompt, stops: [stop('all', '')] }))?.state).toBe('suspended')
  expect((await replyBeforeModeration({ ...prompt, prompt: 'I want to kill myself', stops: [] }))?.kind).toBe('emergency')
})
