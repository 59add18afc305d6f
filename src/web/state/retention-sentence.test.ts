import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

async function sentenceOn(search: string, privacy: { retentionDays: number; frameChats: 'visit' }) {
  vi.stubGlobal('location', { search })
  const { retentionSentence } = await import('./retention-sentence.ts')
  return retentionSentence(privacy as Parameters<typeof retentionSentence>[0])
}

test.each([
  ['', 0, 'deleted 1 hour after'],
  ['', 1, 'deleted 1 day after'],
  ['', 30, 'deleted 30 days after'],
  ['?embed', 30, 'deleted 2 hours after'],
])('a page opened with "%s" says of chats that are kept for %i days that they are %s', async (search, retentionDays, expected) => {
  expect(await sentenceOn(search, { retentionDays, frameChats: 'visit' })).toContain(expected)
})
