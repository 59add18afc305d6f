import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { PushQuery, UploadDetails, UploadId } from '../../../contract/staff/content/knowledge.ts'
import { endingOf, isUploadable, readUpload as readFile } from '../../knowledge/uploads/read-upload.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import {
  addVersion,
  changeFacts,
  deleteUpload,
  insertUpload,
  readUpload,
  type Upload,
  type UploadFacts,
} from '../../store/knowledge/managed-documents.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { type Changes, changesOf } from './uploads.ts'
import { DONE, Done, staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/documents/:id'
const route = staffRoutes('knowledge')
const params = z.object({ id: UploadId })
const ENDINGS: Readonly<Record<string, string>> = {
  'text/markdown': '.md',
  'text/html': '.html',
  'text/plain': '.txt',
  'application/pdf': '.pdf',
  'application/octet-stream': '',
}
const config = { staff: 'change-knowledge', isSensitive: true, scopes: ['write:drafts', 'publish'] } as const

/** Whether the caller changes what answers: staff, and tokens of the scope `publish`. */
const mayPublish = ({ program }: FastifyRequest) => !program || program.scopes.includes('publish')

/** Documents under ids of another system, which keeps them up to date with a token. */
export function documentRoutes(app: Server, options: ConsoleRouteOptions): void {
  const changes = changesOf(options)
  app.addContentTypeParser(
    Object.keys(ENDINGS).filter((type) => !app.hasContentTypeParser(type)),
    { parseAs: 'buffer' },
    (_, body, done) => done(null, body),
  )
  pushRoute(app, options, changes)
  deleteRoute(app, options, changes)
}

function pushRoute(
  app: Server,
  { database, knowledge: { limits, usesOcr }, now }: ConsoleRouteOptions,
  { room, authorOf, answer }: Changes,
): void {
  app.put(
    PATH,
    {
      ...route(
        { ...config, takesBytes: Object.keys(ENDINGS) },
        {
          summary: 'Push a document',
          description:
            'Creates or replaces it; the same file again changes nothing. With `write:drafts` alone it stays a draft until staff publish it, and one that answers is refused.',
          consumes: Object.keys(ENDINGS),
          querystring: PushQuery,
          params,
          reply: UploadDetails,
        },
      ),
      bodyLimit: limits.bytes,
    },
    async (request, reply) => {
      const { id } = request.params
      const earlier = await readUpload(database, id)
      const { name = earlier?.name ?? `${id}${endingOfType(request)}`, ...given } = request.query
      if (earlier && !earlier.isDraft && !mayPublish(request)) return rejectStaff(reply, 'token_insufficient')
      if (!isUploadable(name)) return rejectStaff(reply, 'document_type')
      if (earlier && endingOf(name) !== endingOf(earlier.name)) return rejectStaff(reply, 'document_ending')
      const read = await readFile({ name, content: (request.body as Buffer | undefined) ?? Buffer.alloc(0), usesOcr }, now())
      if (read.kind === 'unreadable') return rejectStaff(reply, 'document_unreadable', read.reason)
      const was = factsOf(earlier, staffOf(request).member.name)
      const { owner = was.owner, title = was.title, language = was.language, validUntil = was.validUntil } = given
      const facts = { owner, title, language, validUntil, isDraft: !mayPublish(request) }
      if (!earlier) {
        const author = authorOf(request, 'document.upload', id)
        return answer(reply, id, await insertUpload(database, { id, name, ...facts }, read.version, { room, ...author }))
      }
      let { revision: base } = earlier
      if (earlier.hash !== read.version.hash) {
        const change = { id, base, ...authorOf(request, 'document.replace', id) }
        const outcome = await addVersion(database, change, read.version, { room })
        if (outcome !== 'changed') return answer(reply, id, outcome)
        base += 1
      }
      if (isSame(factsOf(earlier), facts)) return answer(reply, id, 'changed')
      return answer(reply, id, await changeFacts(database, { id, base, ...authorOf(request, 'document.edit', id) }, facts))
    },
  )
}

function deleteRoute(app: Server, { database }: ConsoleRouteOptions, { authorOf }: Changes): void {
  app.delete(PATH, route(config, { summary: 'Delete a pushed document', params, reply: Done }), async (request, reply) => {
    const { id } = request.params
    const earlier = await readUpload(database, id)
    if (!earlier) return reject(reply, 'not_found')
    if (!earlier.isDraft && !mayPublish(request)) return rejectStaff(reply, 'token_insufficient')
    const outcome = await deleteUpload(database, { id, base: earlier.revision, ...authorOf(request, 'document.delete', id) })
    if (outcome !== 'changed') return rejectStaff(reply, 'changed_meanwhile')
    return DONE
  })
}

function endingOfType({ headers }: FastifyRequest): string {
  return ENDINGS[(headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''] ?? ''
}

function factsOf(upload: Upload | undefined, author = ''): Required<UploadFacts> {
  const { owner = author, title = null, language = null, validUntil = null, isDraft = false } = upload ?? {}
  return { owner, title, language, validUntil, isDraft }
}

function isSame(one: Required<UploadFacts>, other: Required<UploadFacts>): boolean {
  return (Object.keys(one) as (keyof UploadFacts)[]).every((fact) => one[fact] === other[fact])
}
