import type { Agent } from '../../answering/agents/agent.ts'
import { findSessionAgent } from '../../store/sessions/sessions.ts'
import type { Caller } from '../../visitors/resolve.ts'
import type { RouteOptions } from '../route-options.ts'

/** The agent that answers: of the address, of the session, or the default. */
export async function sessionAgent(
  { database, agents }: Pick<RouteOptions, 'database' | 'agents'>,
  caller: Pick<Caller, 'access' | 'agent'>,
  sessionId: string | undefined,
): Promise<Agent> {
  const id = caller.agent ?? (sessionId && agents.all.length > 1 ? await findSessionAgent(database, caller.access, sessionId) : null)
  return (id && agents.find(id)) || agents.first
}
