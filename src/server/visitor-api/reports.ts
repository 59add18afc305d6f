import { z } from 'zod'
import { SessionId } from '../../contract/chat/chat.ts'
import { Problem } from '../../contract/problem.ts'
import { NewReport, OwnReport, OwnReports, ReportId, ReportWithdrawn } from '../../contract/reports.ts'
import { OwnerQuery, NoticesWithdrawn } from '../../contract/rights.ts'
import { textMasker } from '../../personal-data/text-masker.ts'
import { insertReport, listOwnReports, withdrawReport } from '../store/staff/reports.ts'
import { reject } from '../platform/problems.ts'
import type { Server } from '../platform/server.ts'
import { sessionAgent } from './requests/session-agent.ts'
import type { RouteOptions } from './route-options.ts'
import { withdrawAcceptedNotices } from '../store/visitors/accepted-notices.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const tags = ['sessions']
const querystring = OwnerQuery

export function reportRoutes(app: Server, { database, agents, rights, settings }: RouteOptions): void {
  app.post(
    '/api/v1/sessions/:key/reports',
    {
      schema: {
        summary: 'Report a problem with an answer, or ask staff about a prompt',
        description:
          'Staff can read what this call contains, and nothing else of the chat. Sent again, it returns the same report; another one of the same answer replaces it. Not for temporary chats.',
        tags,
        params: z.object({ key: SessionId }),
        querystring,
        body: NewReport,
        response: { 200: OwnReport, default: Problem },
      },
      config: { caller: 'query' },
    },
    async (request, reply) => {
      const { caller, body } = request
      const session = { id: request.params.key, access: caller.access }
      const { personalData, policy } = await sessionAgent({ database, agents }, caller, session.id)
      const masked = textMasker(personalData)
      const messages = body.messages.map((message) => ({ ...message, text: masked(message.text) }))
      const report = await insertReport(
        database,
        session,
        { ...body, messages },
        {
          lifeMs: settings.reportDays * DAY_MS,
          mask: masked,
          takesQuestions: policy.definition.handover?.messages ?? false,
          onReplaced: (id) => rights.ledger.record('report', [id]),
        },
      )
      return report.kind === 'rejected' ? reject(reply, report) : report
    },
  )

  app.get(
    '/api/v1/me/reports',
    {
      schema: {
        summary: 'List own reports',
        description: 'Also says when staff have read one, or opened a chat where the privacy notice says that they can, and in which role.',
        tags,
        querystring,
        response: { 200: OwnReports, default: Problem },
      },
      config: { caller: 'query' },
    },
    async ({ caller }) => (caller.lists === null ? { reports: [], readings: [] } : listOwnReports(database, caller.access)),
  )

  app.delete(
    '/api/v1/reports/:report',
    {
      schema: {
        summary: 'Withdraw a report',
        description: 'Deletes what was handed over. That staff have read it stays listed as long as the chat.',
        tags,
        params: z.object({ report: ReportId }),
        querystring: OwnerQuery.extend({ session_id: SessionId.optional().describe('Its session. Required without a credential.') }),
        response: { 200: ReportWithdrawn, default: Problem },
      },
      config: { caller: 'query' },
    },
    async (request, reply) => {
      const { report } = request.params
      const isWithdrawn = await rights.ledger.deleteRecorded(database, 'report', report, (transaction) =>
        withdrawReport(transaction, request.caller.access, report, request.query.session_id),
      )
      return isWithdrawn ? { withdrawn: true as const } : reject(reply, 'not_found')
    },
  )
}

/** Withdraws what lets staff read. Only where they can. */
export function acceptedNoticeRoutes(app: Server, { database, rights }: RouteOptions): void {
  app.delete(
    '/api/v1/me/accepted-notices',
    {
      schema: {
        summary: 'Withdraw the acceptance of privacy notices',
        description:
          'Staff can then read none of the visitor’s chats any more. That they have read one stays listed as long as the chat. A prompt with `acceptedNotice` that is sent later accepts anew, for itself and later ones.',
        tags: ['rights'],
        querystring: OwnerQuery,
        response: { 200: NoticesWithdrawn, default: Problem },
      },
      config: { caller: 'query' },
    },
    async ({ caller: { access, sub } }) => {
      if (sub !== null)
        await rights.ledger.deleteAllRecorded(database, 'consent', (transaction) => withdrawAcceptedNotices(transaction, sub, access.now))
      return { withdrawn: true as const }
    },
  )
}
