import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { HeldPages, HeldPageTexts, HeldPageView } from '../../src/contract/staff/content/held-pages.ts'
import type { KnowledgeView, WebsiteView } from '../../src/contract/staff/content/knowledge.ts'
import type { AuditPage } from '../../src/contract/staff/people.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'
import { sitePage, startWebsite, type Website } from '../support/website.ts'

const SUBJECTS = ['parking', 'passports', 'library', 'waste', 'marriage', 'dogs', 'swimming']
const PATIENCE_MS = 60_000
const PATH = 'knowledge/websites/town/held-pages'
const question = (subject: string) => `How much is the fee for ${subject}?`
const page = (subject: string, fee: string) =>
  sitePage(subject).replace('</main>', `<h2>${question(subject)}</h2><p>The fee for ${subject} is ${fee}.</p></main>`)

describe.each(DATABASES)('the held pages of a website on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-held-pages-'))
  let site: Website
  let server: TestServer
  let owner: StaffClient
  let editor: StaffClient
  let reviewer: StaffClient
  beforeAll(async () => {
    site = await startWebsite()
    for (const subject of SUBJECTS) site.pages.set(`/${subject}`, page(subject, `${subject.length} euros`))
    site.list(SUBJECTS.map((subject) => `/${subject}`))
    mkdirSync(join(directory, 'knowledge'))
    mkdirSync(join(directory, 'agents'))
    writeFileSync(join(directory, 'agents/assistant.md'), '---\nname: Town\ngreeting: Hello.\nknowledge: ["source:town"]\n---\nAnswer.\n')
    const keys = `    website: ${site.url}/sitemap.xml\n    network: private\n    delay: 0\n`
    writeFileSync(join(directory, 'knowledge/sources.yaml'), `sources:\n  - id: town\n${keys}`)
    server = await startServer({
      database,
      env: { ...WITH_CONSOLE, AGENTS_DIR: join(directory, 'agents'), KNOWLEDGE_DIR: join(directory, 'knowledge') },
    })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    editor = await owner.colleague('editor')
    reviewer = await owner.colleague('reviewer')
    // Pages answer while the first run goes on: it has to be over before they change.
    await eventually(async () => expect(await website()).toMatchObject({ lastRun: { outcome: 'done' } }), PATIENCE_MS)
    await eventually(async () => expect(await answer('parking')).toContain('7 euros'), PATIENCE_MS)
    // Three of seven pages: more than a fifth.
    site.pages.set('/parking', page('parking', '99 euros'))
    site.pages.delete('/dogs')
    site.pages.set('/bees', page('bees', '4 euros'))
    site.list([...SUBJECTS, 'bees'].filter((subject) => subject !== 'dogs').map((subject) => `/${subject}`))
    await editor.call('POST', 'knowledge/websites/town/actions', { action: 'sync' })
    const heldBack = { waits: true, holdsPages: true, lastRun: { outcome: 'held' } }
    await eventually(async () => expect(await website()).toMatchObject(heldBack), PATIENCE_MS)
  })
  afterAll(async () => {
    await server.stop()
    await site.close()
    rmSync(directory, { recursive: true })
  })

  const answer = async (subject: string) =>
    ((await (await sendPrompt(server.url, 'assistant', question(subject))).json()) as SendPromptReply).response
  const website = async () =>
    (await editor.call<KnowledgeView>('GET', 'knowledge')).body.websites.find(({ id }) => id === 'town') as WebsiteView
  const held = async (by = editor) => (await by.call<HeldPages>('GET', PATH)).body
  const decide = (pages: readonly HeldPageView[], decision: 'accept' | 'keep', by = editor) =>
    by.call<{ code?: string; detail?: string; message?: string }>('POST', PATH, {
      decisions: pages.map(({ address, before, after }) => ({ address, decision, before, after })),
    })

  test('are decided one by one, each in force within seconds; the second of two editors is told', async () => {
    const { pages, total } = await held(reviewer)
    expect(total).toBe(3)
    expect(pages).toMatchObject([
      { address: `${site.url}/bees`, kind: 'new', before: null, mayKeep: true },
      { address: `${site.url}/dogs`, kind: 'gone', after: null, reason: 'Nothing leads to it any more.' },
      { address: `${site.url}/parking`, kind: 'changed' },
    ])
    const [bees, dogs, parking] = pages as [HeldPageView, HeldPageView, HeldPageView]
    const texts = await reviewer.call<HeldPageTexts>('GET', `${PATH}/texts?before=${parking.before}&after=${parking.after}`)
    expect(texts.body).toMatchObject({
      before: expect.stringContaining('## How much is the fee for parking?\n\nThe fee for parking is 7 euros.'),
      after: expect.stringContaining('99 euros'),
      isCut: false,
    })
    expect(await reviewer.call('GET', `${PATH}/texts?after=${'0'.repeat(64)}`)).toMatchObject({ status: 404 })
    expect(await decide([parking], 'accept', reviewer)).toMatchObject({ status: 403 })
    // Nothing of a visitor's answers has changed so far.
    expect(await answer('parking')).toContain('7 euros')
    expect(await decide([parking], 'accept')).toMatchObject({ status: 200, body: { message: expect.stringContaining('2 wait') } })
    await eventually(async () => expect(await answer('parking')).toContain('99 euros'), PATIENCE_MS)
    expect(await answer('dogs')).toContain('4 euros')
    // All or nothing: the others aren't decided either.
    const late = await decide([dogs, parking], 'keep')
    expect(late).toMatchObject({ status: 409, body: { code: 'changed_meanwhile', detail: expect.stringContaining('/parking') } })
    expect((await held()).total).toBe(2)
    expect(await decide([{ ...dogs, before: 'f'.repeat(64) }], 'accept')).toMatchObject({
      status: 409,
      body: { code: 'changed_meanwhile' },
    })
    expect(await decide([bees], 'keep')).toMatchObject({ status: 200 })
    expect(await decide([dogs], 'keep')).toMatchObject({ status: 200, body: { message: expect.stringContaining('0 wait') } })
    expect(await website()).toMatchObject({ waits: false, holdsPages: false, lastRun: { outcome: 'done' } })
    expect(await answer('dogs')).toContain('4 euros')
    expect(await answer('bees')).not.toContain('4 euros')
  })

  test('are in the audit log, each decision for itself', async () => {
    const { entries } = (await owner.call<AuditPage>('GET', 'audit?area=website')).body
    expect(entries.map(({ action }) => action)).toEqual(['website.keep-page', 'website.keep-page', 'website.accept-page', 'website.sync'])
    expect(new Set(entries.map(({ actorName }) => actorName?.split(' ')[0]))).toEqual(new Set(['editor']))
    expect(JSON.stringify(entries)).not.toContain(site.url)
  })

  test.each([
    ['no decision', { decisions: [] }],
    ['a page twice', { decisions: [1, 2].map(() => ({ address: 'https://a.example/', decision: 'keep', before: null, after: null })) }],
    ['an unknown decision', { decisions: [{ address: 'https://a.example/', decision: 'drop', before: null, after: null }] }],
    ['a text without its hash', { decisions: [{ address: 'https://a.example/', decision: 'keep' }] }],
    ['a hash that is none', { decisions: [{ address: 'https://a.example/', decision: 'keep', before: '../x', after: null }] }],
    [
      'too many',
      {
        decisions: Array.from({ length: 101 }, (_, index) => ({
          address: `https://a.example/${index}`,
          decision: 'keep',
          before: null,
          after: null,
        })),
      },
    ],
  ])('reject %s', async (_, body) => {
    expect(await editor.call('POST', PATH, body)).toMatchObject({ status: 400 })
  })
})
