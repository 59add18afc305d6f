import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import {
  type KnowledgeDocument,
  KnowledgeView,
  MAX_LISTED_DOCUMENTS,
  NewWebsite,
  type UploadView,
  WebsiteAction,
  WebsiteActionDone,
  type WebsiteView,
} from '../../../contract/staff/content/knowledge.ts'
import type { Server } from '../../platform/server.ts'
import type { DocumentFacts } from '../../knowledge/retrieval/documents.ts'
import { storedReport } from '../../knowledge/websites/run-report.ts'
import { acceptSource, rollBackSource } from '../../knowledge/websites/source-actions.ts'
import { type NextSteps, PrivateWebsiteError, SourceActionError } from '../../knowledge/websites/source-lease.ts'
import type { AuditAction } from '../../../contract/staff/audit-actions.ts'
import type { Database } from '../../store/engine/database.ts'
import { heldPageCount, listMissingPages, listSnapshots, listSources, type SourceRow } from '../../store/knowledge/sources.ts'
import { listUploads } from '../../store/knowledge/managed-documents.ts'
import type { ConsoleKnowledge, ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { uploadView } from './uploads.ts'
import { sensitive, staffRoutes } from '../staff-route.ts'

const route = staffRoutes('knowledge')
const ACTIONS = {
  sync: 'website.sync',
  accept: 'website.accept',
  'roll-back': 'website.roll-back',
} as const satisfies Record<string, AuditAction>
export const NEXT_STEPS: NextSteps = { sync: () => '“Read now”', accept: () => '“Accept”' }
/** Pages of a website that aren't in; `parley knowledge status` lists all. */
const MAX_LISTED_MISSING = 500
/** A problem with a document begins with its file. */
const OF_DOCUMENT = /^(.+?): (?:skipped\.|partly read\.|expired on|the placeholder) /

/** All that agents answer from: the folder, uploaded documents and websites. */
export function knowledgeRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, record, knowledge, now } = options
  app.get(
    '/api/staff/v1/knowledge',
    route('read-knowledge', { summary: 'List sources and documents of the knowledge', reply: KnowledgeView }),
    async () => {
      const [indexed, uploads, websites] = await Promise.all([
        knowledge.documents(MAX_LISTED_DOCUMENTS + 1),
        listUploads(database),
        readWebsites(database, knowledge, now()),
      ])
      const views = uploads.map((upload) => uploadView(upload, now()))
      const { documents, problems } = documentsOf(indexed, views, knowledge.problems())
      return {
        documents: documents.slice(0, MAX_LISTED_DOCUMENTS),
        isComplete: documents.length <= MAX_LISTED_DOCUMENTS,
        websites,
        problems,
        uploadLimits: knowledge.limits,
      }
    },
  )

  app.post(
    '/api/staff/v1/knowledge/websites',
    route(sensitive('change-knowledge'), {
      summary: 'Add a website',
      description: 'Writes it into `sources.yaml`; the first run begins within seconds.',
      body: NewWebsite,
      reply: WebsiteActionDone,
    }),
    async (request, reply) => {
      try {
        const id = await knowledge.add(request.body.address)
        await database.transaction().execute(record(request, 'website.add', id))
        return { message: id }
      } catch (error) {
        return rejectConflict(reply, error)
      }
    },
  )

  app.post(
    '/api/staff/v1/knowledge/websites/:id/actions',
    route(sensitive('change-knowledge'), {
      summary: 'Read a website now, accept what was held back, or roll it back',
      params: z.object({ id: z.string().max(40) }),
      body: WebsiteAction,
      reply: WebsiteActionDone,
    }),
    async (request, reply) => {
      const { id } = request.params
      const { action } = request.body
      const lines: string[] = []
      try {
        if (action === 'sync') {
          if (!knowledge.sync(id)) throw new SourceActionError('sources.yaml has no such website.')
          lines.push(`${id}: is being read. Reload to see how far it is.`)
        } else {
          const act = action === 'accept' ? acceptSource : rollBackSource
          await act(database, id, { now, write: (line) => lines.push(line.trim()), commands: NEXT_STEPS })
        }
      } catch (error) {
        return rejectConflict(reply, error)
      }
      await database.transaction().execute(record(request, ACTIONS[action], id))
      return { message: lines.join(' ') }
    },
  )
}

