import { describe, expect, test } from 'vitest'
import { answerMessage, CHATS, detailOf, KEY, OTHER_KEY, type StateName, submit, TURN } from '../../../../test/support/chat-states.ts'
import type { ChatEvent, WorkReport } from './chat-event.ts'
import { reduceChat } from './reduce-chat.ts'

const ALL = Object.keys(CHATS) as StateName[]
const OPEN = ALL.filter((name) => name !== 'closed')
const REQUESTING: StateName[] = ['sending', 'repeating']
const WRITABLE: StateName[] = ['opening', 'unavailable', 'settled', 'rejectedPrompt', 'refusedTurn']
const WITH_MESSAGES: StateName[] = ['settled', 'rejectedPrompt', 'refusedTurn']

type Report<Type extends WorkReport['type']> = Omit<Extract<WorkReport, { type: Type }>, 'type'>
type Sample = { [Type in ChatEvent['type']]: Omit<Extract<ChatEvent, { type: Type }>, 'type' | 'workId'> }

/** One event of each type. */
const EVENTS: Sample = {
  'session-opened': { key: KEY, cached: null, agent: undefined },
  'chat-closed': {},
  'consent-withdrawn': {},
  'session-listed': { key: KEY, updatedAt: '2026-02-02T00:00:00.000Z', runningTurn: null },
  'session-received': { session: detailOf() },
  'session-failed': { code: 'network', isFinal: false } satisfies Report<'session-failed'>,
  'session-renamed': { key: KEY, title: 'another title' },
  'earlier-received': { key: KEY, before: 'cursor', page: { messages: [], earlier: null } },
  'feedback-given': { key: KEY, id: 'm_answer', feedback: { thumb: 'up' } },
  'version-chosen': { message: 'm_answer' },
  'version-settled': { key: KEY },
  'page-left': {},
  'prompt-submitted': submit() as Sample['prompt-submitted'],
  'edit-submitted': { id: 'm_edit', edits: 'm_question', prompt: 'edited' },
  'regenerate-requested': { id: 'm_id', answer: 'm_answer' },
  'retry-requested': { id: 'm_id', retry: { turn: 't_0', how: 'retry' } },
  'prompt-withdrawn': {},
  'stop-requested': {},
  'proof-required': {},
  'turn-accepted': { turn: TURN },
  'answer-begun': { turn: TURN, promptId: 'm_other' },
  'answer-progressed': { message: answerMessage('m_streaming', 'an answer') },
  'connection-changed': { connection: 'reconnecting' },
  'answer-ended': { message: answerMessage('m_done') },
  'answer-rejected': { code: 'internal' },
}

/** The states in which an event means something. In every other one it is ignored. */
const MEANINGFUL: Record<ChatEvent['type'], StateName[]> = {
  'session-opened': ALL,
  'chat-closed': ALL,
  'consent-withdrawn': ALL,
  'session-listed': ['settled', 'refusedTurn'],
  'session-received': ['opening', 'cached'],
  'session-failed': ['opening', 'cached'],
  'session-renamed': OPEN,
  // Only where messages precede those that are shown; see session-transitions.test.ts.
  'earlier-received': [],
  // Where its answer is shown, or loading.
  'feedback-given': OPEN.filter((name) => !['unavailable', 'repeating', 'refusedTurn'].includes(name)),
  'version-chosen': WRITABLE,
  'version-settled': OPEN,
  // Only where the server stores a temporary chat; see answer-transitions.test.ts.
  'page-left': [],
  'prompt-submitted': ['closed', ...WRITABLE],
  'edit-submitted': WITH_MESSAGES,
  'regenerate-requested': ['settled', 'rejectedPrompt'],
  'retry-requested': WITH_MESSAGES,
  'prompt-withdrawn': ['rejectedPrompt'],
  'stop-requested': ['opening', 'cached', ...REQUESTING, 'answering'],
  'proof-required': REQUESTING,
  'turn-accepted': ['repeating'],
  'answer-begun': [...REQUESTING, 'answering'],
  'answer-progressed': ['answering'],
  'connection-changed': ['answering'],
  'answer-ended': [...REQUESTING, 'answering'],
  'answer-rejected': [...REQUESTING, 'answering'],
}

const sampleOf = (type: ChatEvent['type'], workId: number) => ({ ...EVENTS[type], type, workId }) as unknown as ChatEvent

describe.each(Object.keys(EVENTS) as ChatEvent['type'][])('%s', (type) => {
  test.each(ALL)(`in %s`, (name) => {
    const { state } = CHATS[name]()
    const { state: next, effects } = reduceChat(state, sampleOf(type, state.workId))
    const isIgnored = JSON.stringify([next, effects]) === JSON.stringify([state, []])
    expect(isIgnored).toBe(!MEANINGFUL[type].includes(name))
  })
})

const REPORTS = [
  'session-received',
  'session-failed',
  'proof-required',
  'turn-accepted',
  'answer-begun',
  'answer-progressed',
  'connection-changed',
  'answer-ended',
  'answer-rejected',
] satisfies WorkReport['type'][]

test.each(REPORTS)('ignores %s of cancelled work', (type) => {
  for (const name of ALL) {
    const { state } = CHATS[name]()
    expect(reduceChat(state, sampleOf(type, state.workId - 1))).toEqual({ state, effects: [] })
  }
})

const KEYED = ['session-listed', 'session-renamed', 'feedback-given', 'version-settled'] as const

test.each(KEYED)('ignores %s of another session', (type) => {
  for (const name of ALL) {
    const { state } = CHATS[name]()
    const event = { ...sampleOf(type, state.workId), key: OTHER_KEY } as ChatEvent
    expect(reduceChat(state, event)).toEqual({ state, effects: [] })
  }
})
