import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An OpenAI-compatible embedding endpoint on a real HTTP server. */
export interface EmbeddingServer {
  /** Ends in `/v1`. */
  baseUrl: string
  /** All received texts, oldest first. */
  texts: string[]
  /** The `authorization` of all requests, oldest first. */
  authorizations: (string | undefined)[]
  /** If false, it responds with status 503. */
  isThere: boolean
  /** Delay of each reply in milliseconds. */
  delayMs: number
  close(): Promise<void>
}

/** `vectorOf` returns the embedding of a text. */
export async function startEmbeddingServer(vectorOf: (text: string) => number[]): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(pieces).toString()) as { input: string[] }
      if (request.headers['content-type'] !== 'application/json') return response.writeHead(415).end()
      if (request.url !== '/v1/embeddings' || !self.isThere) return response.writeHead(503).end()
      self.texts.push(...input)
      self.authorizations.push(request.headers.authorization)
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
      setTimeout(() => response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data })), self.delayMs)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const self: EmbeddingServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts: [],
    authorizations: [],
    isThere: true,
    delayMs: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self
}
