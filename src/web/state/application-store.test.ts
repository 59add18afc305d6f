import { beforeEach, expect, test, vi } from 'vitest'
import type { SessionSummary } from '../../contract/sessions.ts'
import type { ChatSession } from './chat-session.ts'

const session = (change: Partial<ChatSession> = {}): ChatSession => ({
  key: 'a',
  title: '',
  messages: [],
  answer: { status: 'none' },
  ...change,
})
const summary = (key: string) => ({ key, title: key, updatedAt: key, pinned: false }) as SessionSummary

async function store() {
  const { useApplication, changes, chatEvents } = await import('./application-store.ts')
  return { flags: () => useApplication.getState(), changes, chatEvents }
}

beforeEach(() => vi.resetModules())

test.each([
  ['none', false],
  ['opening', false],
  ['unavailable', false],
  ['rejected', false],
  ['sending', true],
  ['answering', true],
] as const)('derives isSendingChat from the answer: %s', async (status, isSending) => {
  const { flags, changes } = await store()
  changes.chatChanged(session({ answer: { status } as ChatSession['answer'] }))
  expect(flags()).toMatchObject({ isSendingChat: isSending, currentSession: { answer: { status } } })
  changes.chatChanged(null)
  expect(flags()).toMatchObject({ isSendingChat: false, currentSession: null })
})

test('isFetchingChatSession is true while the list is requested', async () => {
  const { flags, changes } = await store()
  expect(flags().isFetchingChatSession).toBe(false)
  changes.sessionsRequested()
  expect(flags().isFetchingChatSession).toBe(true)
  changes.sessionsReceived({ sessions: [summary('a')], next: 'more' })
  expect(flags()).toMatchObject({ isFetchingChatSession: false, chatSessions: [{ key: 'a' }], nextSessions: 'more' })
  changes.sessionsRequested()
  changes.moreSessionsReceived({ sessions: [summary('0')], next: null })
  expect(flags()).toMatchObject({ isFetchingChatSession: true, chatSessions: [{ key: 'a' }, { key: '0' }] })
  changes.sessionsFailed()
  expect(flags()).toMatchObject({ isFetchingChatSession: false, chatSessions: [{ key: 'a' }, { key: '0' }] })
})

test('a temporary chat is chosen before it begins, and ends with its session', async () => {
  const { flags, changes } = await store()
  changes.temporaryChanged(true)
  expect(flags().isTemporary).toBe(true)
  changes.chatChanged(session({ isTemporary: true }))
  expect(flags().isTemporary).toBe(true)
  changes.chatChanged(null)
  expect(flags().isTemporary).toBe(false)
  changes.temporaryChanged(true)
  changes.chatChanged(session())
  expect(flags().isTemporary).toBe(false)
})

test('declining the notice empties the list, and tells the chat machine', async () => {
  const { flags, changes, chatEvents } = await store()
  const dispatch = vi.spyOn(chatEvents, 'dispatch')
  changes.policyAccepted()
  changes.noticeOpened()
  changes.sessionsReceived({ sessions: [summary('a')], next: 'more' })
  expect(flags()).toMatchObject({ acceptsPrivacyPolicy: true, privacyNoticeDialog: true })
  changes.policyDeclined()
  changes.noticeClosed()
  expect(flags()).toMatchObject({ acceptsPrivacyPolicy: false, privacyNoticeDialog: false, chatSessions: [], nextSessions: null })
  expect(dispatch).toHaveBeenCalledWith({ type: 'consent-withdrawn' })
})

test('a changed session renames the open chat; a deleted one leaves the list, with its draft unless it is open', async () => {
  const { flags, changes, chatEvents } = await store()
  const { changeDraft, draftOf } = await import('./drafts.ts')
  const dispatch = vi.spyOn(chatEvents, 'dispatch')
  changes.sessionChanged({ ...summary('a'), title: 'renamed' })
  expect(dispatch).toHaveBeenCalledWith({ type: 'session-renamed', key: 'a', title: 'renamed' })
  changes.sessionChanged(summary('b'))
  changes.chatChanged(session({ key: 'a' }))
  for (const key of ['a', 'b']) changeDraft(key, { text: 'typed' })
  for (const key of ['a', 'b']) changes.sessionDeleted(key)
  expect(flags().chatSessions).toEqual([])
  expect([draftOf('a').text, draftOf('b').text]).toEqual(['typed', ''])
})

test('the connection is live, being restored, or limited until a time', async () => {
  const { flags, changes } = await store()
  changes.connectionLost()
  expect(flags().connection).toBe('restoring')
  const before = Date.now()
  changes.connectionLost(60)
  const { limitedUntil } = flags().connection as { limitedUntil: number }
  expect(limitedUntil).toBeGreaterThanOrEqual(before + 60_000)
  changes.connectionRestored()
  expect(flags().connection).toBe('live')
})
