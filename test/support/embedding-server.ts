import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An endpoint of OpenAI's form for embeddings, behind a real HTTP server. */
export interface EmbeddingServer {
  /** Ends in `/v1`. */
  baseUrl: string
  /** All texts that it was sent, oldest first. */
  texts: string[]
  /** While it is false, it answers with status 503. */
  isThere: boolean
  /** Before it answers. */
  delayMs: number
  close(): Promise<void>
}

/** `vectorOf` says what a text means. */
export async function startEmbeddingServer(vectorOf: (text: string) => number[]): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(pieces).toString()) as { input: string[] }
      if (request.url !== '/v1/embeddings' || !self.isThere) return response.writeHead(503).end()
      self.texts.push(...input)
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
      setTimeout(() => response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data })), self.delayMs)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const self: EmbeddingServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts: [],
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
