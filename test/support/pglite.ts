import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

const MAX_CONNECTIONS = 50

export interface PgliteServer {
  url: string
  stop(): Promise<void>
}

/**
 * PostgreSQL in WebAssembly behind a socket, in this process, for what the run's PostgreSQL lacks: pgvector. It has one database and
 * one session, which runs one transaction at a time for all clients.
 */
export async function startPglite({ hasPgvector }: { hasPgvector: boolean }): Promise<PgliteServer> {
  const db = await PGlite.create({ extensions: hasPgvector ? { vector } : {} })
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: MAX_CONNECTIONS })
  await server.start()
  return {
    url: `postgres://postgres:postgres@${server.getServerConn()}/postgres`,
    async stop() {
      await server.stop()
      await db.close()
    },
  }
}
