import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type {
  ApprovedAnswerList,
  ApprovedAnswerView,
  ApprovedDraft,
  CheckedApprovedDraft,
} from '../../src/contract/staff/content/approved-answers.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { createDatabase } from '../support/postgres.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const FEE: ApprovedDraft = {
  question: 'How much is the dog tax?',
  matches: ['What do I pay in dog tax?'],
  mustNotMatch: ['When is the dog tax due?'],
  languages: ['en'],
  owner: 'Treasury',
  sourceTitle: 'Dog tax statute',
  sourceUrl: 'https://example.org/dogs',
  validFrom: '2026-01-01',
  validUntil: '9999-12-31',
  text: 'Dog tax is **96 euros** a year.',
}
const about = (animal: string, changes: Partial<ApprovedDraft> = {}): ApprovedDraft => ({
  ...FEE,
  question: `How much is the ${animal} tax?`,
  matches: [],
  mustNotMatch: [],
  text: `The ${animal} tax is 1 euro.`,
  ...changes,
})
const ask = async ({ url }: TestServer, prompt: string, agent = 'me') =>
  (await (await sendPrompt(url, agent, prompt)).json()) as SendPromptReply

async function ownerOf(server: TestServer): Promise<StaffClient> {
  const { origin, link } = await consoleOf(server)
  const owner = new StaffClient(origin)
  await owner.enter(link)
  return owner
}

