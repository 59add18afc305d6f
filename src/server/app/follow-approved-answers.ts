import type { Agents } from '../agent/agents.ts'
import { ApprovedDraft } from '../../contract/staff/approved-answers.ts'
import { APPROVED_ANSWERS } from '../store/approved-answers.ts'
import type { Database } from '../store/database.ts'
import { readVersion } from '../store/installation-facts.ts'
import { VersionFollower } from '../store/version-follower.ts'

const POLL_INTERVAL_MS = 500

interface FollowOptions {
  database: Database
  agents: Pick<Agents, 'approved'>
  onFault: (message: string, cause: unknown) => void
}

/** Keeps the managed approved answers in force as the database has them. */
export async function followApprovedAnswers({ database, agents, onFault }: FollowOptions): Promise<VersionFollower> {
  const follower = new VersionFollower({
    version: () => readVersion(database, 'approved_answers_version'),
    async refresh() {
      const published = await APPROVED_ANSWERS.published(database)
      await agents.approved.setManaged(published.map(({ id, text }) => ({ id, content: ApprovedDraft.parse(JSON.parse(text)) })))
    },
    intervalMs: POLL_INTERVAL_MS,
    onFault: (cause) => onFault('Reading the managed approved answers failed; keeping those in force and retrying', cause),
  })
  await follower.start()
  return follower
}
