import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scorecard } from '../../src/contract/scorecard.ts'
import { sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { addPastFigures, pastDay } from '../support/past-figures.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { WITH_CONSOLE } from '../support/staff-client.ts'

const read = ({ url }: TestServer) => fetch(`${url}/api/v1/scorecard`)
const configured = async ({ url }: TestServer) => ((await (await fetch(`${url}/api/v1/config`)).json()) as { scorecard: boolean }).scorecard

describe.each(DATABASES)('the scorecard on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database, env: { ...WITH_CONSOLE, SCORECARD: 'on' } })
    await addPastFigures(server)
  })
  afterAll(() => server.stop())

  test('tells everybody the figures of past days, for an hour from caches, and nothing of today', async () => {
    await (await sendPrompt(server.url, 'visitor-1', 'What is Parley?')).json()
    const response = await read(server)
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(Scorecard.strict().parse(await response.json())).toEqual({
      figures: {
        from: pastDay(),
        to: pastDay(),
        prompts: 160,
        useful: 70,
        notCovered: 10,
        times: { firstText: { median: 500, p95: 2000 }, wholeAnswer: { median: 4000, p95: 16_000 } },
      },
    })
    expect(await configured(server)).toBe(true)
  })
})

test('the scorecard has only what the operator publishes', async () => {
  const server = await startServer({ database: 'sqlite', env: { ...WITH_CONSOLE, SCORECARD: 'not-covered' } })
  await addPastFigures(server)
  expect(await (await read(server)).json()).toEqual({ figures: { from: pastDay(), to: pastDay(), notCovered: 10 } })
  await server.stop()
})

test('there is no scorecard by default', async () => {
  const server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const response = await read(server)
  expect([response.status, response.headers.get('cache-control'), await configured(server)]).toEqual([404, 'no-store', false])
  await server.stop()
})
