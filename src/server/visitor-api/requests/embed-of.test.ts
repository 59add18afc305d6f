import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createEmbedOf } from './embed-of.ts'

const SHOP = 'https://shop.example.org'
const PARTNER = 'https://partner.example.org'
const LIBRARY = 'https://library.example.org'
const OWN = 'https://chat.example.org'
const FRAMED = { embedded: 'true', origin: OWN, 'sec-fetch-site': 'same-origin' }

const EMBEDS = new Map([
  ['library', { origins: [LIBRARY] }],
  ['help', {}],
])

const of = (headers: Record<string, string>, frameAncestors = [SHOP]) =>
  createEmbedOf({ embeds: EMBEDS, frameAncestors, allowedOrigins: [PARTNER] })({ headers } as unknown as FastifyRequest)

test.each([
  ['a listed site that embeds the page', { ...FRAMED, 'embedding-site': SHOP }, SHOP],
  ['a site that is not listed', { ...FRAMED, 'embedding-site': 'https://elsewhere.example' }, 'other'],
  ['a frame without a site', FRAMED, 'other'],
  ['a document without an origin that embeds the page', { ...FRAMED, 'embedding-site': 'null' }, 'other'],
  ['the demo, which embeds the page on its own origin', { ...FRAMED, 'embedding-site': OWN }, 'page'],
  ['a named embed', { ...FRAMED, embedded: 'library', 'embedding-site': LIBRARY }, 'library'],
  ['a named embed without origins of its own, on a listed site', { ...FRAMED, embedded: 'help', 'embedding-site': SHOP }, 'help'],
  ['a named embed on a site that is not one of its own', { ...FRAMED, embedded: 'library', 'embedding-site': SHOP }, SHOP],
  ['a name that no embed has', { ...FRAMED, embedded: 'nobody', 'embedding-site': SHOP }, SHOP],
  ['the page itself', { origin: OWN, 'sec-fetch-site': 'same-origin' }, 'page'],
  ['the page itself, whatever it says', { origin: OWN, 'embedding-site': SHOP }, 'page'],
  ['a page of a listed origin that calls the API', { origin: PARTNER, 'sec-fetch-site': 'cross-site' }, PARTNER],
  ['a client that is no browser', {}, 'api'],
])('%s', (_, headers, embed) => {
  expect(of(headers)).toBe(embed)
})

test('counts at most 50 sites one by one', () => {
  const sites = Array.from({ length: 60 }, (_, index) => `https://site-${index}.example.org`)
  const embeds = sites.map((site) => of({ ...FRAMED, 'embedding-site': site }, sites))
  expect(new Set(embeds)).toEqual(new Set([...sites.slice(0, 50), 'other']))
})
