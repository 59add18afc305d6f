import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KnowledgeView, UploadDetails } from '../../src/contract/staff/content/knowledge.ts'
import type { ApprovedAnswerView } from '../../src/contract/staff/content/approved-answers.ts'
import type { Evaluation } from '../../src/contract/staff/content/evaluations.ts'
import type { CreatedToken } from '../../src/contract/staff/tokens.ts'
import type { WriteScope } from '../../src/contract/staff/token-scopes.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { pdfOf } from '../support/pdf.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, type StaffReply, WITH_CONSOLE } from '../support/staff-client.ts'

const AGENT = '---\nid: library\nname: Library\ngreeting: Hello.\n---\nAnswer.\n'
const HOURS = '# Opening hours\n\n## When is the library open?\n\nThe library is open until nine in the evening.\n'
const CASES = '- name: hours\n  prompt: When is the library open?\n  contains: ten\n'
const ANSWER = {
  question: 'What does a library card cost?',
  matches: [],
  mustNotMatch: [],
  languages: ['en'],
  owner: 'Library',
  sourceTitle: 'Fees',
  sourceUrl: '',
  validFrom: '2020-01-01',
  validUntil: '2099-12-31',
  text: 'A library card costs twelve euros.',
}

describe.each(DATABASES)('tokens that write, on %s', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-writes-'))
  let server: TestServer
  let owner: StaffClient
  let drafts: CreatedToken
  let both: CreatedToken
  let elsewhere: CreatedToken
  let reads: CreatedToken
  beforeAll(async () => {
    for (const name of ['agents', 'knowledge']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'knowledge/town.md'), '# Town\n\n## Where is the town hall?\n\nThe town hall is at the market square.\n')
    writeFileSync(join(folder, 'agents/assistant.md'), AGENT.replace('id: library', 'id: assistant'))
    const env = { ...WITH_CONSOLE, AGENTS_DIR: join(folder, 'agents'), KNOWLEDGE_DIR: join(folder, 'knowledge') }
    server = await startServer({ database, env })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    drafts = (await create(['write:drafts'])).body
    both = (await create(['write:drafts', 'publish'])).body
    elsewhere = (await create(['write:drafts', 'publish'], { collection: 'theatre' })).body
    reads = (await owner.call<CreatedToken>('POST', 'tokens', { name: 'Report', scopes: ['read:audit-log'] })).body
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const create = (scopes: WriteScope[], more: object = {}) =>
    owner.call<CreatedToken>('POST', 'tokens', { name: `Script for ${scopes.join()}`, scopes, collection: 'library', ...more })
  /** As `curl` sends it: no cookie, no `Origin`. */
  async function curl<T>(
    { token }: CreatedToken,
    method: string,
    path: string,
    body?: string | Buffer<ArrayBuffer>,
    type = 'application/json',
  ): Promise<StaffReply<T & { code?: string }>> {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) }
    const response = await fetch(`${owner.origin}/api/staff/v1/${path}`, { method, headers, ...(body !== undefined && { body }) })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const push = (token: CreatedToken, id: string, text: string | Buffer<ArrayBuffer> = HOURS, type = 'text/markdown') =>
    curl<UploadDetails>(token, 'PUT', `documents/${id}`, text, type)
  const answerOf = async (prompt: string) => (await sendPrompt(server.url, 'assistant', prompt)).text()
  const stateOf = async (id: string) => {
    const { body } = await owner.call<KnowledgeView>('GET', 'knowledge')
    return body.documents.find(({ upload }) => upload?.id === id)?.state
  }
  /** The newest actions of a token in the audit log, newest first. */
  const actionsOf = async ({ id }: CreatedToken, count: number) => {
    const { body } = await owner.call<{ entries: { action: string; actorName: string }[] }>('GET', `audit?actor=token:${id}`)
    return body.entries.slice(0, count).map(({ action, actorName }) => `${action} by ${actorName}`)
  }

  test('need a collection, have no other agents, and work for at most 90 days', async () => {
    expect((await create(['publish'], { collection: null })).status).toBe(400)
    expect((await create(['publish'], { collection: 'a/b' })).status).toBe(400)
    expect((await create(['publish'], { days: 91 })).status).toBe(400)
    expect((await owner.call('POST', 'tokens', { name: 'a', scopes: ['read:status'], collection: 'library' })).status).toBe(400)
  })

  test('a document pushed with "publish" answers; the same one again changes nothing; another file replaces it', async () => {
    const first = await push(both, 'library-hours')
    expect(first).toMatchObject({ status: 200, body: { id: 'library-hours', name: 'library-hours.md', isDraft: false, version: 1 } })
    expect(first.body.owner).toBe(both.name)
    await eventually(async () => expect(await answerOf('When is the library open?')).toContain('nine'))
    expect((await push(both, 'library-hours')).body).toMatchObject({ revision: first.body.revision, version: 1 })
    const named = await curl<UploadDetails>(both, 'PUT', 'documents/library-hours?title=Hours&owner=Ada', HOURS, 'text/markdown')
    expect(named.body).toMatchObject({ version: 1, title: 'Hours', owner: 'Ada' })
    expect((await push(both, 'library-hours', HOURS.replace('nine', 'ten'))).body).toMatchObject({
      version: 2,
      title: 'Hours',
      owner: 'Ada',
    })
    await eventually(async () => expect(await answerOf('When is the library open?')).toContain('ten'))
    expect(await actionsOf(both, 3)).toEqual(
      ['document.replace', 'document.edit', 'document.upload'].map((one) => `${one} by ${both.name}`),
    )
  })

  test('a document pushed with "write:drafts" answers only after staff have published it, and is theirs from then on', async () => {
    const { status, body } = await push(drafts, 'library-cellar', '# Cellar\n\n## What is in the cellar?\n\nThe cellar has maps.\n')
    expect({ status, isDraft: body.isDraft }).toEqual({ status: 200, isDraft: true })
    expect((await push(drafts, 'library-cellar', '# Cellar\n\n## What is in the cellar?\n\nThe cellar has atlases.\n')).status).toBe(200)
    expect(await stateOf('library-cellar')).toBe('draft')
    expect(await answerOf('What is in the cellar?')).not.toContain('atlases')
    const { body: seen } = await owner.call<UploadDetails>('GET', 'knowledge/uploads/library-cellar')
    const { revision: base, owner: who, title, language, validUntil } = seen
    const published = await owner.call('POST', 'knowledge/uploads/library-cellar', { base, owner: who, title, language, validUntil })
    expect(published).toMatchObject({ status: 200, body: { isDraft: false } })
    await eventually(async () => expect(await answerOf('What is in the cellar?')).toContain('atlases'))
    expect((await push(drafts, 'library-cellar')).body.code).toBe('token_insufficient')
    expect((await curl(drafts, 'DELETE', 'documents/library-cellar')).body.code).toBe('token_insufficient')
    expect((await curl(both, 'DELETE', 'documents/library-cellar')).status).toBe(200)
    expect((await curl(both, 'DELETE', 'documents/library-cellar')).status).toBe(404)
    expect(await actionsOf(both, 1)).toEqual([`document.delete by ${both.name}`])
  })

  test('HTML and files are pushed by their type or name; what can’t be read is refused', async () => {
    expect((await push(both, 'library-page', '<h1>Fees</h1><p>Two euros a week.</p>', 'text/html; charset=utf-8')).body.name).toBe(
      'library-page.html',
    )
    const pdf = Buffer.from(pdfOf(['The reading room closes at noon.']))
    expect((await push(both, 'library-room', pdf, 'application/pdf')).body.name).toBe('library-room.pdf')
    const file = await curl<UploadDetails>(both, 'PUT', 'documents/library-file?name=room%20plan.pdf', pdf, 'application/octet-stream')
    expect(file.body.name).toBe('room plan.pdf')
    expect((await push(both, 'library-long', 'A long document. '.repeat(60_000))).status).toBe(200)
    expect((await push(both, 'library-none', pdf, 'application/octet-stream')).body.code).toBe('document_type')
    expect((await push(both, 'library-none', 'a', 'application/pdf')).body.code).toBe('document_unreadable')
    expect((await push(both, 'library-none', '')).body.code).toBe('document_unreadable')
    expect((await push(both, 'library-none', '{}', 'application/json')).status).toBe(415)
    expect((await push(both, 'Library%20none')).status).toBe(403)
    for (const id of ['library-page', 'library-room', 'library-file', 'library-long'])
      expect((await curl(both, 'DELETE', `documents/${id}`)).status).toBe(200)
  })

  test('an approved answer is drafted with one scope, published and withdrawn with the other', async () => {
    const path = 'approved-answers/library-card'
    const draft = JSON.stringify({ id: 'library-card', content: { ...ANSWER, text: 'A card is cheap.' } })
    expect((await curl(drafts, 'POST', 'approved-answers', draft)).status).toBe(200)
    const saved = await curl(drafts, 'POST', `${path}/draft`, JSON.stringify({ content: ANSWER, basedOn: 1 }))
    expect(saved.status).toBe(200)
    const { body } = await curl<ApprovedAnswerView>(drafts, 'GET', path)
    const revision = body.managed?.draft.revision
    expect((await curl(drafts, 'POST', `${path}/publication`, JSON.stringify({ revision }))).body.code).toBe('token_insufficient')
    expect((await curl(both, 'POST', `${path}/publication`, JSON.stringify({ revision: 1 }))).body.code).toBe('changed_meanwhile')
    expect((await curl(both, 'POST', `${path}/publication`, JSON.stringify({ revision }))).status).toBe(200)
    await eventually(async () => expect(await answerOf(ANSWER.question)).toContain('twelve euros'))
    expect((await curl<ApprovedAnswerView>(both, 'GET', path)).body.managed?.publications[0]?.by).toBe(both.name)
    expect((await curl(both, 'DELETE', `${path}/publication`)).status).toBe(200)
    expect((await curl(drafts, 'DELETE', path)).status).toBe(200)
    expect(await actionsOf(drafts, 3)).toEqual(
      ['approved.delete', 'approved.save-draft', 'approved.create'].map((one) => `${one} by ${drafts.name}`),
    )
    expect(await actionsOf(both, 2)).toEqual(['approved.withdraw', 'approved.publish'].map((one) => `${one} by ${both.name}`))
  })

  test('an answer with problems isn’t published with a token either', async () => {
    const draft = JSON.stringify({ id: 'library-empty', content: { ...ANSWER, owner: '' } })
    expect((await curl(both, 'POST', 'approved-answers', draft)).status).toBe(200)
    const published = await curl(both, 'POST', 'approved-answers/library-empty/publication', JSON.stringify({ revision: 1 }))
    expect(published.body.code).toBe('approved_mistaken')
  })

  test('cases are saved, and an evaluation is started and read', async () => {
    await owner.call('POST', 'agents', { id: 'library', text: AGENT })
    expect((await curl(drafts, 'POST', 'agents/library/cases', JSON.stringify({ text: CASES, basedOn: 0 }))).status).toBe(200)
    const started = await curl<{ number: number }>(drafts, 'POST', 'agents/library/evaluations', JSON.stringify({ revision: 1 }))
    expect(started.status).toBe(200)
    await eventually(async () => {
      const { body } = await curl<Evaluation>(drafts, 'GET', `agents/library/evaluations/${started.body.number}`)
      expect(body).toMatchObject({ status: 'done', by: drafts.name })
    })
    expect(await actionsOf(drafts, 2)).toEqual(['agent.evaluate', 'agent.save-cases'].map((one) => `${one} by ${drafts.name}`))
    for (const path of ['agents/library/draft', 'agents/library/publication'])
      expect((await curl(both, 'POST', path, '{}')).body.code, path).toBe('token_insufficient')
  })

  test('another collection, another scope, an ended token and a page of another site are refused, and change nothing', async () => {
    const calls: [method: string, path: string, body?: string, type?: string][] = [
      ['PUT', 'documents/library-hours', HOURS, 'text/markdown'],
      ['PUT', 'documents/libraryhours', HOURS, 'text/markdown'],
      ['DELETE', 'documents/library-hours'],
      ['POST', 'approved-answers', JSON.stringify({ id: 'library-new', content: ANSWER })],
      ['GET', 'approved-answers/library-empty'],
      ['POST', 'approved-answers/library-empty/draft', JSON.stringify({ content: ANSWER, basedOn: 1 })],
      ['POST', 'approved-answers/library-empty/publication', JSON.stringify({ revision: 1 })],
      ['DELETE', 'approved-answers/library-empty'],
      ['POST', 'agents/library/cases', JSON.stringify({ text: '', basedOn: 1 })],
      ['POST', 'agents/library/evaluations', JSON.stringify({ revision: 1 })],
    ]
    for (const [method, path, body, type] of calls)
      for (const token of [elsewhere, reads])
        expect((await curl(token, method, path, body, type)).body.code, path).toBe('token_insufficient')
    expect(await actionsOf(elsewhere, 9)).toEqual([])
    for (const sender of ['https://evil.example', 'null'])
      expect(
        (
          await fetch(`${owner.origin}/api/staff/v1/documents/library-hours`, {
            method: 'DELETE',
            headers: { authorization: `Bearer ${both.token}`, origin: sender },
          })
        ).status,
      ).toBe(403)
    await owner.call('DELETE', `tokens/${both.id}`)
    expect((await curl(both, 'DELETE', 'documents/library-hours')).status).toBe(401)
    expect(await stateOf('library-hours')).toBe('answers')
  })
})
