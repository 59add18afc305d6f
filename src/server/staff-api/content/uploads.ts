import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  DeleteQuery,
  NewUploadQuery,
  ReplaceUploadQuery,
  RestoreUpload,
  UploadDetails,
  UploadFactsChange,
  UploadId,
  type UploadView,
} from '../../../contract/staff/content/knowledge.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { endingOf, isUploadable, readUpload as readFile } from '../../knowledge/uploads/read-upload.ts'
import { citedFile, isExpired } from '../../knowledge/uploads/upload-mirror.ts'
import type { AuditAction } from '../../../contract/staff/audit-actions.ts'
import { newDocumentId } from '../../staff/ids.ts'
import type { Database } from '../../store/engine/database.ts'
import {
  addVersion,
  type ChangeOutcome,
  changeFacts,
  deleteUpload,
  insertUpload,
  listVersions,
  readUpload,
  readVersion,
  restoreVersion,
  type Upload,
} from '../../store/knowledge/managed-documents.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { DONE, Done, sensitive, staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/knowledge/uploads'
const route = staffRoutes('knowledge')
const params = z.object({ id: UploadId })
const consumes = ['application/octet-stream']
const config = sensitive('change-knowledge')
const EDITABLE = ['.md', '.txt']
const PROBLEM_OF = { exists: 'document_exists', conflict: 'changed_meanwhile', full: 'documents_full' } as const

export type Changes = ReturnType<typeof changesOf>

export function changesOf({ database, record, knowledge, now }: ConsoleRouteOptions) {
  const { limits } = knowledge
  return {
    room: { count: limits.count, bytes: limits.totalBytes },
    /** Who changes a document, with an entry in the audit log in the transaction of the change. */
    authorOf(request: FastifyRequest, action: AuditAction, target: string) {
      const [by, at] = [staffOf(request).member.id, now()]
      return { by, at, record: record(request, action, target) }
    },
    async answer(reply: FastifyReply, id: string, outcome: ChangeOutcome) {
      if (outcome === 'missing') return reject(reply, 'not_found')
      if (outcome !== 'changed') return rejectStaff(reply, PROBLEM_OF[outcome])
      return (await detailsOf(database, id, now())) ?? reject(reply, 'not_found')
    },
  }
}

/** Documents that staff upload. Every process answers from a change within a second. */
export function uploadRoutes(app: Server, options: ConsoleRouteOptions): void {
  const changes = changesOf(options)
  readRoutes(app, options)
  contentRoutes(app, options, changes)
  changeRoutes(app, options, changes)
}

