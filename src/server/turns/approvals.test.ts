import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { approvalRequestParts } from '../../contract/chat/parts/tool.ts'
import { Approvals } from './approvals.ts'

const HOUR_MS = 60 * 60 * 1000
const call = { toolCallId: 'c', toolName: 'pay', input: { amount: 5 } }
let now = 0
const approvals = new Approvals(['an installation’s key'], () => now)

/** An answer that asks, as it is stored. */
function asking(change: (part: Record<string, unknown>) => object = () => ({})): ChatMessage {
  const { id, expiresAt, signature } = approvals.request('t_1', call)
  const part = { type: 'dynamic-tool', ...call, state: 'approval-requested', approval: { id, descriptor: { expiresAt }, signature } }
  return { id: 'a', role: 'assistant', parts: [{ ...part, ...change(part) }] as never }
}

function decide(answer: ChatMessage, turn = 't_1', by = approvals) {
  const decisions = approvalRequestParts(answer).map(({ approval }) => ({
    id: approval.id,
    approved: true,
    signature: approval.signature ?? '',
  }))
  return by.decide(turn, answer, decisions)
}

describe('a decision', () => {
  test('applies to the call as it was shown', () => {
    expect(decide(asking())?.calls).toMatchObject([{ ...call, approved: true }])
  })

  test('is recorded in the answer, whose other parts stay', () => {
    const answer = asking()
    const others = [
      { type: 'text', text: 'I can pay.' },
      { type: 'dynamic-tool', toolName: 'look', toolCallId: 'l', state: 'output-available', input: {}, output: {} },
    ] as const
    const decided = decide({ ...answer, parts: [...others, ...answer.parts] as never })
    expect(decided?.answer.parts.slice(0, 2)).toEqual(others)
    expect(decided?.answer.parts[2]).toMatchObject({ toolCallId: 'c', state: 'approval-responded', approval: { approved: true } })
  })

  test('needs the signature of the request and of the decision', () => {
    const answer = asking()
    const [part] = approvalRequestParts(answer)
    const { id = '', signature = '' } = part?.approval ?? {}
    expect(approvals.decide('t_1', answer, [{ id, approved: true, signature: 'forged' }])).toBeNull()
    const changed = { ...answer, parts: [{ ...part, approval: { ...part?.approval, signature: 'forged' } }] as never }
    expect(approvals.decide('t_1', changed, [{ id, approved: true, signature }])).toBeNull()
  })

  test.each<[what: string, change: object]>([
    ['input', { input: { amount: 500 } }],
    ['tool', { toolName: 'pay_all' }],
    ['call', { toolCallId: 'd' }],
    ['approval', { approval: { id: 'ap', signature: 's' } }],
  ])('does not apply if the %s was changed', (_, change) => {
    expect(decide(asking(() => change))).toBeNull()
  })

  test('is missing if it is about another request', () => {
    expect(approvals.decide('t_1', asking(), [{ id: 'another', approved: true, signature: '' }])).toBeNull()
    expect(approvals.decide('t_1', asking(), [])).toBeNull()
  })

  test('does not apply to another turn or installation', () => {
    expect(decide(asking(), 't_2')).toBeNull()
    expect(decide(asking(), 't_1', new Approvals(['another key'], () => now))).toBeNull()
  })

  test('expires after an hour, which cannot be extended', () => {
    const answer = asking()
    now = HOUR_MS - 1
    expect(decide(answer)).not.toBeNull()
    now = HOUR_MS
    expect(decide(answer)).toBeNull()
    const longer = new Date(2 * HOUR_MS).toISOString()
    const [part] = approvalRequestParts(answer)
    expect(
      decide({ ...answer, parts: [{ ...part, approval: { ...part?.approval, descriptor: { expiresAt: longer } } }] as never }),
    ).toBeNull()
    now = 0
  })
})
