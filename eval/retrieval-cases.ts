import { join } from 'node:path'
import type { Settings } from '../src/server/config/config.ts'
import { KnowledgeBase } from '../src/server/knowledge/knowledge-base.ts'
import { localRuntimePaths } from '../src/server/local-runtime/model-supervisor.ts'
import { readAgents } from './agent-files.ts'
import { ROOT } from './options.ts'
import type { Case, Turn } from '../src/server/insights/evaluation/cases.ts'
import { expectsNoSource } from '../src/server/insights/evaluation/check-answer.ts'
import { ranksOf, type SourceRanks } from '../src/server/insights/evaluation/source-ranks.ts'

const LIBRARY_DIRECTORY = join(ROOT, '.runtime/local-model')

/** Search results for one prompt that expects sources. */
export interface LookedUp {
  prompt: string
  expected: string[]
  /** Files of the passages, best first. */
  files: string[]
  ranks: SourceRanks
}

/** Searches the configured knowledge for every prompt that expects sources, like a model's tool does, without a model. */
export async function lookUpCases(cases: readonly Case[], settings: Settings, onWarning: (message: string) => void): Promise<LookedUp[]> {
  const { knowledgeDirectory: directory, dataDirectory, embedding } = settings
  const agents = readAgents(settings.agentsDirectory)
  const localRuntime = localRuntimePaths(settings, LIBRARY_DIRECTORY)
  const base = await KnowledgeBase.open({ directory, dataDirectory, embedding, localRuntime, onWarning })
  try {
    await base.ready
    const found: LookedUp[] = []
    for (const { agent, turns } of cases) {
      const { knowledge: folders = ['.'] } = (agent === null ? agents[0] : agents.find(({ id }) => id === agent)) ?? {}
      for (const turn of turns.filter(expectsSources)) found.push(await lookUp(base, folders, turn.prompt, turn.sources))
    }
    return found
  } finally {
    await base.close()
  }
}

function expectsSources(turn: Turn): turn is Turn & { sources: string[] } {
  return turn.sources !== undefined && !expectsNoSource(turn)
}

async function lookUp(base: KnowledgeBase, folders: readonly string[], prompt: string, expected: string[]): Promise<LookedUp> {
  const { passages } = await base.search(prompt, { folders, caller: 'model' })
  const given = passages.map(({ file, heading, text }) => ({ file, text: `${heading}\n${text}` }))
  return { prompt, expected, files: given.map(({ file }) => file), ranks: ranksOf(expected, given) }
}
