import { beforeEach, expect, test, vi } from 'vitest'
import type { SessionSummary } from '../../contract/chat/sessions.ts'
import type { ChatSession } from './chat-session.ts'

const session = (change: Partial<ChatSession> = {}): ChatSession => ({
  key: 'a',
  title: '',
  messages: [],
  answer: { status: 'none' },
  ...change,
})
const summary = (key: string) => ({ key, title: key, updatedAt: key }) as SessionSummary

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

test('hasInit is false until the page has started', async () => {
  const { flags, changes } = await store()
  expect(flags().hasInit).toBe(false)
  changes.initialized()
  expect(flags().hasInit).toBe(true)
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

test('a prompt that is held before the decision waits for acceptance, and stays with the visitor if the notice is closed or declined', async () => {
  const { flags, changes } = await store()
  changes.noticeOffered()
  expect(flags()).toMatchObject({ consent: 'open', privacyNoticeDialog: true, noticeRequests: 0 })
  changes.promptHeld()
  expect(flags()).toMatchObject({ consent: 'awaited', acceptsPrivacyPolicy: false, privacyNoticeDialog: true, noticeRequests: 1 })
  changes.noticeOpened()
  expect(flags()).toMatchObject({ consent: 'awaited', noticeRequests: 2 })
  changes.noticeClosed()
  expect(flags()).toMatchObject({ consent: 'open', privacyNoticeDialog: false, noticeRequests: 0 })
  changes.promptHeld()
  changes.policyDeclined()
  expect(flags()).toMatchObject({ consent: 'declined', privacyNoticeDialog: false })
  changes.noticeOpened()
  changes.noticeClosed()
  expect(flags().consent).toBe('declined')
  changes.promptHeld()
  changes.policyAccepted()
  expect(flags()).toMatchObject({ consent: 'accepted', acceptsPrivacyPolicy: true, privacyNoticeDialog: false, noticeRequests: 0 })
  changes.promptHeld()
  expect(flags()).toMatchObject({ consent: 'accepted', privacyNoticeDialog: false })
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

test('a deleted session leaves the list alone', async () => {
  const { flags, changes } = await store()
  changes.sessionsReceived({ sessions: [summary('c'), summary('b'), summary('a')], next: 'more' })
  changes.sessionDeleted('b')
  expect(flags()).toMatchObject({ chatSessions: [{ key: 'c' }, { key: 'a' }], nextSessions: 'more' })
})

test('a connection is live, being restored, or limited for as many seconds as the server says', async () => {
  vi.useFakeTimers({ now: 5_000 })
  const { flags, changes } = await store()
  changes.connectionLost('chat', 30)
  expect(flags().connection).toEqual({ limitedUntil: 35_000 })
  changes.connectionLost('chat')
  expect(flags().connection).toBe('restoring')
  changes.connectionRestored('chat')
  expect(flags().connection).toBe('live')
  vi.useRealTimers()
})

test('what the chat waits for is shown until the chat is back, whatever the list does, and the other way around', async () => {
  const { flags, changes } = await store()
  changes.connectionLost('chat', 30)
  changes.connectionLost('list')
  changes.connectionRestored('list')
  expect(flags().connection).toHaveProperty('limitedUntil')
  changes.connectionLost('list')
  changes.connectionRestored('chat')
  expect(flags().connection).toBe('restoring')
})

test('a changed session is listed in its place, and a shared computer is known', async () => {
  const { flags, changes } = await store()
  changes.sessionsReceived({ sessions: [summary('a')], next: null })
  changes.sessionChanged(summary('b'))
  expect(flags().chatSessions.map(({ key }) => key)).toEqual(['b', 'a'])
  changes.sharedComputerChanged(true)
  expect(flags().isSharedComputer).toBe(true)
  changes.sharedComputerChanged(false)
  expect(flags().isSharedComputer).toBe(false)
})
