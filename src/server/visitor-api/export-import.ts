import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { ExportDocument, ExportFormat, ImportReply } from '../../contract/chat/export.ts'
import { MAX_IMPORT_BYTES } from '../../contract/size-limits.ts'
import { Problem } from '../../contract/problem.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import type { Access } from '../store/visitors/access.ts'
import { findExportedSession } from '../store/sessions/export.ts'
import { createVisitor } from '../store/visitors/visitors.ts'
import { exportArchive } from '../visitors/export-import/export-archive.ts'
import { exportDocument } from '../visitors/export-import/export-document.ts'
import { exportMarkdown } from '../visitors/export-import/export-markdown.ts'
import type { Network } from '../limits/network.ts'
import { KeyedSemaphore, type SlotLimit } from '../../async/semaphore.ts'
import { senderOf } from '../visitors/resolve.ts'
import { setVisitorCookie } from '../platform/cookies.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

const ALL_EXPORTS: SlotLimit = { key: 'exports', limit: 20 }
const MAX_NETWORK_EXPORTS = 5
/** Concurrent imports: each holds its document and the chats read from it in memory. */
const ALL_IMPORTS: SlotLimit = { key: 'imports', limit: 8 }
const MAX_NETWORK_IMPORTS = 2
/** A slower download is aborted. */
const EXPORT_LIMIT_MS = 10 * 60 * 1000

export function copyRoutes(app: Server, { database, limits, rights, configuration, agents }: RouteOptions): void {
  const running = new KeyedSemaphore()

  const archive = {
    querystring: OwnerQuery,
    description: 'Streams a ZIP with `parley.json`, which is complete and can be imported, and with each chat as Markdown.',
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
    description: 'Exports Markdown, or a JSON document that can be imported.',
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

  const take = {
    querystring: OwnerQuery,
    body: ExportDocument,
    response: { 200: ImportReply, default: Problem },
    description:
      `Takes an exported JSON document of at most ${MAX_IMPORT_BYTES / 1024 / 1024} MB. Split a larger one into documents with some of the chats each. ` +
      'Chats get new keys and the current time as last activity. Chats that were already imported are skipped, so an import can be repeated.',
  }
  app.post(
    '/api/v1/me/import',
    {
      schema: { summary: 'Import sessions', tags: ['rights'], ...take },
      bodyLimit: MAX_IMPORT_BYTES,
      config: { keepsBytes: true, caller: 'query' },
      validatorCompiler: bytesAsBody as never,
    },
    async (request, reply) => {
      // Taken once the document has arrived, so that slow clients hold no slot.
      const release = running.tryAcquire(slotsOf(ALL_IMPORTS, limits.limitedNetwork(request), MAX_NETWORK_IMPORTS))
      if (typeof release !== 'function') return reject(reply, 'data_busy')
      try {
        if (!(await limits.import(request, reply))) return reply
        return await importDocument(request, reply)
      } finally {
        release()
      }
    },
  )

  async function importDocument(request: FastifyRequest, reply: FastifyReply) {
    const { caller } = request
    const document = request.body as Uint8Array
    const outcome = await limits.parsing(request, reply, 'data_busy', (gone) => rights.importer.read(document, gone))
    if (!outcome) return reply
    const chats = outcome.parsed
    if (!chats) return reject(reply, 'invalid_request')
    // An empty document creates no visitor.
    if (chats.length === 0) return { imported: 0, skipped: 0, withoutRoom: 0, sessions: [] }
    if (caller.access.owner === null && !(await limits.newVisitor(request, reply))) return reply
    const { sender, key } = senderOf(caller)
    if (sender.newVisitor) await createVisitor(database, sender.newVisitor, caller.access.now)
    if (key) setVisitorCookie(request, reply, key)
    return rights.importer.store(chats, { owner: sender.owner, agents })
  }
}

function slotsOf(all: SlotLimit, network: Network | null, limit: number): SlotLimit[] {
  return network ? [all, { key: `${all.key} of ${network.wide ?? network.own}`, limit }] : [all]
}

/** Skips validation here: the process that parses the body validates it. */
const bytesAsBody = ((route) =>
  route.httpPart === 'body' ? (value: unknown) => ({ value }) : validatorCompiler(route)) as typeof validatorCompiler

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
