import type { SessionEvent } from '../../contract/chat/sessions.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import { credentialsOf } from './requests/caller.ts'
import { sendEvents } from '../platform/event-stream.ts'
import { STREAM_ROUTE } from './requests/request-limits.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'

/** Streams changes of the visitor's sessions from all tabs, devices and processes. */
export function eventRoutes(app: Server, { resolve, sessionFeed, limits }: RouteOptions): void {
  const description =
    'Server-sent events: `session` (a session as in the list, when it is created or used, or its turn starts or ends), ' +
    '`session-deleted` (`{"key"}`) and `resync` (reload the list; sent first, and after events may have been missed). ' +
    'Responds with 204 if there is no visitor yet, so an `EventSource` does not reconnect.'
  const schema = {
    summary: 'Follow changes of the session list',
    tags: ['sessions'],
    querystring: OwnerQuery,
    description,
    produces: ['text/event-stream'],
  }
  app.get('/api/v1/me/events', { schema, exposeHeadRoute: false, config: { ...STREAM_ROUTE, caller: 'query' } }, async (request, reply) => {
    const { caller } = request
    const { access, lists: owner } = caller
    if (owner === null) return reply.code(204).send()
    if (!(await limits.stream(request, reply))) return reply
    const isStillKnown = async () => {
      const resolution = await resolve(credentialsOf(request), request.query.id)
      return resolution.kind === 'resolved' && resolution.caller.lists === owner
    }
    return sendEvents(reply, async function* (signal) {
      try {
        for await (const events of sessionFeed.follow({ ...access, owner }, signal)) {
          // The key may have been revoked or have expired since.
          if (!(await isStillKnown())) return
          yield events.map(frameOf).join('')
        }
      } catch (error) {
        request.log.error({ err: error }, 'Following session changes failed; the stream ends and the page reconnects')
      }
    })
  })
}

function frameOf({ type, ...data }: SessionEvent): string {
  return `event: ${type}\ndata: ${JSON.stringify('session' in data ? data.session : data)}\n\n`
}
