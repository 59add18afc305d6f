import { expect, test } from 'vitest'
import { isSamePage } from './judge-page.ts'
import { pageAddress, SourceScope } from './page-address.ts'
import { readSourceDefinitions } from './source-definition.ts'

test('has defaults for all but its id and address', () => {
  const { sources, mistakes, isReadable } = readSourceDefinitions('sources:\n  - id: town\n    website: https://example.org/sitemap.xml\n')
  expect([mistakes, isReadable]).toEqual([[], true])
  expect(sources).toEqual([
    {
      id: 'town',
      website: ['https://example.org/sitemap.xml'],
      crawl: false,
      include: [],
      exclude: [],
      timezone: 'UTC',
      limits: { pages: 5_000, depth: 6, bytesPerPage: 2_000_000 },
      delay: 0.5,
      network: 'public',
    },
  ])
})

test.each<[string, string, RegExp]>([
  ['no address', 'id: town', /^line 3: website is missing\.$/],
  ['another scheme', 'id: town\n    website: ftp://example.org/', /website: must be an http or https address/],
  ['a password', 'id: town\n    website: https://me:secret@example.org/', /website: must have neither/],
  ['an unknown key', 'id: town\n    website: https://example.org/\n    sitemap: yes', /sitemap: no such key of a source/],
  ['a bad schedule', 'id: town\n    website: https://example.org/\n    every: daily', /every: must be a cron expression/],
  ['a schedule that never happens', "id: town\n    website: https://example.org/\n    every: '0 0 30 2 *'", /every: never happens/],
  ['a bad time zone', 'id: town\n    website: https://example.org/\n    timezone: Berlin', /timezone: must be a time zone/],
  ['too many pages', 'id: town\n    website: https://example.org/\n    limits: { pages: 1000000 }', /limits\.pages: /],
  ['another network', 'id: town\n    website: https://example.org/\n    network: all', /network: must be public or private/],
  ['the id of the uploaded documents', 'id: uploads\n    website: https://example.org/', /id: must not be "uploads"/],
  ['the id of another', 'id: other\n    website: https://example.org/', /the id "other" is that of another source/],
])('with %s is left out, and the mistake is named with its line', (_, entry, mistake) => {
  const text = `sources:\n  - { id: other, website: 'https://example.org/' }\n  - ${entry}\n`
  const { sources, mistakes } = readSourceDefinitions(text)
  expect(sources.map(({ id }) => id)).toEqual(['other'])
  expect(mistakes.join('\n')).toMatch(mistake)
})

test.each(['sources: [', 'websites: []', 'sources: 1', '', 'a: &a [1]\nsources: [*a, *b]'])(
  'a file with %j is no list of sources',
  (text) => {
    const { sources, mistakes, isReadable } = readSourceDefinitions(text)
    expect([sources, isReadable]).toEqual([[], false])
    expect(mistakes).toHaveLength(1)
  },
)

test.each<[string, string | null]>([
  ['/a#part', 'https://example.org/a'],
  ['?utm_source=x&b=1', 'https://example.org/base/?b=1'],
  ['/a;jsessionid=123?fbclid=2', 'https://example.org/a'],
  ['HTTPS://EXAMPLE.org:443/a', 'https://example.org/a'],
  ['javascript:alert(1)', null],
  ['mailto:a@example.org', null],
  ['https://user:secret@example.org/', null],
  [`/${'a'.repeat(2_000)}`, null],
])('the link %s leads to %s', (href, address) => {
  expect(pageAddress(href, 'https://example.org/base/')).toBe(address)
})

test('has the pages of its host that match its patterns', () => {
  const scope = new SourceScope({
    website: ['https://example.org/sitemap.xml'],
    include: ['/services/**', '/de/*/help'],
    exclude: ['/services/**?print=*'],
  })
  const addresses = ['/services/a', '/services/a/b?x=1', '/services/a?print=1', '/de/x/help', '/de/x/y/help', '/other', '/services/a.jpg']
  expect(addresses.filter((path) => scope.has(`https://example.org${path}`))).toEqual(['/services/a', '/services/a/b?x=1', '/de/x/help'])
  expect(scope.has('https://other.example.org/services/a')).toBe(false)
})

test.each([
  ['https://example.org/a', 'https://example.org/a/', true],
  ['https://example.org/a?page=2', 'https://example.org/a', true],
  ['http://example.org/index.html', 'https://example.org/', true],
  ['https://example.org/a', 'https://example.org/', false],
])('%s and %s are one page: %s', (one, other, isSame) => {
  expect(isSamePage(one, other)).toBe(isSame)
})
