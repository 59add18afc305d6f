import type { Agents } from '../answering/agents/agents.ts'
import { ApprovedDraft } from '../../contract/staff/content/approved-answers.ts'
import { followTexts } from '../managed/follow-texts.ts'
import type { Database } from '../store/engine/database.ts'
import { APPROVED_ANSWERS, MANAGED_AGENTS } from '../store/knowledge/managed-texts.ts'
import type { VersionFollower } from '../store/engine/version-follower.ts'

interface FollowOptions {
  database: Database
  agents: Pick<Agents, 'setManaged' | 'approved'>
  onFault: (message: string, cause: unknown) => void
}

/** Keeps managed agents and approved answers in force as the database has them. */
export async function followAgents({
  database,
  agents,
  onFault,
}: FollowOptions): Promise<{ managedAgents: VersionFollower; approvedAnswers: VersionFollower }> {
  const managedAgents = await followTexts(MANAGED_AGENTS, {
    database,
    apply: (published) => agents.setManaged(published),
    onFault: (cause) => onFault('Reading the managed agents failed; keeping those in force and retrying', cause),
  })
  const approvedAnswers = await followTexts(APPROVED_ANSWERS, {
    database,
    apply: (published) =>
      agents.approved.setManaged(published.map(({ id, text }) => ({ id, content: ApprovedDraft.parse(JSON.parse(text)) }))),
    onFault: (cause) => onFault('Reading the managed approved answers failed; keeping those in force and retrying', cause),
  })
  return { managedAgents, approvedAnswers }
}
