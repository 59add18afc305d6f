import { expect, test } from 'vitest'
import { isAllowed, readRobots } from './robots.ts'

const may = (robots: string, path: string) => isAllowed(readRobots(robots), `https://example.org${path}`)

test.each([
  // RFC 9309, section 2.2.2.
  ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
  ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
  ['/foo/bar/%e3%83%84', '/foo/bar/ツ'],
  ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
  ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar'],
  ['/a%2Fb', '/a%2fb'],
  ['/%7Eada/', '/~ada/x'],
  ['/~ada/', '/%7eada/x'],
  // Section 2.2.3.
  ['/*.pdf$', '/forms/a.pdf'],
  ['/*?print=', '/a?print=1'],
  ['/*://', '/out?to=http%3A%2F%2Fexample.com'],
  ['*/private', '/a/private/b'],
  ['/file-with-a-%2A.html', '/file-with-a-*.html'],
  ['/this$is$not$wild', '/this$is$not$wild/x'],
])('%s forbids %s', (pattern, path) => {
  expect(may(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(false)
})

test.each([
  ['/a%2Fb', '/a/b'],
  ['/a/b', '/a%2Fb'],
  ['/*.pdf$', '/a.pdf?x=1'],
  ['/a*c$', '/a'],
  ['/file-with-a-%2A.html', '/file-with-a-b.html'],
  ['/A', '/a'],
  ['', '/a'],
])('%s does not forbid %s', (pattern, path) => {
  expect(may(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(true)
})

test.each([
  ['the longest rule counts', 'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c', '/a/b/d', true],
  ['of equal rules the one that allows counts', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['rules by name come before those for all', 'User-agent: *\nDisallow: /\n\nUser-agent: parleybot/2.0\nAllow: /', '/a', true],
  [
    'groups of one name are one',
    'User-agent: ParleyBot\nAllow: /b\nUser-agent: x\nAllow: /\nUser-agent: ParleyBot\nDisallow: /a',
    '/a',
    false,
  ],
  ['names share the rules below them', 'User-agent: other\nUser-agent: ParleyBot\nDisallow: /a', '/a', false],
  ['other names are others', 'User-agent: ParleyBotanist\nDisallow: /', '/a', true],
  ['comments, line ends and a byte order mark are no matter', '\uFEFFuser-AGENT : * # all\r\rDISALLOW:/a # not this\r\n', '/a', false],
])('%s', (_, robots, path, expected) => {
  expect(may(robots, path)).toBe(expected)
})

test('asks for a delay of at most a minute, and names sitemaps', () => {
  const { delayS, sitemaps } = readRobots('Sitemap: /one.xml\nUser-agent: *\nCrawl-delay: 9000\nSitemap: https://example.org/two.xml')
  expect([delayS, sitemaps]).toEqual([60, ['/one.xml', 'https://example.org/two.xml']])
})

test('is read and asked in time that grows with its length alone', () => {
  const hostile = [
    `${'User-agent: a\n'.repeat(15_000)}${'Allow: /\n'.repeat(30_000)}`,
    `User-agent: *\n${`Disallow: /${'*a'.repeat(690)}b\n`.repeat(350)}`,
    `User-agent: *\n${Array.from({ length: 20_000 }, (_, index) => `Disallow: /*${index}b`).join('\n')}`,
    'User-agent: *\nDisallow: /' + '*'.repeat(400_000),
  ]
  for (const robots of hostile) expect(may(robots, `/${'a'.repeat(1_400)}`)).toBe(!robots.endsWith('*'))
})
