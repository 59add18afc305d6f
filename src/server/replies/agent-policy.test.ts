import { describe, expect, test } from 'vitest'
import { AgentPolicy } from './agent-policy.ts'
import type { LocalizedText } from './localized-text.ts'
import { NO_POLICY, type PolicyDefinition } from './policy.ts'

const policyWith = (more: Partial<PolicyDefinition>, contact: string | null = null) => new AgentPolicy({ ...NO_POLICY, ...more }, contact)
const LOST = {
  id: 'lost-property',
  state: 'referred' as const,
  reply: { en: 'Ask in room 3.' },
  examples: ['I lost my wallet on the bus', 'Où sont les objets trouvés ?', '落とし物はどこですか'],
  counterExamples: ['How do I replace a lost property card?'],
  keywords: ['lost property'],
}

describe('a route', () => {
  test.each([
    'I lost my wallet on the bus',
    '  i LOST my wallet, on the bus!! ',
    'ou sont les objets trouves',
    '落とし物はどこですか？',
    'Where is lost property kept?',
    'Hello. I need help. Where is the lost property office?',
  ])('replies to "%s": its exact wording, or all words of a keyword', async (prompt) => {
    expect(await policyWith({ routes: [LOST] }).routeReply(prompt, [])).toEqual({
      kind: 'route',
      state: 'referred',
      text: 'Ask in room 3.',
    })
  })

  test.each([
    'I lost my umbrella on the bus',
    'I lost my wallet on the bus to town',
    'how do i replace a lost property card',
    'What does the property tax cost?',
    '',
    '👍👍',
    '(((((a+)+)+)+)+$',
  ])('does not reply to "%s": another wording, or a counter-example', async (prompt) => {
    expect(await policyWith({ routes: [LOST] }).routeReply(prompt, [])).toBeNull()
  })

  test('with the exact wording comes before one with a keyword, and of two alike the first replies', async () => {
    const route = { state: 'referred' as const, counterExamples: [] }
    const guard = { ...route, id: 'guard', reply: { en: 'Ask the guard.' }, examples: ['Where can I park?'], keywords: ['trailer'] }
    const cashier = {
      ...route,
      id: 'cashier',
      reply: { en: 'Ask the cashier.' },
      examples: ['Where can I park a trailer?'],
      keywords: ['trailer'],
    }
    for (const routes of [
      [guard, cashier],
      [cashier, guard],
    ]) {
      expect((await policyWith({ routes }).routeReply('where can i park a trailer', []))?.text).toBe('Ask the cashier.')
      expect((await policyWith({ routes }).routeReply('My trailer is broken', []))?.text).toBe(routes[0]?.reply.en)
    }
  })
})

test('the reply about other topics names the contact if there is one', async () => {
  const notFor = ['legal advice']
  expect((await policyWith({ notFor }, 'help@example.org').routeReply('legal advice', []))?.text).toContain(
    'You can contact help@example.org.',
  )
  expect((await policyWith({ notFor }).routeReply('legal advice', []))?.text).not.toContain('contact')
})

test('a reply in the language of the prompt comes before one in English, and that before any other', async () => {
  const route = { id: 'fines', state: 'referred' as const, examples: [], counterExamples: [], keywords: ['parking fines'] }
  const replyTo = async (prompt: string, reply: LocalizedText) =>
    (await policyWith({ routes: [{ ...route, reply }] }).routeReply(prompt, []))?.text
  const reply = { fr: 'Demandez à la caisse.', en: 'Ask the cashier.', de: 'Fragen Sie die Kasse.' }
  expect(await replyTo('Wie hoch sind die parking fines?', reply)).toBe('Fragen Sie die Kasse.')
  expect(await replyTo('¿Cómo pago las parking fines?', reply)).toBe('Ask the cashier.')
  expect(await replyTo('Wie hoch sind die parking fines?', { fr: 'Demandez à la caisse.' })).toBe('Demandez à la caisse.')
})

test('a topic that the policy excludes is out of scope, in other forms of its words too', async () => {
  const policy = policyWith({ notFor: ['legal advice'] })
  expect(await policy.routeReply('Can you give me some legal advice about my divorce?', [])).toMatchObject({ state: 'out_of_scope' })
  expect(await policy.routeReply('What advice do you have for gardeners?', [])).toBeNull()
})

test('a prompt in another language gets the languages of the agent, in its own', async () => {
  const policy = policyWith({ languages: ['en', 'de'] })
  expect(await policy.routeReply('Où est la bibliothèque ?', [])).toMatchObject({
    state: 'out_of_scope',
    text: 'Je peux seulement répondre en anglais ou allemand.',
  })
  expect(await policy.routeReply('Wo ist die Bibliothek?', [])).toBeNull()
  expect(await policy.routeReply('xyz', [])).toBeNull()
})

test('a prompt of a million words is matched', async () => {
  expect(await policyWith({ routes: [LOST] }).routeReply('property about words. '.repeat(333_333), [])).toBeNull()
})
