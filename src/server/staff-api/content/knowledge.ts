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
import { type NextSteps, SourceActionError } from '../../knowledge/websites/source-lease.ts'
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
        if (error instanceof SourceActionError) return rejectStaff(reply, 'website_conflict', error.message)
        throw error
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
        if (error instanceof SourceActionError) return rejectStaff(reply, 'website_conflict', error.message)
        throw error
      }
      await database.transaction().execute(record(request, ACTIONS[action], id))
      return { message: lines.join(' ') }
    },
  )
}

/** Documents by file, with what is wrong with each, and the problems that are left. */
function documentsOf(
  indexed: readonly DocumentFacts[],
  uploads: readonly UploadView[],
  sentences: readonly string[],
): { documents: KnowledgeDocument[]; problems: string[] } {
  const problems = new Map<string, string[]>()
  const others: string[] = []
  for (const sentence of sentences) {
    const file = OF_DOCUMENT.exec(sentence)?.[1]
    if (file === undefined) others.push(sentence)
    else problems.set(file, [...(problems.get(file) ?? []), sentence.slice(file.length + 2)])
  }
  const documents = new Map<string, KnowledgeDocument>()
  const empty = { title: null, bytes: null, passages: 0, language: null, asOf: null, upload: null }
  for (const { file, ...facts } of indexed)
    documents.set(file, { ...empty, ...facts, file, source: sourceOf(file), state: 'answers', problems: problems.get(file) ?? [] })
  for (const upload of uploads) {
    const { file, isExpired, isDraft, bytes, asOf } = upload
    const known = documents.get(file)
    const state = isDraft ? 'draft' : isExpired ? 'expired' : known ? 'answers' : problems.has(file) ? 'left-out' : 'indexing'
    const title = upload.title ?? known?.title ?? upload.name
    const language = upload.language ?? known?.language ?? null
    documents.set(file, {
      ...empty,
      ...known,
      file,
      source: 'uploads',
      state,
      title,
      language,
      bytes,
      asOf,
      problems: problems.get(file) ?? [],
      upload,
    })
  }
  // A document that was deleted a moment ago may be in the index still.
  for (const [file, { source, upload }] of documents) if (source === 'uploads' && !upload) documents.delete(file)
  for (const [file, found] of problems)
    if (!documents.has(file)) documents.set(file, { ...empty, file, source: sourceOf(file), state: 'left-out', problems: found })
  return { documents: [...documents.values()].toSorted((one, other) => (one.file < other.file ? -1 : 1)), problems: others }
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
