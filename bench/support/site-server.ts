import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

// A website of the HTML files in a folder, with a sitemap and ETags. Each request reads the folder, so that files may change.
const [, , folder = '.'] = process.argv

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  if (path === '/sitemap.xml') {
    const host = `http://${request.headers.host}`
    const pages = readdirSync(folder).map((name) => `<url><loc>${host}/${name}</loc></url>`)
    return void response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${pages.join('')}</urlset>`)
  }
  const page = /^\/\d+\.html$/.test(path) ? contentOf(path.slice(1)) : null
  if (page === null) return void response.writeHead(404).end()
  const etag = `"${createHash('sha1').update(page).digest('hex')}"`
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', etag }).end(page)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`))

function contentOf(name: string): Buffer | null {
  try {
    return readFileSync(join(folder, name))
  } catch {
    return null
  }
}
