import { z } from 'zod'
import { ReportId } from '../../../contract/reports.ts'
import {
  CorrectionList,
  CorrectionStored,
  ListedReport,
  NewCorrection,
  NewVerdict,
  OpenedReport,
  ReportQueue,
} from '../../../contract/staff/reports.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import {
  correctAnswer,
  decideReport,
  listReports,
  listAnswerCorrections,
  listSourceCorrections,
  readReport,
  removeCorrection,
} from '../../store/staff/report-queue.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { Done, doneOrMissing, NOTHING, sensitive, staffRoutes } from '../staff-route.ts'

const params = z.object({ id: ReportId })
const route = staffRoutes('reports')

export function reportRoutes(app: Server, { database, record, retentionMs, now }: ConsoleRouteOptions): void {
  const access = () => ({ now: now(), retentionMs })

  app.get('/api/staff/v1/reports', route('read-reports', { summary: 'List reports without their text', reply: ReportQueue }), async () => ({
    reports: await listReports(database, access()),
  }))

  app.post(
    '/api/staff/v1/reports/:id/readings',
    route(sensitive('read-reports'), {
      summary: 'Open a report',
      description: 'The reading is recorded in the audit log, and told to the visitor with the role of its reader.',
      params,
      body: NOTHING,
      reply: OpenedReport,
    }),
    async (request, reply) => {
      const { id } = request.params
      const { role } = staffOf(request).member
      if (role === 'viewer') return rejectStaff(reply, 'role_insufficient')
      return (await readReport(database, access(), { id, role, log: record(request, 'report.read', id) })) ?? reject(reply, 'not_found')
    },
  )

  app.post(
    '/api/staff/v1/reports/:id/verdict',
    route('read-reports', { summary: 'Decide about a report', params, body: NewVerdict, reply: ListedReport }),
    async (request, reply) => {
      const { id } = request.params
      const decided = await decideReport(database, access(), { id, ...request.body, log: record(request, 'report.decide', id) })
      if (decided === 'not_found') return reject(reply, decided)
      return typeof decided === 'string' ? rejectStaff(reply, decided) : decided
    },
  )

  app.post(
    '/api/staff/v1/reports/:id/correction',
    route(sensitive('read-reports'), {
      summary: 'Correct an answer',
      description: 'Visitors see it at the reported answer or, with a source, at every answer that names the same version of that file.',
      params,
      body: NewCorrection,
      reply: CorrectionStored,
    }),
    async (request, reply) => {
      const { id } = request.params
      const done = await correctAnswer(database, access(), { id, ...request.body, log: record(request, 'correction.write', id) })
      if (done === 'not_found') return reject(reply, done)
      return typeof done === 'string' ? rejectStaff(reply, done) : done
    },
  )
}

/** Routes for corrections, of every answer that names a document and of single answers. */
export function correctionRoutes(app: Server, { database, record, retentionMs, now }: ConsoleRouteOptions): void {
  app.get('/api/staff/v1/corrections', route('read-reports', { summary: 'List corrections', reply: CorrectionList }), async () => {
    const at = (time: number) => new Date(time).toISOString()
    const [general, single] = await Promise.all([
      listSourceCorrections(database),
      listAnswerCorrections(database, { now: now(), retentionMs }),
    ])
    return {
      corrections: [
        ...general.map(({ id, source, text, created_at }) => ({ id, source, text, agent: null, at: at(created_at) })),
        ...single.map(({ id, agent, created_at }) => ({ id, source: null, text: null, agent, at: at(created_at) })),
      ].toSorted((one, other) => other.at.localeCompare(one.at)),
    }
  })

  app.delete(
    '/api/staff/v1/corrections/:id',
    route(sensitive('read-reports'), { summary: 'Remove a correction', params, reply: Done }),
    async (request, reply) => {
      const { id } = request.params
      return doneOrMissing(reply, await removeCorrection(database, id, record(request, 'correction.remove', id)))
    },
  )
}