describe.each(DATABASES)('approved answers in the console on %s', (database) => {
  let folder: string
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-approved-'))
    mkdirSync(join(folder, 'knowledge', 'approved'), { recursive: true })
    mkdirSync(join(folder, 'agents'))
    writeFileSync(join(folder, 'agents', 'assistant.md'), '---\nname: Assistant\ngreeting: Hello\n---\nAnswer.\n')
    writeFileSync(join(folder, 'agents', 'other.md'), '---\nname: Other\ngreeting: Hello\nknowledge: []\n---\nAnswer.\n')
    writeFileSync(
      join(folder, 'knowledge', 'approved', 'cat-tax.md'),
      '---\nquestion: How much is the cat tax?\nlanguages: [en]\nowner: Treasury\nsource: Statute\nvalidFrom: 2026-01-01\nvalidUntil: 9999-12-31\n---\nNothing, says the file.\n',
    )
    const env = { ...WITH_CONSOLE, AGENTS_DIR: join(folder, 'agents'), KNOWLEDGE_DIR: join(folder, 'knowledge') }
    server = await startServer({ database, env })
    owner = await ownerOf(server)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const list = async () => (await owner.call<ApprovedAnswerList>('GET', 'approved-answers')).body
  const view = async (id: string) => (await owner.call<ApprovedAnswerView>('GET', `approved-answers/${encodeURIComponent(id)}`)).body
  const create = (id: string, content: ApprovedDraft) => owner.call('POST', 'approved-answers', { id, content })
  const save = (id: string, content: ApprovedDraft, basedOn: number) =>
    owner.call('POST', `approved-answers/${id}/draft`, { content, basedOn })
  const publish = (id: string, revision: number) =>
    owner.call<{ number: number; detail?: string }>('POST', `approved-answers/${id}/publication`, { revision })
  const problemsOf = async (id: string, content: ApprovedDraft) =>
    (await owner.call<CheckedApprovedDraft>('POST', `approved-answers/${id}/check`, { content })).body.problems

  test('are given from their publication on, until they are withdrawn, and can be rolled back', async () => {
    expect(await create('dog-tax', FEE)).toMatchObject({ status: 200 })
    expect((await ask(server, 'what do I pay in dog tax')).response).not.toContain('96')
    expect(await publish('dog-tax', 1)).toMatchObject({ status: 200, body: { number: 1 } })
    expect(await ask(server, 'what do I pay in dog tax')).toMatchObject({
      response: 'Dog tax is **96 euros** a year.',
      state: 'answered',
      sources: [{ title: 'Dog tax statute', address: 'https://example.org/dogs', asOf: '2026-01-01', file: 'approved/dog-tax.md' }],
    })
    expect((await ask(server, 'When is the dog tax due?')).response).not.toContain('96')
    expect((await ask(server, 'what do I pay in dog tax', 'other')).response).not.toContain('96')

    expect(await save('dog-tax', { ...FEE, text: 'It is 99 euros.' }, 1)).toMatchObject({ status: 200 })
    expect((await list()).managed).toMatchObject([{ id: 'dog-tax', state: 'answers', published: 1, hasChanges: true, owner: 'Treasury' }])
    expect(await publish('dog-tax', 2)).toMatchObject({ status: 200, body: { number: 2 } })
    expect((await ask(server, 'How much is the dog tax?')).response).toBe('It is 99 euros.')
    expect(await owner.call('POST', 'approved-answers/dog-tax/roll-back', { number: 1 })).toMatchObject({
      status: 200,
      body: { number: 3 },
    })
    expect((await ask(server, 'How much is the dog tax?')).response).toBe(FEE.text)
    expect(await view('dog-tax')).toMatchObject({
      agents: ['Assistant'],
      file: null,
      managed: {
        state: 'answers',
        draft: { content: { text: 'It is 99 euros.' }, revision: 2, by: 'First owner', problems: [] },
        publications: [
          { number: 3, restores: 1, content: FEE, by: 'First owner' },
          { number: 2, restores: null },
          { number: 1, content: FEE },
        ],
      },
    })

    expect(await owner.call('DELETE', 'approved-answers/dog-tax')).toMatchObject({ status: 409, body: { code: 'approved_in_force' } })
    expect(await owner.call('DELETE', 'approved-answers/dog-tax/publication')).toMatchObject({ status: 200 })
    expect((await ask(server, 'How much is the dog tax?')).response).not.toContain('96')
    expect(await owner.call('DELETE', 'approved-answers/dog-tax')).toMatchObject({ status: 200 })
    expect(await owner.call('GET', 'approved-answers/dog-tax')).toMatchObject({ status: 404 })
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    const actions = body.entries.map(({ action }) => action).filter((action) => action.startsWith('approved.'))
    expect(actions).toEqual(
      ['delete', 'withdraw', 'roll-back', 'publish', 'save-draft', 'publish', 'create'].map((action) => `approved.${action}`),
    )
  })

  test('are published once by two at the same time, and restored once', async () => {
    expect(await create('goat-tax', { ...FEE, question: 'How much is the goat tax?', matches: [] })).toMatchObject({ status: 200 })
    const both = async (call: () => Promise<{ status: number }>) =>
      (await Promise.all([call(), call()])).map(({ status }) => status).toSorted((one, other) => one - other)
    expect(await both(() => publish('goat-tax', 1))).toEqual([200, 409])
    expect(await save('goat-tax', { ...FEE, question: 'How much is the goat tax?', matches: [], text: 'Nothing.' }, 1)).toMatchObject({
      status: 200,
    })
    expect(await both(() => publish('goat-tax', 2))).toEqual([200, 409])
    expect(await both(() => owner.call('POST', 'approved-answers/goat-tax/roll-back', { number: 1 }))).toEqual([200, 409])
    expect((await view('goat-tax')).managed?.publications.map(({ number }) => number)).toEqual([3, 2, 1])
    expect(await owner.call('DELETE', 'approved-answers/goat-tax/publication')).toMatchObject({ status: 200 })
    expect(await publish('goat-tax', 2)).toMatchObject({ status: 200, body: { number: 4 } })
  })

  test('with problems are saved with the names of their fields, and not published', async () => {
    const empty = { question: '', matches: [], mustNotMatch: [], languages: [], text: ' ', validFrom: '', validUntil: 'soon' }
    await create('wrong', { ...empty, owner: ' ', sourceTitle: '', sourceUrl: '' })
    const { managed } = await view('wrong')
    const fields = ['question', 'languages', 'owner', 'sourceTitle', 'validFrom', 'validUntil', 'text']
    expect(managed?.draft.problems.map(({ field }) => field).toSorted()).toEqual(fields.toSorted())
    expect(await publish('wrong', 1)).toMatchObject({ status: 409, body: { code: 'approved_mistaken', detail: expect.any(String) } })
    expect(await problemsOf('new', about('horse'))).toEqual([])
    for (const [changes, field, line] of [
      [{ sourceUrl: 'javascript:alert(1)' }, 'sourceUrl', null],
      [{ validUntil: '2025-01-01' }, 'validUntil', null],
      [{ validFrom: '2020-01-01', validUntil: '2020-12-31' }, 'validUntil', null],
      [{ matches: ['a', 'x'.repeat(301)] }, 'matches', 2],
      [{ mustNotMatch: ['Is there a horse tax?', 'How much is the horse tax'] }, 'mustNotMatch', 2],
      [{ text: 'x'.repeat(8_001) }, 'text', null],
    ] as const)
      expect(await problemsOf('new', { ...about('horse'), ...changes } as ApprovedDraft)).toContainEqual(
        expect.objectContaining({ field, line, message: expect.stringMatching(/\.$/) }),
      )
    expect(await problemsOf('new', about('cat'))).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: 'question', message: expect.stringContaining('approved/cat-tax.md') })]),
    )
    const takes = await problemsOf('new', about('cat', { question: 'What is the cat tax statute?', matches: ['How much is the cat tax?'] }))
    expect(takes).toEqual([{ field: 'matches', line: 1, message: 'Is also a wording of approved/cat-tax.md; neither answers it.' }])
    expect(await create('Not an id', FEE)).toMatchObject({ status: 400 })
  })

  test('lose nothing when two editors save the same draft, nor publish what nobody has seen', async () => {
    await create('bird-tax', about('bird'))
    const texts = ['One euro.', 'Two euros.']
    const replies = await Promise.all(texts.map((text) => save('bird-tax', about('bird', { text }), 1)))
    expect(replies.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
    expect(replies.find(({ status }) => status === 409)).toMatchObject({ body: { code: 'changed_meanwhile' } })
    const won = texts[replies.findIndex(({ status }) => status === 200)]
    expect(await view('bird-tax')).toMatchObject({ managed: { draft: { content: { text: won }, revision: 2 } } })
    expect(await publish('bird-tax', 1)).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
    expect(await create('bird-tax', about('bird'))).toMatchObject({ status: 409, body: { code: 'approved_exists' } })
  })

  test('leave an id to the file that has it, which both sides say; files are listed and read-only', async () => {
    await create('cat-tax', about('cat', { question: 'How high is the tax on cats?' }))
    expect(await publish('cat-tax', 1)).toMatchObject({ status: 200 })
    expect((await ask(server, 'How much is the cat tax?')).response).toBe('Nothing, says the file.')
    const { managed, files } = await list()
    expect(managed.find(({ id }) => id === 'cat-tax')).toMatchObject({ state: 'hidden', hiddenBy: 'approved/cat-tax.md' })
    expect(files).toMatchObject([{ id: 'cat-tax', file: 'approved/cat-tax.md', question: 'How much is the cat tax?', state: 'answers' }])
    expect(await view('cat-tax')).toMatchObject({
      file: { file: 'approved/cat-tax.md', content: { owner: 'Treasury', text: 'Nothing, says the file.' } },
      managed: { hiddenBy: 'approved/cat-tax.md', published: 1 },
    })
    const { body } = await owner.call<{ problems: { detail: string }[] }>('GET', 'status')
    expect(body.problems.map(({ detail }) => detail)).toContainEqual(
      expect.stringContaining('approved/cat-tax.md has the id of the managed'),
    )
  })

  test('are left out and named when a file comes to answer the same', async () => {
    await create('fish-tax', about('fish', { matches: ['fish tax per year'] }))
    await publish('fish-tax', 1)
    expect((await ask(server, 'How much is the fish tax?')).response).toBe('The fish tax is 1 euro.')
    const file = join(folder, 'knowledge', 'approved', 'fish.md')
    const front = 'languages: [en]\nowner: Treasury\nsource: Statute\nvalidFrom: 2026-01-01\nvalidUntil: 9999-12-31'
    writeFileSync(file, `---\nquestion: How much is the fish tax?\n${front}\n---\nNothing.\n`)
    await eventually(async () => expect((await list()).files.map((one) => one.file)).toContain('approved/fish.md'))
    expect((await ask(server, 'How much is the fish tax?')).response).not.toMatch(/1 euro|Nothing/)
    rmSync(file)
    await eventually(async () => expect((await ask(server, 'How much is the fish tax?')).response).toBe('The fish tax is 1 euro.'))
  })

  test('stay over a restart', async () => {
    await create('snail-tax', about('snail'))
    await publish('snail-tax', 1)
    await server.restart()
    owner.cookie = null
    expect((await ask(server, 'How much is the snail tax?')).response).toBe('The snail tax is 1 euro.')
  })
})

test('a publication is in force on every process within about a second, without Redis', async () => {
  const shared = await createDatabase()
  const ledger = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
  const env = { ERASURE_LEDGER: ledger, DATABASE_URL: shared.url, INSTALLATION_KEY: randomBytes(32).toString('hex') }
  const [near, far] = await Promise.all([
    startServer({ database: 'sqlite', env: { ...env, ...WITH_CONSOLE } }),
    startServer({ database: 'sqlite', env }),
  ])
  try {
    const owner = await ownerOf(near)
    await owner.call('POST', 'approved-answers', { id: 'dog-tax', content: FEE })
    await owner.call('POST', 'approved-answers/dog-tax/publication', { revision: 1 })
    await eventually(async () => expect((await ask(far, 'How much is the dog tax?')).response).toBe(FEE.text))
    await owner.call('DELETE', 'approved-answers/dog-tax/publication')
    await eventually(async () => expect((await ask(far, 'How much is the dog tax?')).response).not.toBe(FEE.text))
  } finally {
    await Promise.all([near.stop(), far.stop()])
    await shared.drop()
    rmSync(ledger, { recursive: true })
  }
})
