import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Agents } from '../agent/agents.ts'
import type { Settings } from '../config/config.ts'
import type { WebsiteSources } from '../sources/website-sources.ts'
import type { Database } from '../store/database.ts'

const CHECK_INTERVAL_MS = 5_000

/** The websites that are read as knowledge. */
export interface OpenSources {
  /** What staff should look at, in sentences. */
  problems(): readonly string[]
  close(): Promise<void>
}

interface SourcesParts {
  database: Database
  agents: Pick<Agents, 'refreshKnowledge'>
  instance: string
  log: FastifyBaseLogger
}

/** Loads what reads websites once there is a `sources.yaml`, or pages of earlier ones. */
export function openSources(
  { knowledgeDirectory, dataDirectory }: Settings,
  { database, agents, instance, log }: SourcesParts,
): OpenSources {
  let sources: WebsiteSources | undefined
  let opening: Promise<void> | undefined
  const open = async () => {
    const { WebsiteSources: Sources } = await import('../sources/website-sources.ts')
    const onChange = () => agents.refreshKnowledge()
    sources = new Sources({ knowledgeDirectory, dataDirectory, database, instance, now: Date.now, log, onChange })
    sources.start()
  }
  const isNeeded = () => existsSync(join(knowledgeDirectory, 'sources.yaml')) || existsSync(join(dataDirectory, 'knowledge', 'sources'))
  const check = () => {
    if (opening || !isNeeded()) return
    clearInterval(timer)
    opening = open().catch((err: unknown) => log.error({ err }, 'Reading the sources of the knowledge failed; restart the server'))
  }
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref()
  check()
  return {
    problems: () => sources?.problems ?? [],
    async close() {
      clearInterval(timer)
      await opening
      await sources?.close()
    },
  }
}
