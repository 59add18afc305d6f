import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page of the site, or what replies in its place. */
export type SitePage =
  | string
  | { status?: number; type?: string; headers?: Record<string, string>; body?: string | Buffer }
  | ((request: IncomingMessage, response: ServerResponse) => void)

/** A web server with pages that tests change. Replies have an ETag, and 304 where it is known. */
export interface Website {
  url: string
  pages: Map<string, SitePage>
  /** Paths with the status of the reply, in order. */
  requests: string[]
  /** Lists these paths in `/sitemap.xml`. */
  list(paths: readonly string[]): void
  close(): Promise<void>
}

export async function startWebsite(): Promise<Website> {
  const pages = new Map<string, SitePage>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    response.on('finish', () => requests.push(`${response.statusCode} ${path}`))
    const page = pages.get(path)
    if (typeof page === 'function') return page(request, response)
    const {
      status = 200,
      type = 'text/html; charset=utf-8',
      headers = {},
      body = '',
    } = page === undefined ? { status: 404, body: 'Not here.' } : typeof page === 'string' ? { body: page } : page
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
    if (status === 200 && request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(status, { 'content-type': type, ...(status === 200 && { etag }), ...headers }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    pages,
    requests,
    list: (paths) => {
      const entries = paths.map((path) => `<url><loc>${url}${path.replaceAll('&', '&amp;')}</loc></url>`)
      pages.set('/sitemap.xml', { type: 'application/xml', body: `<urlset>${entries.join('')}</urlset>` })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A page about a subject, long enough to be one, with links. */
export function sitePage(subject: string, links: readonly string[] = [], head = ''): string {
  const text = `The office for ${subject} is open on weekdays. Bring your identity card. The fee for ${subject} is paid in cash or by card.`
  const list = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join('')
  return `<html><head><title>${subject}</title>${head}</head><body><nav><ul>${list}</ul></nav><main><h1>${subject}</h1><p>${text}</p><p>${text} Ask for form ${subject.length}.</p></main></body></html>`
}
