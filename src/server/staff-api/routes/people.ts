import { z } from 'zod'
import { AuditCsvQuery, AuditPage, AuditQuery, AuditVerdict, Invitation, NewInvitation, StaffList } from '../../../contract/staff/people.ts'
import { StaffId } from '../../../contract/staff/session.ts'
import type { Server } from '../../platform/server.ts'
import { type AuditRow, readNewestAuditRows } from '../../store/staff/audit-log.ts'
import { listStaff } from '../../store/staff/staff.ts'
import { readActorNames } from '../staff-names.ts'
import { dayOf } from '../../insights/figures/figures.ts'
import { sendCsv } from '../send-csv.ts'
import { enterUrl } from '../enter-url.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { Done, doneOrMissing, sensitive, staffRoutes } from '../staff-route.ts'

const HOUR_MS = 60 * 60 * 1000
/** Entries of the audit log in a reply. */
const PAGE = 100
/** Entries of the audit log in a file. */
const EXPORTED = 10_000

export function peopleRoutes(app: Server, { database, access, origin, now }: ConsoleRouteOptions): void {
  const route = staffRoutes('staff')

  app.get('/api/staff/v1/staff', route('manage-staff', { summary: 'List the staff', reply: StaffList }), async () => ({
    staff: (await listStaff(database)).map(({ joinedAt, ...person }) => ({
      ...person,
      joinedAt: new Date(joinedAt).toISOString(),
    })),
  }))

  app.post(
    '/api/staff/v1/staff/invitations',
    route(sensitive('manage-staff'), { summary: 'Invite somebody', body: NewInvitation, reply: Invitation }),
    async (request, reply) => {
      const { hours, ...person } = request.body
      if (!(await access.isNameFree(person.name))) return rejectStaff(reply, 'name_taken')
      const lifetimeMs = hours * HOUR_MS
      const expiresAt = new Date(now() + lifetimeMs).toISOString()
      return { url: enterUrl(origin(), await access.invite({ ...person, lifetimeMs, actor: staffOf(request).member.id })), expiresAt }
    },
  )

  app.delete(
    '/api/staff/v1/staff/:id',
    route(sensitive('manage-staff'), { summary: 'Remove somebody', params: z.object({ id: StaffId }), reply: Done }),
    async (request, reply) => {
      const result = await access.remove(request.params.id, staffOf(request).member.id)
      if (result === 'last-owner') return rejectStaff(reply, 'last_owner')
      return doneOrMissing(reply, result === 'removed')
    },
  )
}

export function auditRoutes(app: Server, { database, audit, now }: ConsoleRouteOptions): void {
  const route = staffRoutes('audit log')

  app.get(
    '/api/staff/v1/audit',
    route('read-audit-log', { summary: 'List entries, newest first', querystring: AuditQuery, reply: AuditPage }),
    async (request) => {
      const rows = await readNewestAuditRows(database, request.query, PAGE)
      return {
        entries: await entriesOf(rows),
        before: rows.length < PAGE ? null : (rows.at(-1)?.number ?? null),
      }
    },
  )

  app.get(
    '/api/staff/v1/audit.csv',
    route('read-audit-log', {
      summary: 'Download the newest entries as CSV',
      description: `The newest ${EXPORTED} entries. \`parley staff audit\` prints all.`,
      querystring: AuditCsvQuery,
      reply: z.string(),
    }),
    async (request, reply) => {
      const entries = await entriesOf(await readNewestAuditRows(database, request.query, EXPORTED))
      return sendCsv(reply, `audit-log-${dayOf(now())}`, entries)
    },
  )

  async function entriesOf(rows: readonly AuditRow[]) {
    const names = await readActorNames(database, now())
    return rows.map(({ number, at, actor, action, target }) => ({
      number,
      at: new Date(at).toISOString(),
      actor,
      actorName: names.get(actor) ?? null,
      action,
      target,
    }))
  }

  app.get(
    '/api/staff/v1/audit/check',
    route('read-audit-log', { summary: 'Check that no entry was changed or removed', reply: AuditVerdict }),
    async () => {
      const found = await audit.verify(database)
      return found.intact ? { isIntact: true, entries: found.entries } : { isIntact: false, brokenAt: found.brokenAt }
    },
  )
}