function readRoutes(app: Server, { database, now }: ConsoleRouteOptions): void {
  app.get(
    `${PATH}/:id`,
    route('read-knowledge', { summary: 'Retrieve an uploaded document', params, reply: UploadDetails }),
    async ({ params: { id } }, reply) => (await detailsOf(database, id, now())) ?? reject(reply, 'not_found'),
  )

  app.get(
    `${PATH}/:id/versions/:number/content`,
    route('read-knowledge', {
      summary: 'Download a version of an uploaded document',
      params: params.extend({ number: z.string().regex(/^[1-9]\d{0,8}$/) }),
      reply: z.any().describe('The file as it was sent.'),
    }),
    async (request, reply) => {
      const { id, number } = request.params
      const version = await readVersion(database, id, Number(number))
      if (!version) return reject(reply, 'not_found')
      // Never shown in the console's origin, whatever it contains.
      reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(version.name).replaceAll("'", '%27')}`)
      return reply
        .type('application/octet-stream')
        .serializer((content: Buffer) => content as never)
        .send(Buffer.from(version.bytes))
    },
  )
}

function contentRoutes(
  app: Server,
  { database, knowledge: { limits, usesOcr }, now }: ConsoleRouteOptions,
  { room, authorOf, answer }: Changes,
): void {
  app.post(
    PATH,
    {
      ...route(
        { ...config, takesBytes: true },
        { summary: 'Upload a document', consumes, querystring: NewUploadQuery, reply: UploadDetails },
      ),
      bodyLimit: limits.bytes,
    },
    async (request, reply) => {
      const { name } = request.query
      if (!isUploadable(name)) return rejectStaff(reply, 'document_type')
      const read = await readFile({ name, content: request.body as Buffer, usesOcr }, now())
      if (read.kind === 'unreadable') return rejectStaff(reply, 'document_unreadable', read.reason)
      const id = newDocumentId()
      const author = authorOf(request, 'document.upload', id)
      return answer(reply, id, await insertUpload(database, { id, ...request.query }, read.version, { room, ...author }))
    },
  )

  app.post(
    `${PATH}/:id/versions`,
    {
      ...route(
        { ...config, takesBytes: true },
        { summary: 'Replace an uploaded document', consumes, querystring: ReplaceUploadQuery, params, reply: UploadDetails },
      ),
      bodyLimit: limits.bytes,
    },
    async (request, reply) => {
      const { id } = request.params
      const { base, name } = request.query
      const upload = await readUpload(database, id)
      if (!upload) return reject(reply, 'not_found')
      if (upload.revision !== base) return rejectStaff(reply, 'changed_meanwhile')
      if (endingOf(name) !== endingOf(upload.name)) return rejectStaff(reply, 'document_ending')
      const read = await readFile({ name, content: request.body as Buffer, usesOcr }, now())
      if (read.kind === 'unreadable') return rejectStaff(reply, 'document_unreadable', read.reason)
      const change = { id, base, ...authorOf(request, 'document.replace', id) }
      return answer(reply, id, await addVersion(database, change, read.version, { room }))
    },
  )
}

function changeRoutes(app: Server, { database }: ConsoleRouteOptions, { room, authorOf, answer }: Changes): void {
  app.post(
    `${PATH}/:id`,
    route(config, { summary: 'Change what is said about an uploaded document', params, body: UploadFactsChange, reply: UploadDetails }),
    async (request, reply) => {
      const { id } = request.params
      const { base, ...facts } = request.body
      return answer(reply, id, await changeFacts(database, { id, base, ...authorOf(request, 'document.edit', id) }, facts))
    },
  )

  app.post(
    `${PATH}/:id/restoration`,
    route(config, { summary: 'Restore an earlier version of an uploaded document', params, body: RestoreUpload, reply: UploadDetails }),
    async (request, reply) => {
      const { id } = request.params
      const { base, version } = request.body
      const change = { id, base, ...authorOf(request, 'document.restore', id) }
      return answer(reply, id, await restoreVersion(database, change, version, room))
    },
  )

  app.delete(
    `${PATH}/:id`,
    route(config, { summary: 'Delete an uploaded document', querystring: DeleteQuery, params, reply: Done }),
    async (request, reply) => {
      const { id } = request.params
      const outcome = await deleteUpload(database, { id, base: request.query.base, ...authorOf(request, 'document.delete', id) })
      if (outcome === 'missing') return reject(reply, 'not_found')
      if (outcome !== 'changed') return rejectStaff(reply, PROBLEM_OF[outcome])
      return DONE
    },
  )
}

async function detailsOf(database: Database, id: string, now: number) {
  const upload = await readUpload(database, id)
  if (!upload) return undefined
  const versions = await listVersions(database, id)
  const isEditable = EDITABLE.includes(endingOf(upload.name))
  const bytes = isEditable ? (await readVersion(database, id, upload.version))?.bytes : undefined
  return {
    ...uploadView(upload, now),
    versions: versions.map(({ size, at, ...version }) => ({ ...version, bytes: size, since: new Date(at).toISOString() })),
    text: bytes ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : null,
  }
}

export function uploadView({ size, changedAt, isDraft = false, ...upload }: Upload, now: number): UploadView {
  return {
    ...upload,
    isDraft,
    file: citedFile(upload),
    isExpired: isExpired(upload, new Date(now).toISOString().slice(0, 10)),
    bytes: size,
    changedAt: new Date(changedAt).toISOString(),
  }
}
