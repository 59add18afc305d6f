import { existsSync } from 'node:fs'
import { readSettings, type Settings } from '../src/server/config/config.ts'
import { readAgent, readAgents, withAgent } from './agent-files.ts'
import type { Case } from '../src/server/insights/evaluation/cases.ts'
import { startInstallation } from './installation.ts'
import { type EvalOptions, UsageError } from './options.ts'
import type { Results } from './report.ts'
import type { JudgeReply } from '../src/server/insights/evaluation/run-cases.ts'
import { openJudge } from './rubric-judge.ts'
import { Visitor } from './visitor.ts'
import { runCases } from '../src/server/insights/evaluation/run-cases.ts'

/** The server did not start. The message is the server's output. */
export class NotStarted extends Error {}

/** Runs all cases on the configured installation, then on the compared ones. @throws {UsageError} before the first prompt. */
export async function askSet(
  cases: readonly Case[],
  settings: Settings,
  options: EvalOptions,
  onLog: (line: string) => void,
): Promise<Results[]> {
  const judge = await judgeOf(options, onLog)
  const first = readAgents(settings.agentsDirectory)[0]?.id
  const asked = { cases, options, dataDirectory: settings.dataDirectory, judge, onLog }
  const other = options.against === null ? null : otherInstallation(options.against, settings)
  try {
    const results = [await askInstallation({ environment: process.env, first }, asked)]
    if (other) results.push(await askInstallation({ first, ...other }, asked))
    return results
  } finally {
    other?.remove()
  }
}

/** Settings that differ between the compared installations. */
interface Compared {
  environment: NodeJS.ProcessEnv
  /** Agent of cases without one; the server's default if undefined. */
  first: string | undefined
}

interface Asked {
  cases: readonly Case[]
  options: EvalOptions
  dataDirectory: string
  judge: JudgeReply | null
  onLog: (line: string) => void
}

async function askInstallation({ environment, first }: Compared, { cases, options, dataDirectory, judge, onLog }: Asked): Promise<Results> {
  const { repeat, concurrency } = options
  const installation = await startInstallation({ environment, dataDirectory, onLog }).catch((cause: unknown) => {
    throw new NotStarted(cause instanceof Error ? cause.message : String(cause), { cause })
  })
  try {
    const agent = installation.agents.find(({ id }) => id === first) ?? installation.agents[0]
    const label = `${agent?.name ?? ''} (${agent?.model.label ?? ''})`
    const { url, agents } = installation
    const openChat = (id: string) => (agents.some((one) => one.id === id) ? new Visitor(url, id) : null)
    return { label, cases: await runCases(cases, { firstAgent: agent?.id ?? '', repeat, concurrency, judge, openChat }) }
  } finally {
    await installation.close()
  }
}

/** The same installation with another model, or with the agent of another file for cases without one. */
function otherInstallation(
  against: string,
  settings: Settings,
): Partial<Compared> & Pick<Compared, 'environment'> & { remove: () => void } {
  if (!against.endsWith('.md')) {
    const environment = { ...process.env, MODEL: against }
    readSettings(environment)
    return { environment, remove: () => {} }
  }
  const id = existsSync(against) ? readAgent(against)?.id : undefined
  if (id === undefined) throw new UsageError(`--against: ${against} is no agent's file`)
  const { directory, remove } = withAgent(settings.agentsDirectory, against, id)
  return { environment: { ...process.env, AGENTS_DIR: directory }, first: id, remove }
}

async function judgeOf({ judge, skipsJudging }: EvalOptions, onLog: (line: string) => void): Promise<JudgeReply | null> {
  if (judge === null || skipsJudging) return null
  try {
    return await openJudge(readSettings({ ...process.env, MODEL: judge }), onLog)
  } catch (error) {
    throw new UsageError(`--judge ${judge}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
