import { Server as NetServer } from 'node:net'
import { setImmediate as turnOfEventLoop, setTimeout as pause } from 'node:timers/promises'
import { constant } from '../constant.ts'
import type { Server } from '../platform/server.ts'

/** Time in which a balancer with health checks learns that this process leaves, before connections are refused. */
const NOTICE_MS = constant('leavingNoticeMs', 2_000)
/** Time in which connections that are open then are still served. */
const SERVED_MS = constant('openConnectionsServedMs', 5_000)
/** In each turn of the event loop, one connection is accepted that the system has taken. */
const TURNS = 20

/**
 * Serves all connections for two seconds, then refuses new ones, so that a balancer without health checks goes on to the next process, and
 * serves the open ones, each with one reply more. `served`: for five seconds, or until none is left; `closed`: when none is left.
 */
export async function stopListening({ server }: Server): Promise<{ served: Promise<void>; closed: Promise<void> }> {
  await pause(NOTICE_MS)
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
  // Closing would reset connections that wait to be accepted.
  for (let turns = 0; turns < TURNS; turns += 1) await turnOfEventLoop()
  // Its own `close` would end idle connections, on which a balancer may be sending a prompt.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  return { served: Promise.race([closed, pause(SERVED_MS, undefined, { ref: false })]), closed }
}
