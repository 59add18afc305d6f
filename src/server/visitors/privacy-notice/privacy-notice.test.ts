import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NoticeVersion } from '../../../contract/config.ts'
import { loadPrivacyNotices } from './privacy-notice.ts'
import type { NoticeFacts } from './standard-notice.ts'

const FACTS: NoticeFacts = {
  name: 'Parley',
  retentionDays: 0,
  reportDays: 30,
  staffReading: false,
  frameChats: 'remember',
  isEmbedded: false,
  takesMessages: false,
  contact: 'privacy@example.org',
  modelProvider: null,
  modelRunsHere: true,
  checkedBy: null,
  lookups: null,
  voiceInput: false,
}

test('states the facts of the installation in the requested language, as the same version', async () => {
  const notices = await loadPrivacyNotices(FACTS, null)
  const [english, german, none] = [notices.in(undefined), notices.in('de'), notices.in('tlh')]
  expect(english.markdown).toContain('A chat is deleted 1 hour after')
  expect(english.markdown).toContain('Write to **privacy@example.org**.')
  expect(english.markdown).toMatch(/\n- \*\*Your messages, the files you attach and the answers\*\* are stored.*\n- \*\*Usage:/)
  expect(NoticeVersion.safeParse(english.version).success).toBe(true)
  expect(german).toMatchObject({ language: 'de', version: english.version })
  expect(german.markdown).toContain('Ein Chat wird 1 Stunde nach')
  expect(german.markdown).not.toContain('{')
  expect(none).toEqual(english)
  expect((await loadPrivacyNotices({ ...FACTS, contact: null }, null)).version).not.toBe(english.version)
})

test.each([{ modelProvider: 'api.example.org' }, { checkedBy: 'checker.example.org' }, { lookups: 'search.example.org' }])(
  'says that messages are sent to nobody else, except with %j',
  async (facts) => {
    const sentence = 'Your messages aren’t sent to anyone else.'
    const noticeOf = async (change: Partial<NoticeFacts>) => (await loadPrivacyNotices({ ...FACTS, ...change }, null)).in('en').markdown
    expect(await noticeOf({})).toContain(sentence)
    expect(await noticeOf(facts)).not.toContain(sentence)
  },
)

test('says when chats on other sites end, where that is not the usual time', async () => {
  const sentence = 'On a site that includes this chat, your chats end when you close the browser'
  const noticeOf = async (frameChats: NoticeFacts['frameChats']) =>
    (await loadPrivacyNotices({ ...FACTS, frameChats }, null)).in('en').markdown
  expect(await noticeOf('visit')).toContain(sentence)
  expect(await noticeOf('remember')).not.toContain(sentence)
})

test('names what an embedding site tells of its page, where a site can embed the chat', async () => {
  const noticeOf = async (isEmbedded: boolean) => (await loadPrivacyNotices({ ...FACTS, isEmbedded }, null)).in('en').markdown
  expect(await noticeOf(true)).toContain('another website that shows this chat can tell it a title and an address')
  expect(await noticeOf(false)).not.toContain('another website')
})

test('says before anything else that staff can read, where they can, and no longer that they can’t', async () => {
  const [without, reading] = await Promise.all([false, true].map((staffReading) => loadPrivacyNotices({ ...FACTS, staffReading }, null)))
  const [, first] = reading!.in('en').markdown.split('\n\n')
  expect(first).toContain('Our staff can read the messages that you send after accepting this notice')
  expect(reading!.in('de').markdown.split('\n\n')[1]).toContain('Unser Team kann')
  expect(without!.in('en').markdown).not.toContain('Our staff can read the messages')
  expect(without!.in('en').markdown).toContain('and nothing else of your chat')
  expect(reading!.in('en').markdown).not.toContain('nothing else of your chat')
  expect(reading!.version).not.toBe(without!.version)
  expect(reading!.in('ar').version).toBe(reading!.version)
})

test('the operator’s own notice begins with the same sentence in each language, and is another version', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notice-'))
  try {
    const file = join(folder, 'notice.md')
    writeFileSync(file, '# Hinweis')
    const [without, reading] = await Promise.all([false, true].map((staffReading) => loadPrivacyNotices({ ...FACTS, staffReading }, file)))
    expect(reading!.in('de').markdown).toMatch(/^\*\*Unser Team kann .*\n\n# Hinweis$/s)
    expect(reading!.in('tlh').markdown).toMatch(/^\*\*Our staff can read .*\n\n# Hinweis$/s)
    expect(reading!.in('de').version).toBe(reading!.in('fr').version)
    expect(reading!.version).not.toBe(without!.version)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the operator’s own notice is the same for all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'notice-'))
  try {
    writeFileSync(join(folder, 'notice.md'), '# Hinweis')
    const notices = await loadPrivacyNotices(FACTS, join(folder, 'notice.md'))
    expect(notices.in('de')).toEqual({ version: notices.version, markdown: '# Hinweis', language: null })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
