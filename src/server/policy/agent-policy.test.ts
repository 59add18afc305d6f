import { describe, expect, test } from 'vitest'
import { growthOf, MAX_GROWTH } from '../../../test/support/growth.ts'
import { AgentPolicy } from './agent-policy.ts'
import { type LocalizedReply, NO_POLICY, type PolicyDefinition } from './policy.ts'
import { readPolicy } from './read-policy.ts'
import { SHIPPED_ROUTES } from './shipped-routes.ts'

const policyWith = (more: Partial<PolicyDefinition>, contact: string | null = null) => new AgentPolicy({ ...NO_POLICY, ...more }, contact)
const shipped = (contact: string | null = null) =>
  policyWith({ routes: readPolicy({ routes: SHIPPED_ROUTES.map(({ id }) => id) }).policy.routes }, contact)

describe('shipped routes', () => {
  test.each([
    ['How do I make a complaint?', 'en', 'I can’t take complaints'],
    ['Wo kann ich mich über Ihren Service beschweren?', 'de', 'keine Beschwerden'],
    ['Hello. I need help. Can I speak to a human please?', 'en', 'can’t connect you'],
    ['I want to talk to a human', 'en', 'can’t connect you'],
    ['¿Cuál es el estado de mi solicitud?', 'es', 'No puedo ver cuentas'],
    ['我要投诉', 'zh', '无法受理投诉'],
    ['I am a journalist with a question', 'en', 'from the press'],
  ])('reply to "%s" in its language', async (prompt, _, text) => {
    expect(await shipped().routeReply(prompt)).toMatchObject({ kind: 'route', state: 'referred', text: expect.stringContaining(text) })
  })

  test.each([
    'How many complaints were there last year?',
    'Are you a human?',
    'Which documents do I need for my application?',
    'What does a parking permit cost?',
    'Which button do I press?',
    '',
    '👍👍',
    '(((((a+)+)+)+)+$',
  ])('do not reply to "%s"', async (prompt) => {
    expect(await shipped().routeReply(prompt)).toBeNull()
  })

  test('name the contact if there is one', async () => {
    expect((await shipped('help@example.org').routeReply('I want to complain'))?.text).toContain('You can contact help@example.org.')
    expect((await shipped().routeReply('I want to complain'))?.text).not.toContain('contact')
  })

  test('have a reply in every language of the page', () => {
    for (const { reply } of SHIPPED_ROUTES) expect(Object.keys(reply)).toHaveLength(12)
  })
})

test('a counter-example that is closer keeps a keyword from matching', async () => {
  const route = { id: 'fees', state: 'referred' as const, reply: { en: 'Ask.' }, examples: [], keywords: ['fee'] }
  const prompt = 'Is there a fee museum in town?'
  expect(await policyWith({ routes: [{ ...route, counterExamples: [] }] }).routeReply(prompt)).not.toBeNull()
  expect(await policyWith({ routes: [{ ...route, counterExamples: ['fee museum town'] }] }).routeReply(prompt)).toBeNull()
})

test('the route that a prompt matches best replies, whichever comes first', async () => {
  const route = { state: 'referred' as const, counterExamples: [], keywords: [] }
  const fee = { ...route, id: 'fee', reply: { en: 'Ask the cashier.' }, examples: ['parking fee for a trailer'] }
  const trailer = { ...route, id: 'trailer', reply: { en: 'Ask the guard.' }, examples: ['parking a trailer'] }
  for (const routes of [
    [fee, trailer],
    [trailer, fee],
  ]) {
    expect((await policyWith({ routes }).routeReply('Where can I park a trailer?'))?.text).toBe('Ask the guard.')
    expect((await policyWith({ routes }).routeReply('parking fee for a trailer'))?.text).toBe('Ask the cashier.')
  }
})

test('a reply in the language of the prompt comes before one in English, and that before any other', async () => {
  const route = { id: 'fines', state: 'referred' as const, examples: [], counterExamples: [], keywords: ['parking fines'] }
  const replyTo = async (prompt: string, reply: LocalizedReply) =>
    (await policyWith({ routes: [{ ...route, reply }] }).routeReply(prompt))?.text
  const reply = { fr: 'Demandez à la caisse.', en: 'Ask the cashier.', de: 'Fragen Sie die Kasse.' }
  expect(await replyTo('Wie hoch sind die parking fines?', reply)).toBe('Fragen Sie die Kasse.')
  expect(await replyTo('¿Cómo pago las parking fines?', reply)).toBe('Ask the cashier.')
  expect(await replyTo('Wie hoch sind die parking fines?', { fr: 'Demandez à la caisse.' })).toBe('Demandez à la caisse.')
})

test('says whether a prompt is an emergency', () => {
  expect(['My son is not breathing', 'When do you open?'].map((prompt) => policyWith({}).isEmergency(prompt))).toEqual([true, false])
})

test('a topic that the policy excludes is out of scope, in other forms of its words too', async () => {
  const policy = policyWith({ notFor: ['legal advice'] })
  expect(await policy.routeReply('Can you give me some legal advice about my divorce?')).toMatchObject({ state: 'out_of_scope' })
  expect(await policy.routeReply('What advice do you have for gardeners?')).toBeNull()
})

test('a prompt in another language gets the languages of the agent, in its own', async () => {
  const policy = policyWith({ languages: ['en', 'de'] })
  expect(await policy.routeReply('Où est la bibliothèque ?')).toMatchObject({
    state: 'out_of_scope',
    text: 'Je peux seulement répondre en anglais ou allemand.',
  })
  expect(await policy.routeReply('Wo ist die Bibliothek?')).toBeNull()
  expect(await policy.routeReply('xyz')).toBeNull()
})

test('the time to match grows with the prompt no faster than the prompt', async () => {
  const policy = shipped()
  await policy.routeReply('load')
  const match = (characters: number) => policy.routeReply('complaint about words. '.repeat(characters / 23))
  expect(await growthOf(match, 4_000)).toBeLessThan(MAX_GROWTH)
})
