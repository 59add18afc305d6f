import { afterAll, beforeAll, expect, test } from 'vitest'
import { say, scriptedTurns, type Script } from '../../../../test/support/scripted-turns.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { ownerTopic } from '../../pubsub/topics.ts'
import { PubSub } from '../../pubsub/pubsub.ts'
import type { CompletionRequest } from '../../answering/agents/agent.ts'
import { unrestricted } from '../../store/visitors/access.ts'

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())

/** Chats that a model titles so, what it was asked, and how often their owner was notified. */
function titledAs(text: string, run: Script['run'] = () => say('Twelve.')) {
  const asked: Omit<CompletionRequest, 'signal'>[] = []
  const pubsub = new PubSub()
  const owner = { notified: 0 }
  pubsub.subscribe(ownerTopic('v'), () => (owner.notified += 1))
  const own = scriptedTurns(opened.database, {
    pubsub,
    historyTokens: 10_000,
    run,
    onFault: () => undefined,
    write: async (request) => {
      asked.push(request)
      return { text, used: { inputTokens: 1, outputTokens: 1 } }
    },
  })
  return { ...own, asked, owner }
}

const titleOf = async (id: string) =>
  (await unrestricted(opened.database).selectFrom('sessions').select('title').where('id', '=', id).executeTakeFirst())?.title

test.each([
  ['Parking permits', 'Parking permits'],
  ['\n**Title: "Parking permits."**\nIt is about permits.', 'Parking permits'],
  ['# _Titel_: „Parkausweise“', 'Parkausweise'],
  ['`Parking` permits 。', 'Parking permits'],
])('a chat is titled by the model, without decoration: %j', async (text, title) => {
  const { started, owner, asked } = titledAs(text)
  const turn = await started('What does a permit cost?')
  await turn.ended
  await expect.poll(() => titleOf(turn.sessionId)).toBe(title)
  // Of the start, the end and the title.
  await expect.poll(() => owner.notified).toBe(3)
  expect(asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([100])
  expect(asked.map(({ text: words }) => words)).toEqual(['First words of a chat:\nVisitor: What does a permit cost?\n\nAssistant: Twelve.'])
})

test('a chat keeps the title of its prompt if the model names none', async () => {
  const { turns, started, owner } = titledAs(' "" ')
  const turn = await started('What does a permit cost?')
  await turn.ended
  await turns.drain(0)
  expect([await titleOf(turn.sessionId), owner.notified]).toEqual(['What does a permit cost?', 2])
})

test('the model reads the beginning of a long prompt and a long answer, and no half of an emoji', async () => {
  const { turns, started, asked } = titledAs('Long', () => say(`x${'🦩'.repeat(2_000)}`))
  await (await started(`y${'🦩'.repeat(2_000)}`)).ended
  await expect.poll(() => asked).toHaveLength(1)
  await turns.drain(0)
  const [{ text } = { text: '' }] = asked
  expect(text).toContain(`Visitor: y${'🦩'.repeat(700)}`)
  expect([text.isWellFormed(), text.length < 3_100]).toEqual([true, true])
})

test('only the first answer of a chat is titled, and only a whole one', async () => {
  const { turns, started, asked } = titledAs('Permits')
  const turn = await started('What does a permit cost?')
  await turn.ended
  await expect.poll(() => titleOf(turn.sessionId)).toBe('Permits')
  await (await started('And for a year?', { session: turn.sessionId })).ended
  await turns.drain(0)
  expect(asked).toHaveLength(1)
  // oxlint-disable-next-line require-yield -- fails before the first word
  const failing = titledAs('Permits', async function* () {
    throw new Error('away')
  })
  expect(await (await failing.started()).ended).toMatchObject({ status: 'failed' })
  await failing.turns.drain(0)
  expect(failing.asked).toHaveLength(0)
})

test('a chat keeps its title without a fault where the agent completes nothing in the background', async () => {
  const faults: string[] = []
  const { turns, started } = scriptedTurns(opened.database, { onFault: (message) => faults.push(message) })
  const turn = await started('What does a permit cost?')
  await turn.ended
  await turns.drain(0)
  expect([await titleOf(turn.sessionId), faults]).toEqual(['What does a permit cost?', []])
})
