import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PublicConfiguration } from '../../src/contract/config.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

describe.each(DATABASES)('the banner for visitors on %s', (database) => {
  let server: TestServer
  let owner: StaffClient
  beforeAll(async () => {
    server = await startServer({ database, env: WITH_CONSOLE })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
  })
  afterAll(() => server.stop())

  const shown = async () => ((await (await fetch(`${server.url}/api/v1/config`)).json()) as PublicConfiguration).banner

  test('is in the public configuration from the moment on that staff show it, and until they remove it', async () => {
    expect(await shown()).toBeNull()
    const text = '<b>Closed</b> until Monday: call 555 0199'
    expect(await owner.call('POST', 'banner', { text: `  ${text}\n` })).toMatchObject({ status: 200, body: { banner: { text } } })
    await eventually(async () => expect(await shown()).toMatchObject({ text, since: expect.stringMatching(/Z$/) }))
    await owner.call('POST', 'banner', { text: 'Open again' })
    await eventually(async () => expect(await shown()).toMatchObject({ text: 'Open again' }))
    expect(await owner.call('DELETE', 'banner')).toMatchObject({ status: 200, body: { banner: null } })
    await eventually(async () => expect(await shown()).toBeNull())
    const { body } = await owner.call<{ entries: { action: string }[] }>('GET', 'audit')
    expect(body.entries.slice(0, 3).map(({ action }) => action)).toEqual(['banner.remove', 'banner.show', 'banner.show'])
  })

  test.each([{ text: '' }, { text: ' \n' }, { text: 'a'.repeat(501) }, { text: 7 }, {}, { text: 'a', html: 'b' }])(
    'rejects %j',
    async (body) => {
      expect(await owner.call('POST', 'banner', body)).toMatchObject({ status: 400 })
    },
  )
})
