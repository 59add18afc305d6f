import { expect, test } from 'vitest'
import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { EmergencyKind } from '../../safety/emergency/kinds.ts'
import { withoutEmergency } from './declared-emergency.ts'

async function filtered(
  deltas: readonly string[],
  isBuiltin = false,
): Promise<{ text: string; declared: EmergencyKind[]; types: string[] }> {
  const written = async function* (): AsyncGenerator<ChatChunk> {
    yield { type: 'start-step' }
    yield { type: 'text-start', id: '1' }
    for (const delta of deltas) yield { type: 'text-delta', id: '1', delta }
    yield { type: 'text-end', id: '1' }
    yield { type: 'finish-step' }
  }
  const declared: EmergencyKind[] = []
  const chunks = await Array.fromAsync(withoutEmergency(written(), { isBuiltin, onEmergency: (kind) => declared.push(kind) }))
  const text = chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')
  return { text, declared, types: chunks.map(({ type }) => type) }
}

test.each([
  [['<emergency kind="fire">'], 'fire'],
  [['\n <emer', 'gency kind=', "'self_harm'/>", ' Call someone.'], 'self_harm'],
  [['<emergency kind="flood">'], 'acute_illness'],
])('the mark %j ends the answer without a text', async (deltas, kind) => {
  expect(await filtered(deltas)).toEqual({ text: '', declared: [kind], types: ['start-step', 'finish-step'] })
})

test.each([[['Call 112. <emergency kind="fire">']], [['<emerg', ' is a tag']], [['<', 'b>bold']], [['<emergency']], [['']]])(
  '%j stays as it is',
  async (deltas) => {
    const { text, declared, types } = await filtered(deltas)
    expect([text, declared]).toEqual([deltas.join(''), []])
    expect(types.filter((type) => type !== 'text-delta')).toEqual(['start-step', 'text-start', 'text-end', 'finish-step'])
  },
)

test('the built-in assistant declares none', async () => {
  expect(await filtered(['<emergency kind="fire">'], true)).toMatchObject({ text: '<emergency kind="fire">', declared: [] })
})