/** Sends why something can't be done with a website. @throws other errors */
export function rejectConflict(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof PrivateWebsiteError) return rejectStaff(reply, 'website_private')
  if (error instanceof SourceActionError) return rejectStaff(reply, 'website_conflict', error.message)
  throw error
}

/** Documents by file, with what is wrong with each, and the problems that are left. */
function documentsOf(
  indexed: readonly DocumentFacts[],
  uploads: readonly UploadView[],
  sentences: readonly string[],
): { documents: KnowledgeDocument[]; problems: string[] } {
  const problems = Map.groupBy(sentences, (sentence) => OF_DOCUMENT.exec(sentence)?.[1] ?? null)
  const views = new Map(uploads.map((upload) => [upload.file, upload]))
  // A document that was deleted a moment ago may be in the index still.
  const facts = new Map(indexed.flatMap((one) => (sourceOf(one.file) === 'uploads' && !views.has(one.file) ? [] : [[one.file, one]])))
  const files = new Set([...facts.keys(), ...views.keys(), ...problems.keys()].filter((file) => file !== null))
  const documents = [...files].toSorted().map((file): KnowledgeDocument => {
    const known = facts.get(file)
    const upload = views.get(file) ?? null
    const found = (problems.get(file) ?? []).map((sentence) => sentence.slice(file.length + 2))
    return {
      file,
      source: sourceOf(file),
      state: stateOf(upload, { isIndexed: known !== undefined, hasProblems: found.length > 0 }),
      title: upload?.title ?? known?.title ?? upload?.name ?? null,
      bytes: upload?.bytes ?? known?.bytes ?? null,
      passages: known?.passages ?? 0,
      language: upload?.language ?? known?.language ?? null,
      asOf: upload?.asOf ?? known?.asOf ?? null,
      problems: found,
      upload,
    }
  })
  return { documents, problems: problems.get(null) ?? [] }
}

function stateOf(
  upload: UploadView | null,
  { isIndexed, hasProblems }: { isIndexed: boolean; hasProblems: boolean },
): KnowledgeDocument['state'] {
  if (upload?.isDraft) return 'draft'
  if (upload?.isExpired) return 'expired'
  if (isIndexed) return 'answers'
  return upload && !hasProblems ? 'indexing' : 'left-out'
}

function sourceOf(file: string): string {
  return /^source:([^/]+)\//.exec(file)?.[1] ?? 'folder'
}

async function readWebsites(database: Database, { websites }: ConsoleKnowledge, now: number): Promise<WebsiteView[]> {
  const defined = new Map(websites().map(({ id, website }) => [id, website.join(', ')]))
  const rows = new Map((await listSources(database)).map((row) => [row.id, row]))
  const ids = [...new Set([...defined.keys(), ...rows.keys()])].toSorted()
  return Promise.all(ids.map((id) => websiteView(database, { id, address: defined.get(id) ?? null, row: rows.get(id) }, now)))
}

async function websiteView(
  database: Database,
  { id, address, row }: { id: string; address: string | null; row: SourceRow | undefined },
  now: number,
): Promise<WebsiteView> {
  const active = row?.active ?? null
  const snapshots = await listSnapshots(database, id)
  const isQuarantined = snapshots.some(({ state, number }) => state === 'quarantined' && number > (active ?? 0))
  const holdsPages = isQuarantined || (active !== null && (await heldPageCount(database, id, active)) > 0)
  const report = storedReport(row?.report ?? null)
  const missing = report ? await listMissingPages(database, id, MAX_LISTED_MISSING) : []
  const endedAt = row?.ended_at ?? null
  return {
    id,
    address,
    isRunning: row !== undefined && row.holder !== null && row.lease_until > now,
    isLive: active !== null,
    isPinned: row?.pinned === 1,
    lastRun: report && {
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
      outcome: report.outcome,
      reason: report.reason,
      pages: report.pages,
      counts: report.counts,
      notes: [...report.notes, ...missing.map(({ address: missed, state, reason }) => ({ address: missed, state, reason: reason ?? '' }))],
    },
    waits: holdsPages || row?.pinned === 1,
    holdsPages: holdsPages && active !== null,
    canRollBack: snapshots.some(({ state, number }) => state === 'complete' && number < (active ?? 0)),
  }
}
