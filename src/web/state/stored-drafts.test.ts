import { beforeEach, expect, test, vi } from 'vitest'
import type { PublicConfiguration } from '../../contract/config.ts'
import type { FilePart } from '../../contract/chat/parts/file.ts'
import { tabStorage } from '../../ui/storage/storage.ts'
import { useApplication } from './application-store.ts'
import { type Answer, type ChatSession, EMPTY_ANSWER, newSession, promptMessage } from './chat-session.ts'
import { changeDraft, DRAFTS_KEY, draftOf, dropDraft, forgetDrafts, NEW_CHAT, useDrafts } from './drafts.ts'
import { useConfiguration } from './configuration.ts'
import { restoreDraft, restoreDrafts, saveUnsent, storeDrafts } from './stored-drafts.ts'

const FILE: FilePart = { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: '/api/v1/files/f1' }
const UNSENT = { prompt: 'Hi', id: 'p' }
const SENDING: Answer = { status: 'sending', unsent: UNSENT }
const REJECTED: Answer = { status: 'rejected', code: 'network', retry: UNSENT }
const sessionWith = (answer: Answer, files: FilePart[] = []): ChatSession => newSession('one', promptMessage('p', 'Hi', files), answer)

beforeEach(() => {
  forgetDrafts()
  useApplication.setState({ currentSession: null, isTemporary: false, isSharedComputer: false })
})

/** Texts of the drafts after a reload, by session key. */
function reload(): Record<string, string> {
  storeDrafts()
  useDrafts.setState({ drafts: new Map() })
  restoreDrafts()
  return Object.fromEntries([...useDrafts.getState().drafts].map(([key, { text }]) => [key, text]))
}

test('drafts survive a reload', () => {
  changeDraft('one', { text: 'for one' })
  changeDraft(NEW_CHAT, { text: 'for a new chat' })
  expect(reload()).toEqual({ one: 'for one', [NEW_CHAT]: 'for a new chat' })
})

test.each<{ title: string; answer: Answer; drafts: Record<string, string> }>([
  { title: 'a prompt being sent', answer: SENDING, drafts: { [NEW_CHAT]: 'Hi\nmore' } },
  { title: 'a rejected prompt', answer: REJECTED, drafts: { [NEW_CHAT]: 'Hi\nmore' } },
  {
    title: 'no prompt that is being answered',
    answer: { status: 'answering', turn: 't', message: EMPTY_ANSWER, connection: 'live' },
    drafts: { [NEW_CHAT]: 'more' },
  },
  { title: 'the draft of a chat that is opening', answer: { status: 'opening' }, drafts: { one: 'more' } },
  { title: 'the draft of an unavailable chat', answer: { status: 'unavailable', code: 'network' }, drafts: { one: 'more' } },
])('a reload restores $title', ({ answer, drafts }) => {
  useApplication.setState({ currentSession: sessionWith(answer) })
  changeDraft('one', { text: 'more' })
  expect(reload()).toEqual(drafts)
})

test('the prompt that a stored chat could not send stays with that chat', () => {
  const session = sessionWith(REJECTED)
  useApplication.setState({ currentSession: { ...session, messages: [{ ...session.messages[0]!, id: 'm_1' }, ...session.messages] } })
  expect(reload()).toEqual({ one: 'Hi' })
})

test('the last prompt keeps its own files, not those of an earlier one', () => {
  const session = sessionWith(REJECTED)
  const messages = [promptMessage('m_1', 'Earlier', [FILE]), promptMessage('p', 'Hi', [{ ...FILE, filename: 'b.txt' }])]
  useApplication.setState({ currentSession: { ...session, messages } })
  reload()
  expect(draftOf('one').files.map(({ name }) => name)).toEqual(['b.txt'])
})

test('stores no draft on a shared computer, and none of a temporary chat', () => {
  changeDraft('other', { text: 'kept' })
  changeDraft(NEW_CHAT, { text: 'temporary' })
  useApplication.setState({ isTemporary: true })
  expect(reload()).toEqual({ other: 'kept' })
  tabStorage.removeItem(DRAFTS_KEY)
  useApplication.setState({ isTemporary: false, isSharedComputer: true })
  expect(reload()).toEqual({})
})

