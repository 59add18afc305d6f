import type { AgentMistake, ManagedAgentView } from '../../contract/staff/content/agents.ts'
import type { CasesView, EvaluationSummary } from '../../contract/staff/content/evaluations.ts'
import { checkCases } from '../insights/evaluation/cases.ts'
import { type AgentEvaluation, listEvaluations } from '../store/knowledge/agent-evaluations.ts'
import { MANAGED_AGENTS, type ManagedText, textHash } from '../store/knowledge/managed-texts.ts'
import type { ConsoleRouteOptions } from './console-options.ts'
import { readStaffNames, stampedBy } from './staff-names.ts'

type ViewOptions = Pick<ConsoleRouteOptions, 'database' | 'agents' | 'now'>

export async function managedAgentView(agent: ManagedText, { database, agents, now }: ViewOptions): Promise<ManagedAgentView> {
  const { id, draft, inForce } = agent
  const [publications, evaluations, whoIs, { mistakes }] = await Promise.all([
    MANAGED_AGENTS.publications(database, id),
    listEvaluations(database, id, now()),
    readStaffNames(database, now()),
    agents.check(id, draft.text),
  ])
  return {
    id,
    draft: { ...stampedBy(whoIs)(draft), hash: textHash(draft.text), mistakes: mistakes.map(mistakeOf) },
    published: inForce?.number ?? null,
    cases: casesView(agent.cases, whoIs),
    evaluations: evaluations.map((evaluation) => evaluationSummary(evaluation, agent, whoIs)),
    publications: publications.map(stampedBy(whoIs)),
  }
}

type WhoIs = (id: string) => string

/** An evaluation for the console. `isCurrent`: neither the draft nor its cases have changed since. */
export function evaluationSummary(evaluation: AgentEvaluation, { draft, cases }: ManagedText, whoIs: WhoIs): EvaluationSummary {
  const { textHash: hash, casesHash, by, startedAt, endedAt, ...rest } = evaluation
  return {
    ...rest,
    hash,
    isCurrent: hash === textHash(draft.text) && casesHash === textHash(cases.text),
    by: whoIs(by),
    startedAt: timeOf(startedAt),
    endedAt: endedAt === null ? null : timeOf(endedAt),
  }
}

function casesView({ text, revision, by, at }: ManagedText['cases'], whoIs: WhoIs): CasesView {
  const count = text === '' ? 0 : checkCases(text).cases.length
  return { text, revision, by: by === null ? null : whoIs(by), at: at === null ? null : timeOf(at), count }
}

export function mistakeOf({ line, key = null, message }: { line: number; key?: string | null; message: string }): AgentMistake {
  return { line, key, message }
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
