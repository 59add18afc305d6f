import type { Agents } from '../agent/agents.ts'
import type { Database } from '../store/database.ts'
import { readVersion } from '../store/installation-facts.ts'
import { MANAGED_AGENTS } from '../store/managed-agents.ts'
import { VersionFollower } from '../store/version-follower.ts'

const POLL_INTERVAL_MS = 500

interface FollowOptions {
  database: Database
  agents: Pick<Agents, 'setManaged'>
  onFault: (message: string, cause: unknown) => void
}

/** Keeps the managed agents in force as the database has them. */
export async function followManagedAgents({ database, agents, onFault }: FollowOptions): Promise<VersionFollower> {
  const follower = new VersionFollower({
    version: () => readVersion(database, 'managed_agents_version'),
    refresh: async () => agents.setManaged(await MANAGED_AGENTS.published(database)),
    intervalMs: POLL_INTERVAL_MS,
    onFault: (cause) => onFault('Reading the managed agents failed; keeping those in force and retrying', cause),
  })
  await follower.start()
  return follower
}
