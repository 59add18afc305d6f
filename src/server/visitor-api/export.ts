import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { ExportFormat } from '../../contract/chat/export.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import type { Access } from '../store/visitors/access.ts'
import { findExportedSession } from '../store/sessions/export.ts'
import { exportArchive } from '../visitors/export/export-archive.ts'
import { exportDocument } from '../visitors/export/export-document.ts'
import { exportMarkdown } from '../visitors/export/export-markdown.ts'
import type { Network } from '../limits/network.ts'
import { KeyedSemaphore, type SlotLimit } from '../../async/semaphore.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

const ALL_EXPORTS: SlotLimit = { key: 'exports', limit: 20 }
const MAX_NETWORK_EXPORTS = 5
/** A slower download is aborted. */
const EXPORT_LIMIT_MS = 10 * 60 * 1000

export function exportRoutes(app: Server, { database, limits, configuration }: RouteOptions): void {
  const running = new KeyedSemaphore()

  const archive = {
    querystring: OwnerQuery,
    description: 'Streams a ZIP with `parley.json`, which is complete, and with each chat as Markdown.',
    produces: ['application/zip'],
  }
  app.get(
    '/api/v1/me/export',
    {
      schema: { summary: 'Export all sessions', tags: ['rights'], ...archive },
      exposeHeadRoute: false,
      config: { caller: 'query', needsOwner: true },
    },
    async (request, reply) => {
      const { access } = request.caller
      const release = running.tryAcquire([
        { key: `exports of owner ${request.owner}`, limit: 1 },
        ...slotsOf(ALL_EXPORTS, limits.limitedNetwork(request), MAX_NETWORK_EXPORTS),
      ])
      if (typeof release !== 'function') return reject(reply, 'data_busy')
      const zip = await exportArchive(database, access, configuration().name)
      attach(reply, 'application/zip', `chats-${dayOf(access)}.zip`)
      return reply.send(limited(zip, release))
    },
  )

  const one = {
    params: z.object({ key: SessionId }),
    querystring: OwnerQuery.extend({ format: ExportFormat.default('markdown') }),
    description: 'Exports Markdown, or a JSON document.',
    produces: ['text/markdown', 'application/json'],
  }
  app.get(
    '/api/v1/sessions/:key/export',
    { schema: { summary: 'Export a session', tags: ['rights'], ...one }, exposeHeadRoute: false, config: { caller: 'query' } },
    async (request, reply) => {
      const { access } = request.caller
      const session = await findExportedSession(database, access, request.params.key)
      if (!session) return reject(reply, 'not_found')
      const isJson = request.query.format === 'json'
      const pieces = isJson
        ? exportDocument(database, configuration().name, access.now, Readable.from([session]))
        : exportMarkdown(database, session)
      attach(reply, `${isJson ? 'application/json' : 'text/markdown'}; charset=utf-8`, `chat-${dayOf(access)}.${isJson ? 'json' : 'md'}`)
      return reply.send(limited(Readable.from(pieces)))
    },
  )
}

function slotsOf(all: SlotLimit, network: Network | null, limit: number): SlotLimit[] {
  return network ? [all, { key: `${all.key} of ${network.wide ?? network.own}`, limit }] : [all]
}

/** Aborts the stream after the time limit. Calls `release` when the stream ends or fails. */
function limited(stream: Readable, release: () => void = () => undefined): Readable {
  const limit = setTimeout(() => stream.destroy(new Error('The download took too long')), EXPORT_LIMIT_MS)
  stream.once('close', () => {
    clearTimeout(limit)
    release()
  })
  return stream
}

function attach(reply: FastifyReply, type: string, fileName: string): void {
  reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`)
}

function dayOf({ now }: Access): string {
  return new Date(now).toISOString().slice(0, 10)
}
