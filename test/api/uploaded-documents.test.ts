import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { KnowledgeView, UploadDetails } from '../../src/contract/staff/content/knowledge.ts'
import { readinessDetails, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { pdfBombOf, pdfOf } from '../support/pdf.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, type StaffReply, WITH_CONSOLE } from '../support/staff-client.ts'

const METRICS_TOKEN = 'mR7-tq2-Lw9-pX4-zB8'
const agentFile = (name: string, knowledge: string) => `---\nid: ${name}\nname: ${name}\ngreeting: Hello.\n${knowledge}---\nAnswer.\n`

describe.each(DATABASES)('uploaded documents on %s', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-uploads-'))
  let server: TestServer
  let editor: StaffClient
  let reviewer: StaffClient
  beforeAll(async () => {
    for (const name of ['agents', 'knowledge', 'knowledge/handbook']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'knowledge/town.md'), '# Town\n\n## Where is the town hall?\n\nThe town hall is at the market square.\n')
    writeFileSync(join(folder, 'agents/assistant.md'), agentFile('everything', ''))
    writeFileSync(join(folder, 'agents/uploads.md'), agentFile('uploads', 'knowledge: ["source:uploads"]\n'))
    writeFileSync(join(folder, 'agents/handbook.md'), agentFile('handbook', 'knowledge: [handbook]\n'))
    const env = {
      ...WITH_CONSOLE,
      METRICS_TOKEN,
      ...withConstants({ uploadBytes: 1024 * 1024 }),
      AGENTS_DIR: join(folder, 'agents'),
      KNOWLEDGE_DIR: join(folder, 'knowledge'),
    }
    server = await startServer({ database, env })
    const { origin, link } = await consoleOf(server)
    const owner = new StaffClient(origin)
    await owner.enter(link)
    editor = await owner.colleague('editor')
    reviewer = await owner.colleague('reviewer')
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const ask = async (prompt: string, agent = 'everything') =>
    (await (await sendPrompt(server.url, agent, prompt)).json()) as SendPromptReply & { sources: { file: string; title: string }[] }
  const upload = (name: string, content: string | Uint8Array, more: Record<string, string> = {}) =>
    editor.call<UploadDetails & { code?: string; detail?: string }>(
      'POST',
      `knowledge/uploads?${new URLSearchParams({ name, owner: 'Treasury', ...more }).toString()}`,
      Buffer.from(content),
    )
  const replace = ({ id, name, revision }: UploadDetails, content: string) =>
    editor.call<UploadDetails & { code?: string }>(
      'POST',
      `knowledge/uploads/${id}/versions?${new URLSearchParams({ base: String(revision), name }).toString()}`,
      Buffer.from(content),
    )
  const remove = ({ id, revision }: UploadDetails) => editor.call('DELETE', `knowledge/uploads/${id}?base=${revision}`)
  const listed = async (file: string) => {
    const { body } = await reviewer.call<KnowledgeView>('GET', 'knowledge')
    return body.documents.find((document) => document.file === file)
  }
  const stored = async (reply: Promise<StaffReply<UploadDetails & { code?: string }>>) => {
    const { status, body } = await reply
    expect({ status, body }).toMatchObject({ status: 200 })
    return body
  }

  test('answer with themselves as source, for agents that name them or have everything, until they are deleted', async () => {
    const pdf = pdfOf(['A parking permit for residents costs 43 euros a year.'], 'Parking permits')
    const document = await stored(upload('Parking.pdf', pdf, { title: 'Parking fees' }))
    expect(document).toMatchObject({ name: 'Parking.pdf', file: 'source:uploads/Parking.pdf', revision: 1, version: 1, text: null })
    for (const agent of ['everything', 'uploads'])
      await eventually(async () => {
        const { response, sources } = await ask('What does a parking permit for residents cost?', agent)
        expect(response).toContain('43 euros')
        expect(sources).toMatchObject([{ file: 'source:uploads/Parking.pdf', title: expect.stringContaining('Parking fees') }])
      })
    expect((await ask('What does a parking permit for residents cost?', 'handbook')).response).not.toContain('43 euros')
    expect(await listed('source:uploads/Parking.pdf')).toMatchObject({
      source: 'uploads',
      state: 'answers',
      title: 'Parking fees',
      bytes: pdf.length,
      passages: 1,
      problems: [],
      upload: { owner: 'Treasury' },
    })
    expect(await listed('town.md')).toMatchObject({ source: 'folder', state: 'answers', passages: 1, upload: null })
    expect((await remove(document)).status).toBe(200)
    await eventually(async () => expect((await ask('What does a parking permit for residents cost?')).response).not.toContain('43 euros'))
    expect(await listed('source:uploads/Parking.pdf')).toBeUndefined()
  })

  test('have versions, of which an earlier one can be restored', async () => {
    const text = (fee: number) => `# Dogs\n\n## How much is the dog tax?\n\nThe dog tax is ${fee} euros a year.\n`
    const answers = (fee: number) =>
      eventually(async () => expect((await ask('How much is the dog tax?')).response).toContain(`${fee} euros`))
    const first = await stored(upload('dogs.md', text(96)))
    await answers(96)
    const second = await stored(replace(first, text(120)))
    expect(second).toMatchObject({ revision: 2, version: 2, text: text(120) })
    await answers(120)
    const restore = () =>
      editor.call<UploadDetails>('POST', `knowledge/uploads/${first.id}/restoration`, { base: second.revision, version: 1 })
    const third = await stored(restore())
    expect(third).toMatchObject({ revision: 3, version: 3, text: text(96) })
    expect(third.versions.map(({ number }) => number)).toEqual([3, 2, 1])
    await answers(96)
    const { origin, cookie } = reviewer
    const content = await fetch(`${origin}/api/staff/v1/knowledge/uploads/${first.id}/versions/2/content`, {
      headers: { cookie: cookie ?? '' },
    })
    expect(await content.text()).toBe(text(120))
    expect(content.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''dogs.md")
    expect(content.headers.get('content-type')).toBe('application/octet-stream')
    let last = third
    for (let fee = 1; fee <= 10; fee += 1) last = await stored(replace(last, text(fee)))
    expect(last.versions.map(({ number }) => number)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
    await remove(last)
  })

  test('tell the second of two editors, and change nothing', async () => {
    const first = await stored(upload('fees.md', '# Fees\n\nOne euro.\n'))
    const [mine, theirs] = await Promise.all([replace(first, '# Fees\n\nTwo euros.\n'), replace(first, '# Fees\n\nThree euros.\n')])
    expect(new Set([mine.status, theirs.status])).toEqual(new Set([200, 409]))
    const [winner, loser] = mine.status === 200 ? [mine, theirs] : [theirs, mine]
    expect(loser.body).toMatchObject({ code: 'changed_meanwhile' })
    const facts = { base: first.revision, owner: 'Somebody else' }
    expect(await editor.call('POST', `knowledge/uploads/${first.id}`, facts)).toMatchObject({ status: 409 })
    expect((await remove(first)).status).toBe(409)
    const { body } = await reviewer.call<UploadDetails>('GET', `knowledge/uploads/${first.id}`)
    expect(body).toEqual(winner.body)
    await remove(body)
  })

  test('stop answering after their last day, and are reported with their owner', async () => {
    const document = await stored(upload('pool.md', '# Dogs\n\n## How much is the dog tax?\n\nThe dog tax is 96 euros a year.\n'))
    const answers = async () => (await ask('How much is the dog tax?')).response.includes('96 euros')
    await eventually(async () => expect(await answers()).toBe(true))
    const change = (base: number, validUntil: string) =>
      editor.call<UploadDetails>('POST', `knowledge/uploads/${document.id}`, { base, owner: 'Ada', validUntil })
    const expired = await stored(change(document.revision, '2020-01-31'))
    expect(expired).toMatchObject({ isExpired: true, owner: 'Ada', validUntil: '2020-01-31' })
    await eventually(async () => expect(await answers()).toBe(false))
    const problem = 'expired on 2020-01-31 and is no longer used. Ask Ada for a new version.'
    expect(await listed('source:uploads/pool.md')).toMatchObject({ state: 'expired', problems: [problem] })
    expect((await readinessDetails(server, METRICS_TOKEN)).join('\n')).toContain(`source:uploads/pool.md: ${problem}`)
    const valid = await stored(change(expired.revision, ''))
    await eventually(async () => expect(await answers()).toBe(true))
    await remove(valid)
  })

  // A bomb takes seconds of a processor.
  test.skipIf(database === 'postgres')('are not stored when they cannot be read, with the reason', async () => {
    const page = `${'<div>'.repeat(20_000)}text`
    const cases: [name: string, content: string | Uint8Array, status: number, code: string, detail?: string][] = [
      ['broken.pdf', '%PDF-1.7 and nothing else', 422, 'document_unreadable'],
      ['bomb.pdf', pdfBombOf(600), 422, 'document_unreadable'],
      ['nested.html', page, 422, 'document_unreadable'],
      ['empty.md', '', 422, 'document_unreadable', 'It is empty.'],
      ['blank.md', ' \n\n \n', 422, 'document_unreadable', 'It is without any text.'],
      ['hebrew.md', Buffer.from('2320f9ed20eee7e9f80a', 'hex'), 422, 'document_unreadable', 'It is not written in UTF-8.'],
      ['picture.png', 'PNG', 422, 'document_type'],
      ['program.page', '{}', 422, 'document_type'],
      ['none', 'text', 422, 'document_type'],
      ['large.md', 'a'.repeat(1024 * 1024 + 1), 413, 'body_too_large'],
    ]
    for (const [name, content, status, code, detail] of cases) {
      const reply = await upload(name, content)
      expect({ name, status: reply.status, body: reply.body }).toMatchObject({ name, status, body: { code, ...(detail && { detail }) } })
      expect(await listed(`source:uploads/${name}`)).toBeUndefined()
    }
  })

  test('keep of a hostile name only what is harmless, and no second document of a name', async () => {
    const hostile = ['../../etc/passwd.md', '..\\..\\windows.md', '\u202egnp.md', 'a\u0000b\n.md', '<img src=x onerror=alert(1)>.md']
    const names = ['etc-passwd.md', 'windows.md', 'gnp.md', 'a-b-.md', 'img src=x onerror=alert(1)-.md']
    for (const [at, name] of hostile.entries()) {
      const document = await stored(upload(name, `# Number ${at}\n\nText.\n`))
      expect(document.name).toBe(names[at])
      expect(await upload(name, '# Another\n')).toMatchObject({ status: 409, body: { code: 'document_exists' } })
      await remove(document)
    }
    for (const name of ['', '...', '/']) expect(await upload(name, 'text')).toMatchObject({ status: 400 })
    for (const more of [{ owner: '' }, { validUntil: 'soon' }, { validUntil: '2026-02-30' }, { language: 'German!' }, { more: '1' }])
      expect(await upload('a.md', 'text', more as Record<string, string>)).toMatchObject({ status: 400 })
  })

  test('say which name is too long, and at which length', async () => {
    expect(await upload(`${'n'.repeat(148)}.md`, '# Dogs\n')).toMatchObject({
      status: 422,
      body: { code: 'document_unreadable', detail: 'Its name is too long: 150 characters at most.' },
    })
    expect(await upload(`${'n'.repeat(147)}.md`, '# Dogs\n')).toMatchObject({ status: 200 })
  })

  test('and websites of the own network are not added by staff, who are told whom to ask', async () => {
    const { status, body } = await editor.call<{ title: string; detail?: string }>('POST', 'knowledge/websites', {
      address: 'http://127.0.0.1:9/',
    })
    expect({ status, ...body }).toMatchObject({ status: 422, title: 'A server administrator has to add sites of your own network.' })
    expect(body.detail).toBeUndefined()
  })

  test('are only read by reviewers', async () => {
    const { origin } = reviewer
    expect(await reviewer.call('GET', 'knowledge')).toMatchObject({ status: 200 })
    const query = new URLSearchParams({ name: 'mine.md', owner: 'me' }).toString()
    expect(await reviewer.call('POST', `knowledge/uploads?${query}`, Buffer.from('# Mine\n'))).toMatchObject({ status: 403 })
    expect((await fetch(`${origin}/api/staff/v1/knowledge`)).status).toBe(401)
  })
})
