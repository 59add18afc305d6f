import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RerankRequest {
  model: string
  query: string
  documents: string[]
  top_n: number
}

/** A reranking endpoint on a real HTTP server, with scripted replies. */
export interface RerankServer {
  baseUrl: string
  requests: (RerankRequest & { authorization: string | undefined })[]
  /** Writes the reply; may leave it open. */
  answer: (request: RerankRequest, response: ServerResponse) => void
  close(): Promise<void>
}

/** Replies with a score for each document. */
export function scoring(scoreOf: (document: string) => number): RerankServer['answer'] {
  return ({ documents }, response) => {
    const results = documents.map((document, index) => ({ index, relevance_score: scoreOf(document) }))
    replying({ results })({ model: '', query: '', documents, top_n: 0 }, response)
  }
}

export function replying(reply: unknown): RerankServer['answer'] {
  return (_, response) => {
    response.setHeader('content-type', 'application/json').end(typeof reply === 'string' ? reply : JSON.stringify(reply))
  }
}

export async function startRerankServer(answer: RerankServer['answer']): Promise<RerankServer> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.url !== '/v1/rerank') return response.writeHead(404).end()
      const body = JSON.parse(Buffer.concat(pieces).toString()) as RerankRequest
      self.requests.push({ ...body, authorization: request.headers.authorization })
      self.answer(body, response)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const self: RerankServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    answer,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self
}
