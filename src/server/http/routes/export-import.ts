import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { SessionId } from '../../../contract/chat.ts'
import { ExportDocument, ExportFormat, ImportReply } from '../../../contract/export.ts'
import { MAX_IMPORT_BYTES } from '../../../contract/size-limits.ts'
import { Problem } from '../../../contract/problem.ts'
import { WhoseQuery } from '../../../contract/rights.ts'
import type { Access } from '../../store/access.ts'
import { findExportedSession } from '../../store/export.ts'
import { makeVisitor } from '../../store/visitors.ts'
import { exportArchive } from '../../visitors/export-import/export-archive.ts'
import { exportDocument } from '../../visitors/export-import/export-document.ts'
import { exportMarkdown } from '../../visitors/export-import/export-markdown.ts'
import { KeyedSemaphore, type SlotLimit } from '../../semaphore.ts'
import { senderOf } from '../../visitors/resolve.ts'
import { setVisitorCookie } from '../cookies.ts'
import { reject } from '../problems.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

const ALL_EXPORTS: SlotLimit = { key: 'exports', limit: 20 }
/** Concurrent imports: each document is buffered in memory and parsed in a process. */
const ALL_IMPORTS: SlotLimit = { key: 'imports', limit: 2 }
/** A slower download is aborted. */
const EXPORT_LIMIT_MS = 10 * 60 * 1000

/** Export and import of chats. */
export function copyRoutes(app: Server, { database, limits, rights, configuration, agents }: RouteOptions): void {
  const running = new KeyedSemaphore()

  const archive = {
    querystring: WhoseQuery,
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
      const release = running.tryAcquire([ALL_EXPORTS, { key: `exports of ${request.owner}`, limit: 1 }])
      if (typeof release !== 'function') return reject(reply, 'data_busy')
      const zip = await exportArchive(database, access, configuration().name)
      attach(reply, 'application/zip', `chats-${dayOf(access)}.zip`)
      return reply.send(limited(zip, release))
    },
  )

  const one = {
    params: z.object({ key: SessionId }),
    querystring: WhoseQuery.extend({ format: ExportFormat.default('markdown') }),
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
    querystring: WhoseQuery,
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
      // Rejects before the body is read.
      onRequest: async (_request, reply) => {
        const release = running.tryAcquire([ALL_IMPORTS])
        if (typeof release !== 'function') return reject(reply, 'data_busy')
        reply.raw.once('close', release)
        return undefined
      },
    },
    async (request, reply) => {
      const { caller } = request
      const document = request.body as unknown as Uint8Array
      const outcome = await limits.parsing(request, reply, 'data_busy', (gone) => rights.importer.read(document, gone))
      if (!outcome) return reply
      const chats = outcome.parsed
      if (!chats) return reject(reply, 'invalid_request')
      // An empty document creates no visitor.
      if (chats.length === 0) return { imported: 0, skipped: 0, withoutRoom: 0, sessions: [] }
      if (caller.access.owner === null && !(await limits.newVisitor(request, reply))) return reply
      const { sender, key } = senderOf(caller)
      if (sender.newVisitor) await makeVisitor(database, sender.newVisitor, caller.access.now)
      if (key) setVisitorCookie(request, reply, key)
      return rights.importer.store(chats, { owner: sender.owner, agentIds: agents.all.map(({ id }) => id), firstAgentId: agents.first.id })
    },
  )
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
