import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import type { EmbedList } from '../../src/contract/staff/content/embeds.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const EMBED = { label: 'Ask us', greeting: 'Hello there', origins: ['https://library.example.org'], color: '#7a2048, #ffb3d1' }

let server: TestServer
let owner: StaffClient
beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
})
afterAll(() => server.stop())

const save = (name: string, embed: object, basedOn = 0) => owner.call<{ detail?: string }>('POST', `embeds/${name}`, { embed, basedOn })
const configuration = async (query = '') => (await (await fetch(`${server.url}/api/v1/config${query}`)).json()) as PublicConfiguration
const ancestors = async () => (await fetch(`${server.url}/?embed=library`)).headers.get('content-security-policy')

test('a saved embed is live at once: its texts, its sites, its colour, and the notice that names other sites', async () => {
  const before = await configuration()
  expect(await ancestors()).not.toContain('library.example.org')
  expect((await save('library', EMBED)).status).toBe(200)
  expect((await configuration('?embed=library')).agent.greeting).toBe('Hello there')
  expect(await ancestors()).toContain("frame-ancestors 'self' http://localhost")
  expect(await ancestors()).toContain(' https://library.example.org;')
  const settings = await (
    await fetch(`${server.url}/embed-settings.js?embed=library`, { headers: { origin: 'https://library.example.org' } })
  ).text()
  expect(settings).toContain('"isListed":true,"label":"Ask us","color":"light-dark(#7a2048, #ffb3d1)"')
  expect((await configuration()).privacy.noticeVersion).not.toBe(before.privacy.noticeVersion)
  expect((await owner.call('DELETE', 'embeds/library')).status).toBe(200)
  expect(await ancestors()).not.toContain('library.example.org')
  expect((await configuration()).privacy.noticeVersion).toBe(before.privacy.noticeVersion)
})

test('what someone else has saved isn’t overwritten, and mistakes are named', async () => {
  expect((await save('shop', EMBED)).status).toBe(200)
  expect((await save('shop', { label: 'Second' })).body).toMatchObject({ code: 'embed_exists' })
  expect((await save('shop', { label: 'Newer' }, 1)).status).toBe(200)
  expect((await save('shop', { label: 'Older' }, 1)).body).toMatchObject({ code: 'changed_meanwhile' })
  expect((await owner.call<EmbedList>('GET', 'embeds')).body.embeds).toEqual([{ name: 'shop', embed: { label: 'Newer' }, revision: 2 }])
  expect((await save('other-shop', { color: 'red' })).body.detail).toContain('color must be a colour like')
  expect((await save('other-shop', { origins: ['https://shop.example/path'] })).body.detail).toContain('must be an origin')
  expect((await save('page', {})).status).toBe(400)
})