test('stores files that the server has', () => {
  const stored = { id: 'f1', name: 'a.txt', status: 'stored', part: FILE, isCut: true } as const
  const sending = { id: 'f2', name: 'b.txt', status: 'sending', source: new File([], 'b.txt') } as const
  changeDraft('one', { files: [stored, sending] })
  reload()
  expect(draftOf('one').files).toEqual([stored])
})

test('stores the drafts changed last, up to the limit, and nothing if there are none', () => {
  changeDraft('first', { text: 'x' })
  changeDraft('second', { text: 'x'.repeat(250_000) })
  changeDraft('third', { text: 'x'.repeat(250_000) })
  expect(Object.keys(reload())).toEqual(['second', 'third'])
  forgetDrafts()
  storeDrafts()
  expect(tabStorage.getItem(DRAFTS_KEY)).toBeNull()
})

test('a stored draft is masked, and shows the values again after a reload', () => {
  useConfiguration.setState({ agent: { personalData: { card: 'mask' } } } as unknown as PublicConfiguration)
  changeDraft('one', { text: 'Card 4111 1111 1111 1111' })
  expect(reload()).toEqual({ one: 'Card 4111 1111 1111 1111' })
  expect(tabStorage.getItem(DRAFTS_KEY)).not.toContain('4111')
  expect(tabStorage.getItem('personal-values')).toContain('4111')
  useConfiguration.setState(null, true)
})

test('storage that fails or has invalid content restores no draft', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  changeDraft('one', { text: 'x' })
  storeDrafts()
  const setItem = vi.spyOn(tabStorage, 'setItem').mockImplementation(() => {
    throw new Error('full')
  })
  expect([reload(), error.mock.calls.length]).toEqual([{}, 1])
  setItem.mockRestore()
  tabStorage.setItem(DRAFTS_KEY, '[')
  restoreDrafts()
  expect([useDrafts.getState().drafts.size, error.mock.calls.length]).toEqual([0, 2])
  error.mockRestore()
})

test('the rejected prompt of a new chat becomes the draft of the next new chat', () => {
  changeDraft('one', { text: 'more' })
  saveUnsent(sessionWith(REJECTED))
  expect([draftOf('one').text, draftOf(NEW_CHAT).text]).toEqual(['', 'Hi\nmore'])
})

test('failed prompts that others follow become part of the draft when the chat is left', () => {
  const failed = [
    { message: promptMessage('q', 'Earlier', []), unsent: { prompt: 'Earlier', id: 'q' }, code: 'internal', after: null },
  ] as const
  saveUnsent({ ...sessionWith(REJECTED), failed })
  expect(draftOf(NEW_CHAT).text).toBe('Earlier\nHi')
  dropDraft(NEW_CHAT)
  saveUnsent({ ...sessionWith(SENDING), failed })
  expect(draftOf(NEW_CHAT).text).toBe('Earlier')
})

test('leaving a chat saves no prompt that is being sent, and nothing of a temporary chat', () => {
  saveUnsent(sessionWith(SENDING))
  expect(draftOf(NEW_CHAT).text).toBe('')
  changeDraft('one', { text: 'more' })
  saveUnsent({ ...sessionWith(REJECTED), isTemporary: true })
  expect(useDrafts.getState().drafts.size).toBe(0)
})

test('a prompt returns with its files, and an edited prompt without them', () => {
  const message = promptMessage('p', 'Hi', [FILE, { type: 'file', mediaType: 'image/png', url: '/api/v1/files/f2' }])
  restoreDraft('one', UNSENT, message)
  expect(draftOf('one').files).toMatchObject([{ id: FILE.url, name: 'a.txt', status: 'stored', part: FILE, isCut: false }, { name: '' }])
  restoreDraft('edited', { ...UNSENT, edits: 'm_1' }, message)
  restoreDraft('without', UNSENT, undefined)
  expect([draftOf('edited'), draftOf('without')]).toEqual([
    { text: 'Hi', files: [] },
    { text: 'Hi', files: [] },
  ])
})
