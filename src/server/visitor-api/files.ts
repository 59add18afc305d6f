import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ErrorCode } from '../../contract/errors.ts'
import { SendPromptBody } from '../../contract/chat/chat.ts'
import { FileId, FileName, StoredFile } from '../../contract/chat/files.ts'
import { MAX_FILE_BYTES, MAX_OWN_FILE_BYTES, MAX_PENDING_FILES } from '../../contract/size-limits.ts'
import { kindsWith, type PersonalDataRules } from '../../personal-data/kinds.ts'
import { strictestRules } from '../../personal-data/rules.ts'
import { textMasker } from '../../personal-data/text-masker.ts'
import { Problem } from '../../contract/problem.ts'
import type { Rejection } from '../../contract/rejection.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import {
  type AttachmentFailure,
  fileTypeOf,
  isDocument,
  type ReadAttachment,
  readAttachment,
  readDocumentAttachment,
} from '../answering/attachments/read-attachment.ts'
import { deletePendingFile, findFile, insertPendingFile } from '../store/sessions/files.ts'
import { newFileId } from '../turns/ids.ts'
import { senderOf } from '../visitors/resolve.ts'
import { setVisitorCookie } from '../platform/cookies.ts'
import { deviceOf } from './requests/device.ts'
import { reject } from '../platform/problems.ts'
import { isCrossSite } from '../platform/request-checks.ts'
import { screenFileText } from './requests/screen-personal-data.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

const FAILURES = { unreadable: 'file_unreadable', 'too-complex': 'file_too_complex' } as const satisfies Record<
  AttachmentFailure,
  ErrorCode
>
const ROOM = { maxPending: MAX_PENDING_FILES, maxOwnBytes: MAX_OWN_FILE_BYTES }

const PATH = '/api/v1/files/:file'
const params = z.object({ file: FileId })
const SendFileQuery = OwnerQuery.extend({
  name: FileName.describe('Display name of the file.'),
  device: SendPromptBody.shape.device,
})

/** Files for prompts: uploaded first, then referenced by a prompt. Only their sender can read them. */
export function fileRoutes(app: Server, { database, limits, agents, rights, settings }: RouteOptions): void {
  /** Reads a file by its content; a document waits for a parser. `undefined` if the request was rejected or the client disconnected. */
  async function readFile(request: FastifyRequest, reply: FastifyReply, content: Buffer) {
    const type = fileTypeOf(content)
    if (!isDocument(type)) return readAttachment(content)
    const outcome = await limits.parsing(request, reply, 'too_many_requests', (gone) =>
      readDocumentAttachment(content, type, gone, settings.usesOcr),
    )
    return outcome?.parsed
  }

  const send = {
    summary: 'Upload a file for a prompt',
    tags: ['files'],
    consumes: ['application/octet-stream'],
    description: `The body is the file, as \`application/octet-stream\`, at most ${MAX_FILE_BYTES / 1024 / 1024} MB. Its type is detected from its content.`,
    querystring: SendFileQuery,
    response: { 200: StoredFile, default: Problem },
  }
  app.post(
    '/api/v1/files',
    {
      schema: send,
      bodyLimit: MAX_FILE_BYTES,
      config: { takesBytes: true, caller: 'query' },
    },
    async (request, reply) => {
      const { caller } = request
      // The prompt would come without the key that the file is stored under.
      if (caller.access.owner === null && isCrossSite(request)) return reject(reply, 'credential_required')
      if (!(await limits.file(request, reply))) return reply
      const content = request.body as Buffer
      const read = await readFile(request, reply, content)
      if (!read) return reply
      if (typeof read === 'string') return reject(reply, FAILURES[read])
      const rules = strictestRules(agents.all.map(({ personalData }) => personalData))
      const screened = screenFile(read, content, rules)
      if (screened.kind === 'rejected') return reject(reply, screened)
      const device = deviceOf(request, settings.frameChats, request.query.device)
      const { sender, key } = senderOf(caller, device)
      const { mediaType, isCut } = read
      const { text, content: stored } = screened
      const file = { id: newFileId(), name: textMasker(rules)(request.query.name), mediaType, bytes: stored.length }
      const { owner, newVisitor } = sender
      const isStored = await insertPendingFile(
        database,
        { ...file, text, content: stored, owner, newVisitor, now: caller.access.now },
        ROOM,
      )
      if (!isStored) return reject(reply, 'files_full')
      if (key) setVisitorCookie(request, reply, key, device)
      return { ...file, isCut }
    },
  )

  const read = {
    summary: 'Download a file',
    tags: ['files'],
    params,
    querystring: OwnerQuery,
    produces: ['application/octet-stream'],
  }
  app.get(PATH, { schema: read, exposeHeadRoute: false, config: { caller: 'query' } }, async (request, reply) => {
    const file = await findFile(database, request.caller.access, request.params.file)
    if (!file) return reject(reply, 'not_found')
    return sendAsDownload(reply, file.name, file.mediaType).send(Buffer.from(file.content))
  })

  const remove = {
    summary: 'Delete an unused file',
    tags: ['files'],
    params,
    querystring: OwnerQuery,
    response: { 200: z.object({}), default: Problem },
  }
  app.delete(PATH, { schema: remove, config: { caller: 'query' } }, async (request, reply) => {
    const { file } = request.params
    const isDeleted = await rights.ledger.deleteRecorded(database, 'file', file, (transaction) =>
      deletePendingFile(transaction, request.caller.access.owner, file),
    )
    return isDeleted ? {} : reject(reply, 'not_found')
  })
}

/** Masks the text of a file; a text file is stored as the model reads it. Which agent reads it is not known yet. */
function screenFile(
  { mediaType, text }: ReadAttachment,
  content: Buffer,
  rules: PersonalDataRules,
): { kind: 'screened'; text: string | null; content: Buffer } | Rejection {
  if (text === null || kindsWith(rules, 'mask', 'refuse').length === 0) return { kind: 'screened', text, content }
  const screened = screenFileText(text, rules)
  if (screened.kind === 'rejected') return screened
  return { ...screened, content: mediaType === 'text/plain' ? Buffer.from(screened.text) : content }
}

/** Adds to the API's headers, so that browsers save the file and never open, sniff or cache it. */
function sendAsDownload(reply: FastifyReply, name: string, mediaType: string): FastifyReply {
  const type = mediaType === 'text/plain' ? 'text/plain; charset=utf-8' : mediaType
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return reply.type(type).header('content-disposition', `attachment; filename*=UTF-8''${encoded}`)
}
