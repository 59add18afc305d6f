import { expect, test, vi } from 'vitest'
import type { AttachableFile } from '../store/sessions/files.ts'
import type { Verdict } from '../safety/moderation/moderator.ts'
import { promptMessage } from './prompt-message.ts'

const FILE: AttachableFile = {
  id: 'f_1',
  name: 'notes.pdf',
  mediaType: 'application/pdf',
  bytes: 3,
  text: 'of the file',
  isInSession: false,
}
const moderatorWith = (verdict: Verdict) => ({ check: vi.fn<(text: string) => Promise<Verdict>>(async () => verdict) })

test('a message has its files, then its text', async () => {
  expect(await promptMessage({ prompt: 'read it', attachments: [FILE] }, null)).toEqual({
    id: expect.stringMatching(/./),
    role: 'user',
    parts: [
      { type: 'file', mediaType: 'application/pdf', filename: 'notes.pdf', url: expect.stringContaining('f_1') },
      { type: 'text', text: 'read it' },
    ],
  })
})

test('a missing file is rejected before anything is moderated', async () => {
  const moderator = moderatorWith('allowed')
  expect(await promptMessage({ prompt: 'read them', attachments: [FILE, null] }, moderator)).toEqual({
    kind: 'rejected',
    code: 'file_unknown',
  })
  expect(moderator.check).not.toHaveBeenCalled()
})

test('the history of a temporary chat, the texts of files and the prompt are moderated together, without empty ones', async () => {
  const moderator = moderatorWith('allowed')
  const history = [{ id: 'm_1', role: 'user' as const, parts: [{ type: 'text' as const, text: 'before' }] }]
  const attachments = [FILE, { ...FILE, text: null }]
  expect(await promptMessage({ prompt: 'read them', attachments, temporary: { history } }, moderator)).toMatchObject({ role: 'user' })
  expect(moderator.check.mock.calls).toEqual([['before\n\nof the file\n\nread them']])
})

test('blocked text and an unavailable moderation are rejected by different codes', async () => {
  expect(await promptMessage({ prompt: 'hi' }, moderatorWith('blocked'))).toEqual({ kind: 'rejected', code: 'prompt_blocked' })
  expect(await promptMessage({ prompt: 'hi' }, moderatorWith('unavailable'))).toEqual({ kind: 'rejected', code: 'moderation_unavailable' })
})
