import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import { DATABASES } from '../support/databases.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const POOL = '---\nname: Pool\ngreeting: Hi\nknowledge: [.]\n---\nAnswer.\n'
const CASES = '- prompt: When do you open?\n  contains: nine\n'
const FEE = {
  question: 'What does the pool cost?',
  matches: ['Price of the pool'],
  mustNotMatch: [],
  languages: ['en'],
  owner: 'Baths',
  sourceTitle: 'Fees',
  sourceUrl: 'https://example.org/fees',
  validFrom: '2020-01-01',
  validUntil: '2999-12-31',
  text: 'Four euros.',
}

describe.each(DATABASES)('the configuration on %s', (database) => {
  const place = mkdtempSync(join(tmpdir(), 'parley-config-'))
  const folder = join(place, 'config')
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: WITH_CONSOLE })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    await owner.call('POST', 'agents', { id: 'pool', text: POOL })
    await owner.call('POST', 'agents/pool/publication', { revision: 1 })
    await owner.call('POST', 'agents/pool/cases', { text: CASES, basedOn: 0 })
    await owner.call('POST', 'agents', { id: 'draft', text: POOL })
    await owner.call('POST', 'embeds/baths', { embed: { label: 'Ask the baths', color: '#7a2048' }, basedOn: 0 })
    await owner.call('POST', 'approved-answers', { id: 'fee', content: FEE })
    await owner.call('POST', 'approved-answers/fee/publication', { revision: 1 })
    const facts = new URLSearchParams({ name: 'opening.md', owner: 'Baths', validUntil: '2999-12-31' }).toString()
    await owner.call('POST', `knowledge/uploads?${facts}`, Buffer.from('# Opening hours\n\nNine to five.\n'))
  })
  afterAll(async () => {
    await server.stop()
    rmSync(place, { recursive: true })
  })

  const command = (...args: string[]) => runOperatorCommand(server.env, args)
  const file = (path: string) => readFileSync(join(folder, path), 'utf8')

  test('is exported as files, which another server reads', async () => {
    const exported = await command('export-config', folder)
    expect(exported).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 agents, 1 approved answers, 1 documents, 1 embeds. 1 drafts'),
    })
    expect(readdirSync(join(folder, 'agents'))).toEqual(['embeds.yaml', 'pool.md'])
    expect(file('agents/embeds.yaml')).toBe('baths:\n  label: Ask the baths\n  color: "#7a2048"\n')
    expect([file('agents/pool.md'), file('cases/pool.yaml')]).toEqual([POOL, CASES])
    expect(file('knowledge/approved/fee.md')).toContain('question: What does the pool cost?\n')
    expect(file('knowledge/opening.md')).toContain('Nine to five.')
    expect(await command('export-config', folder)).toMatchObject({ code: 1 })
    expect(readdirSync(place)).toEqual(['config'])

    const other = await startServer({
      database: 'sqlite',
      env: { AGENTS_DIR: join(folder, 'agents'), KNOWLEDGE_DIR: join(folder, 'knowledge') },
    })
    try {
      const { agents } = (await (await fetch(`${other.url}/api/v1/config`)).json()) as PublicConfiguration
      expect(agents).toMatchObject([{ id: 'pool', greeting: 'Hi' }])
      expect(await (await fetch(`${other.url}/embed-settings.js?embed=baths`)).text()).toContain('Ask the baths')
    } finally {
      await other.stop()
    }
  })
})
