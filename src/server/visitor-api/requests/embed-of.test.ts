import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createEmbedOf } from './embed-of.ts'

const SHOP = 'https://shop.example.org'
const PARTNER = 'https://partner.example.org'
const OWN = 'https://chat.example.org'
const FRAMED = { embedded: 'true', origin: OWN, 'sec-fetch-site': 'same-origin' }

const of = (headers: Record<string, string>, frameAncestors = [SHOP]) =>
  createEmbedOf({ frameAncestors, allowedOrigins: [PARTNER] })({ headers } as unknown as FastifyRequest)

test.each([
  ['a listed site that embeds the page', { ...FRAMED, 'embedding-site': SHOP }, SHOP],
  ['a site that is not listed', { ...FRAMED, 'embedding-site': 'https://elsewhere.example' }, 'other'],
  ['a frame without a site', FRAMED, 'other'],
  ['a document without an origin that embeds the page', { ...FRAMED, 'embedding-site': 'null' }, 'other'],
  ['the demo, which embeds the page on its own origin', { ...FRAMED, 'embedding-site': OWN }, 'page'],
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
