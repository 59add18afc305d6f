import { expect, test } from 'vitest'
import { SourceScope } from '../page-address.ts'
import { readSitemap } from './sitemap.ts'

const read = (xml: string) =>
  readSitemap(
    Buffer.from(xml),
    'https://a.example/sitemap.xml',
    new SourceScope({ website: ['https://a.example/sitemap.xml'], include: [], exclude: [] }),
  )

test('counts the addresses of pages, not those of their pictures, videos and news', () => {
  const picture = (tag: string) => `<${tag}:image><${tag}:loc>https://a.example/picture</${tag}:loc></${tag}:image>`
  const video = '<video:video><loc>https://a.example/film</loc></video:video><image:loc>https://a.example/other</image:loc>'
  const page = (path: string) => `<url>${picture('image')}<loc>https://a.example/${path}</loc>${picture('i')}${video}</url>`
  expect(read(`<urlset>${page('one')}${page('two')}</urlset>`)).toMatchObject({
    pages: ['https://a.example/one', 'https://a.example/two'],
    others: [],
    leftOut: 0,
  })
})

test('counts those under any prefix of its own namespace, and of an index the sitemaps', () => {
  const xml = (tag: string, item: string) => `<s:${tag} xmlns:s="x"><s:${item}><s:loc>https://a.example/b</s:loc></s:${item}></s:${tag}>`
  expect(read(xml('urlset', 'url'))).toMatchObject({ pages: ['https://a.example/b'] })
  expect(read(xml('sitemapindex', 'sitemap'))).toMatchObject({ sitemaps: ['https://a.example/b'], pages: [] })
})

test('keeps all of many pages with pictures', () => {
  const pictures = '<image:image><image:loc>https://a.example/p.png</image:loc></image:image>'.repeat(9)
  const urls = Array.from({ length: 8_000 }, (_, index) => `<url><loc>https://a.example/${index}</loc>${pictures}</url>`)
  expect(read(`<urlset>${urls.join('')}</urlset>`)).toMatchObject({ pages: { length: 8_000 }, leftOut: 0 })
})
