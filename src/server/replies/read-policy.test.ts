import { expect, test } from 'vitest'
import { NO_POLICY } from './policy.ts'
import { readPolicy } from './read-policy.ts'

const route = (more: object) => ({ id: 'fees', reply: 'Ask the cashier.', keywords: ['fee'], ...more })

test('an agent without a policy has none', () => {
  for (const value of [undefined, null]) expect(readPolicy(value)).toEqual({ policy: NO_POLICY, mistakes: [] })
})

test('keys that are empty have their defaults', () => {
  expect(readPolicy({ purpose: null, notFor: null, languages: [], routes: null })).toEqual({
    policy: {
      purpose: null,
      notFor: [],
      strictness: 'help',
      unsupported: 'drop',
      countries: [],
      emergency: 'on',
      languages: null,
      routing: 'examples',
      judge: 'off',
      handover: null,
      routes: [],
    },
    mistakes: [],
  })
  expect(readPolicy({})).toEqual({ policy: NO_POLICY, mistakes: [] })
})

test('reads every key, and replies by language', () => {
  const { policy, mistakes } = readPolicy({
    purpose: 'Fees of the town',
    notFor: ['legal advice'],
    strictness: 'quote',
    routing: 'model',
    judge: 'model',
    countries: ['DE', 'AT'],
    languages: ['de', 'en'],
    routes: [route({ reply: { de: 'Fragen Sie die Kasse.' } })],
  })
  expect(mistakes).toEqual([])
  expect(policy).toMatchObject({
    purpose: 'Fees of the town',
    strictness: 'quote',
    routing: 'model',
    judge: 'model',
    countries: ['DE', 'AT'],
    languages: ['de', 'en'],
  })
  expect(policy.routes).toMatchObject([{ id: 'fees', state: 'referred', reply: { de: 'Fragen Sie die Kasse.' } }])
})

test.each<[string, unknown, (string | number)[], RegExp]>([
  ['a text', 'no legal advice', [], /must have keys/],
  ['a key that was removed', { inputCheck: 'off' }, ['inputCheck'], /was removed/],
  ['an unknown key', { scoop: 'x' }, ['scoop'], /no key of a policy/],
  ['an unknown strictness', { strictness: 'harsh' }, ['strictness'], /help or quote/],
  ['an unknown routing', { routing: 'magic' }, ['routing'], /examples or model/],
  ['an unknown judge', { judge: 'gpt' }, ['judge'], /off or model/],
  ['an unknown treatment of unsupported sentences', { unsupported: 'hide' }, ['unsupported'], /drop or mark/],
  ['a country in full', { countries: ['Germany'] }, ['countries', 0], /such as DE/],
  ['a purpose of 601 characters', { purpose: 'x'.repeat(601) }, ['purpose'], /<=600 characters/],
  ['61 countries', { countries: Array.from({ length: 61 }, () => 'DE') }, ['countries'], /<=60 items/],
  ['an unknown key of the way to a person', { handover: { messages: true, phone: '1' } }, ['handover', 'phone'], /no key of handover/],
  [
    'a telephone number with spaces',
    { handover: { contacts: [{ label: 'Call', url: 'tel:+49 30' }] } },
    ['handover', 'contacts', 0, 'url'],
    /no spaces/,
  ],
  ['routes that are no list', { routes: 'complaint' }, ['routes'], /must be a list/],
  ['a shipped route, which was removed', { routes: ['complaint'] }, ['routes', 0], /"complaint" .* removed/],
  ['a route without a reply', { routes: [route({ reply: undefined })] }, ['routes', 0, 'reply'], /needs a text/],
  ['a reply in no language', { routes: [route({ reply: {} })] }, ['routes', 0, 'reply'], /needs a text/],
  ['a route that matches nothing', { routes: [route({ keywords: [] })] }, ['routes', 0], /needs examples or keywords/],
  ['a route with an unknown key', { routes: [route({ pattern: '(a+)+$' })] }, ['routes', 0, 'pattern'], /no key of a route/],
  ['two routes with one id', { routes: [route({}), route({})] }, ['routes', 1], /of another route/],
  ['500 routes', { routes: Array.from({ length: 500 }, (_, index) => route({ id: `r${index}` })) }, ['routes'], /first 100 are used/],
])('%s is reported with its path, and the rest applies', (_, value, path, message) => {
  const rest = typeof value === 'object' ? { notFor: ['medicine'], ...value } : value
  const { policy, mistakes } = readPolicy(rest)
  expect(mistakes).toContainEqual({ path, message: expect.stringMatching(message) })
  expect(policy.notFor).toEqual(typeof value === 'object' ? ['medicine'] : [])
  expect(policy.routes.length).toBeLessThanOrEqual(100)
})

test('names at most 50 subjects that an agent is not for', () => {
  const subjects = Array.from({ length: 50 }, (_, index) => `subject ${index}`)
  expect(readPolicy({ notFor: subjects })).toMatchObject({ policy: { notFor: subjects }, mistakes: [] })
  expect(readPolicy({ notFor: [...subjects, 'one more'] }).mistakes).toMatchObject([{ path: ['notFor'] }])
})
