import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FailedTrials } from '../../src/contract/staff/content/trial-answers.ts'
import type { InstallationStatus } from '../../src/contract/staff/status.ts'
import { eventually } from '../support/eventually.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

let server: TestServer
let owner: StaffClient

beforeAll(async () => {
  server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
})
afterAll(() => server.stop())

const ask = async (prompt: string, staff = owner) => (await staff.call<string>('POST', 'trials', { agent: 'assistant', prompt })).body
const trials = async () => (await owner.call<FailedTrials>('GET', 'trials')).body.trials
const isDone = async (step: string) =>
  (await owner.call<InstallationStatus>('GET', 'status')).body.steps.find((one) => one.step === step)?.isDone

test('a question that gets no answer is listed with who asked it until it is answered or dismissed', async () => {
  expect([await trials(), await isDone('ask')]).toEqual([[], false])
  expect(await ask('How long are my chats kept?')).toContain('30 days')
  expect([await trials(), await isDone('ask')]).toEqual([[], true])

  const reviewer = await owner.colleague('reviewer')
  await ask('What do quokkas eat?', reviewer)
  await ask('what do QUOKKAS eat?', reviewer)
  await ask('Where do wombats sleep?')
  expect(await trials()).toMatchObject([
    { prompt: 'Where do wombats sleep?', state: 'not_covered', by: 'First owner' },
    { prompt: 'what do QUOKKAS eat?', agent: 'assistant', by: expect.stringMatching(/^reviewer/) },
  ])

  expect(await isDone('content')).toBe(false)
  const document = Buffer.from('# Quokkas\n\n## What do quokkas eat?\n\nQuokkas eat leaves.\n')
  await owner.call('POST', 'knowledge/uploads?name=quokkas.md&owner=Zoo', document)
  await eventually(async () => expect(await ask('What do quokkas eat?')).toContain('leaves'))
  expect(await trials()).toMatchObject([{ prompt: 'Where do wombats sleep?' }])
  expect(await isDone('content')).toBe(true)

  await owner.call('DELETE', `trials/${(await trials())[0]?.id}`)
  expect(await trials()).toEqual([])
})
