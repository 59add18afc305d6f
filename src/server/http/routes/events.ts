import { z } from 'zod'
import type { SessionEvent } from '../../../contract/sessions.ts'
import { credentialsOf } from '../caller.ts'
import { sendEvents } from '../event-stream.ts'
import { STREAM_ROUTE } from '../request-limits.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

/** How a visitor's sessions change, in whichever tab, device or process that happens. */
export function eventRoutes(app: Server, { resolve, sessionFeed, limits }: RouteOptions): void {
  const description =
    'Server-sent events: `session` (a session as in the list: made, used, renamed, its turn begun or ended), `session-deleted` (`{"key"}`), ' +
    'and `resync`, first of all and whenever something may have been missed: load the list anew. ' +
    '204 when there is no visitor yet, which tells an `EventSource` not to come back.'
  const schema = {
    summary: 'Follow the list of sessions',
    tags: ['sessions'],
    querystring: z.strictObject({}),
    description,
    produces: ['text/event-stream'],
  }
  app.get(
    '/api/v1/me/events',
    { schema, exposeHeadRoute: false, config: { ...STREAM_ROUTE, caller: 'credential' } },
    async (request, reply) => {
      const { caller } = request
      const { access, lists: owner } = caller
      if (owner === null) return reply.code(204).send()
      if (!(await limits.stream(request, reply))) return reply
      const isStillKnown = async () => {
        const resolution = await resolve(credentialsOf(request))
        return resolution.kind === 'resolved' && resolution.caller.lists === owner
      }
      return sendEvents(reply, async function* (signal) {
        try {
          for await (const events of sessionFeed.follow({ ...access, owner }, signal)) {
            // A key that was revoked, or has expired, opens nothing more.
            if (!(await isStillKnown())) return
            yield events.map(frameOf).join('')
          }
        } catch (error) {
          request.log.error({ err: error }, 'Following session changes failed; the stream ends and the page reconnects')
        }
      })
    },
  )
}

function frameOf({ type, ...data }: SessionEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify('session' in data ? data.session : data)}\n\n`
}
