import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat.ts'
import type { SessionDetail } from '../../src/contract/sessions.ts'
import type { TopicList } from '../../src/contract/staff/questions.ts'
import { cookieOf } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

interface Chat {
  cookie: string
  session: string
  state: string
}

describe.each(DATABASES)('questions without an answer on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: WITH_CONSOLE })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(() => server.stop())

  /** Asks as a new visitor, or in a chat. */
  async function ask(prompt: string, { body = {}, chat }: { body?: object; chat?: Chat } = {}): Promise<Chat> {
    const response = await fetch(`${server.url}/api/v1/agent/chat/me${chat ? `?session_id=${chat.session}` : ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(chat && { cookie: chat.cookie }) },
      body: JSON.stringify({ prompt, ...body }),
    })
    const { session_id: session, state } = (await response.json()) as SendPromptReply
    return { cookie: chat?.cookie ?? cookieOf(response), session, state }
  }
  const askAll = async (prompts: string[]) => {
    const chats: Chat[] = []
    for (const prompt of prompts) chats.push(await ask(prompt))
    return chats
  }
  const erase = ({ cookie, session }: Chat) => fetch(`${server.url}/api/v1/sessions/${session}`, { method: 'DELETE', headers: { cookie } })
  const topics = async () => (await owner.call<TopicList>('GET', 'questions')).body.topics

  test('are a topic from five visitors on, until a deletion leaves four', async () => {
    const chats = await askAll(['zeppelin rides', 'Where do zeppelins land?', 'zeppelin', 'book a zeppelin please'])
    expect(chats.map(({ state }) => state)).toEqual(['not_covered', 'not_covered', 'not_covered', 'not_covered'])
    await ask('my zeppelin, temporarily', { body: { temporary: true, history: [] } })
    await ask('another zeppelin of mine', { chat: chats[0]! })
    expect(await topics()).toEqual([])
    const fifth = await ask('zeppelin over Ada Lovelace Street 7')
    expect(await topics()).toMatchObject([{ words: [expect.stringMatching(/^zeppelin…?$/)], visitors: 5, prompts: 6 }])
    expect(JSON.stringify(await topics())).not.toMatch(/lovelace|ada/i)
    expect((await erase(fifth)).status).toBe(200)
    expect(await topics()).toEqual([])
  })

  test('include answers that visitors rated down', async () => {
    const chats = await askAll(['What is Parley?', 'Is Parley free?', 'How do I start Parley?', 'Parley on PostgreSQL', 'Parley database'])
    expect(await topics()).toMatchObject([{ words: ['parley'], ratedDown: 0 }])
    for (const { cookie, session } of chats) {
      const { messages } = (await (
        await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })
      ).json()) as SessionDetail
      const response = await fetch(`${server.url}/api/v1/sessions/${session}/feedback`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ message: messages.at(-1)?.id, thumb: 'down', reason: 'a secret reason' }),
      })
      expect(response.status).toBe(200)
    }
    expect(await topics()).toMatchObject([{ words: ['parley'], ratedDown: 5 }])
    expect(JSON.stringify(await topics())).not.toContain('secret')
  })

  test('are dismissed by editors, which the audit log records', async () => {
    await askAll(['trampoline', 'a trampoline', 'trampoline park', 'big trampoline', 'old trampoline'])
    const topic = (await topics()).find(({ words }) => words.includes('trampoline'))
    const reviewer = await owner.colleague('reviewer')
    expect(await reviewer.call('POST', `questions/${topic?.id}/dismissal`, {})).toMatchObject({ status: 403 })
    expect(await owner.call('POST', `questions/${topic?.id}/dismissal`, {})).toMatchObject({ status: 200 })
    expect((await topics()).map(({ id }) => id)).not.toContain(topic?.id)
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    expect(body.entries[0]?.action).toBe('topic.dismiss')
  })
})
