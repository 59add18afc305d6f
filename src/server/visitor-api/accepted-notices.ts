import { Problem } from '../../contract/problem.ts'
import { NoticesWithdrawn, OwnerQuery } from '../../contract/rights.ts'
import { withdrawAcceptedNotices } from '../store/visitors/accepted-notices.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

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
