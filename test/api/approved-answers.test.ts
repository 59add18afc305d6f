import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { allEvents, cookieOf, sendPrompt, streamPrompt } from '../support/api.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { eventually } from '../support/eventually.ts'
import { obey } from '../support/obedient-model.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const TOKEN = 'a-token-for-operators'
const HEADER = `languages: [en]
owner: Treasury
source: { title: Dog tax statute, url: "https://example.org/dogs" }
validFrom: 2026-01-01
validUntil: 9999-12-31
`

describe('approved answers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'approved-answers-'))
  let model: ScriptedModel
  let server: TestServer

  const write = (name: string, text: string) => writeFileSync(join(directory, 'knowledge', 'approved', name), text)
  beforeAll(async () => {
    mkdirSync(join(directory, 'knowledge', 'approved'), { recursive: true })
    writeFileSync(join(directory, 'knowledge', 'dogs.md'), '# Dogs\n\nDogs must be registered.\n')
    write(
      'dog-tax.md',
      `---\nquestion: How much is the dog tax?\n${HEADER}mustNotMatch: [When is the dog tax due?]\n---\nDog tax is **96 euros** a year.\n`,
    )
    write(
      'books.md',
      `---\nquestion: How long may I keep a book?\n${HEADER.replace(/source.*\n/, 'source: Library rules\n')}---\nFour weeks.\n`,
    )
    write('no-owner.md', `---\nquestion: How much is the cat tax?\n${HEADER.replace(/owner.*\n/, '')}---\nNothing.\n`)
    writeFileSync(join(directory, 'assistant.md'), '---\nname: Assistant\ngreeting: Hello.\n---\nYou are the assistant.\n')
    writeFileSync(join(directory, 'other.md'), '---\nname: Other\ngreeting: Hello.\nknowledge: []\n---\nYou are another assistant.\n')
    model = await startScriptedModel()
    const env = {
      AGENTS_DIR: directory,
      KNOWLEDGE_DIR: join(directory, 'knowledge'),
      OPENAI_BASE_URL: model.baseUrl,
      MODEL: 'm',
      METRICS_TOKEN: TOKEN,
    }
    server = await startServer({ database: 'sqlite', env })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
    rmSync(directory, { recursive: true })
  })

  const ask = async (prompt: string, agent = 'me') => (await (await sendPrompt(server.url, agent, prompt)).json()) as SendPromptReply

  test('answer without a model, with their source', async () => {
    const before = model.requests.length
    expect(await ask('how much is the dog tax')).toMatchObject({
      response: 'Dog tax is **96 euros** a year.',
      state: 'answered',
      sources: [{ title: 'Dog tax statute', address: 'https://example.org/dogs', asOf: '2026-01-01', file: 'approved/dog-tax.md' }],
    })
    expect(model.requests).toHaveLength(before)
  })

  test('say in the stream and in the stored answer from when they are valid', async () => {
    const approved = { fixedReply: 'approved', approvedOn: '2026-01-01' }
    const response = await streamPrompt(server.url, 'me', 'How much is the dog tax?')
    const cookie = cookieOf(response)
    const chunks = (await allEvents(response)).map(({ chunk }) => chunk)
    expect(chunks).toContainEqual({ type: 'message-metadata', messageMetadata: approved })
    const start = chunks.find((chunk) => chunk.type === 'start')
    const session = await fetch(`${server.url}/api/v1/sessions/${start?.messageMetadata?.sessionId}`, { headers: { cookie } })
    const { messages } = (await session.json()) as { messages: ChatMessage[] }
    expect(messages.at(-1)?.metadata).toMatchObject({ ...approved, state: 'answered', aiGenerated: true })
  })

  test('name their source by its title, and never by their file, in what visitors take along', async () => {
    const response = await sendPrompt(server.url, 'me', 'How long may I keep a book?')
    const headers = { cookie: cookieOf(response) }
    const { session_id: key, sources } = (await response.json()) as SendPromptReply
    expect(sources).toMatchObject([{ title: 'Library rules', breadcrumb: 'Library rules', address: null }])
    const markdown = await (await fetch(`${server.url}/api/v1/sessions/${key}/export?format=markdown`, { headers })).text()
    expect(markdown).toContain('Sources:\n\n- [1] Library rules, as of 2026-01-01\n')
    expect(markdown).not.toContain('approved/')
  })

  test('are not searched', async () => {
    model.script(obey)
    expect((await ask('use search_knowledge {"query":"dog tax register dogs"}')).response).toMatch(/^(?!.*96 euros).*must be registered/s)
  })

  test.each([
    ['a near miss', 'When is the dog tax due?', 'me'],
    ['an agent without that knowledge', 'How much is the dog tax?', 'other'],
    ['a file without an owner', 'How much is the cat tax?', 'me'],
  ])('leave %s to the model', async (_, prompt, agent) => {
    model.script(() => [{ text: 'From the model.' }])
    expect(await ask(prompt, agent)).toMatchObject({ response: 'From the model.' })
  })

  test('name mistakes in the log and in the details of readiness', async () => {
    const mistake = 'approved/no-owner.md, line 2: owner is missing; it is left out'
    await eventually(() => expect(server.output()).toContain(mistake))
    const readiness = await fetch(`${server.url}/readyz`, { headers: { authorization: `Bearer ${TOKEN}` } })
    expect(await readiness.json()).toMatchObject({ problems: ['knowledge'], details: [mistake] })
  })

  test('apply when files change', async () => {
    write('bird-tax.md', `---\nquestion: How much is the bird tax?\n${HEADER}---\nThere is none.\n`)
    write('later.md', 'This is no approved answer.')
    await eventually(() => expect(server.output()).toContain('approved/later.md'))
    expect((await ask('How much is the bird tax?')).response).toBe('There is none.')
  })
})

test('an approved answer is also given to prompts that mean the same, and exact ones alone while the endpoint for embeddings fails', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'approved-near-'))
  mkdirSync(join(directory, 'approved'))
  writeFileSync(join(directory, 'approved', 'dog-tax.md'), `---\nquestion: How much is the dog tax?\n${HEADER}---\n96 euros.\n`)
  const endpoint = await startEmbeddingServer((text) => (/\bdog\b/i.test(text) ? [1, 0.1] : [0.1, 1]))
  const env = { KNOWLEDGE_DIR: directory, EMBEDDING_MODEL: 'm', EMBEDDING_BASE_URL: endpoint.baseUrl }
  const server = await startServer({ database: 'sqlite', env })
  const ask = async (prompt: string) => (await (await sendPrompt(server.url, 'me', prompt)).json()) as SendPromptReply
  await eventually(async () => expect((await ask('What does keeping a dog cost?')).response).toBe('96 euros.'))
  expect(await ask('What does keeping a dog cost?')).toMatchObject({ state: 'answered', sources: [{ file: 'approved/dog-tax.md' }] })
  expect((await ask('What does keeping a cat cost?')).response).not.toBe('96 euros.')
  endpoint.isThere = false
  expect((await ask('Tell me the cost of keeping a dog')).response).not.toBe('96 euros.')
  expect((await ask('how much is the dog tax')).response).toBe('96 euros.')
  expect(await server.stop(), server.output()).toBe(0)
  await endpoint.close()
  rmSync(directory, { recursive: true })
})
