import { writeFileSync } from 'node:fs'
import { readSettings } from '../src/server/config/config.ts'
import type { EvalOptions } from './options.ts'

type Say = (line: string) => void
export type Measure = typeof measure

/** Measures on the sets of this repository and on published ones. Resolves with the exit code. */
export async function measure(options: EvalOptions, say: Say): Promise<number> {
  switch (options.mode) {
    case 'fetch': {
      const { fetchCollections } = await import('./collections/fetch.ts')
      return (await fetchCollections(say)) ? 0 : 1
    }
    case 'published': {
      const { measurePublished } = await import('./published-table.ts')
      await measurePublished(options, say)
      return 0
    }
    case 'judge-sets': {
      const { measureJudge } = await import('./judge-sets.ts')
      await measureJudge(readSettings(), options, say)
      return 0
    }
    case 'small': {
      const { measureSmall } = await import('./small.ts')
      return measureSmall(options, say)
    }
    case 'personal-data':
      return measureDetection(options, say)
    default:
      return measureCollections(options, say)
  }
}

async function measureCollections({ json, writesReadme }: EvalOptions, say: Say): Promise<number> {
  const { runRetrieval } = await import('../bench/retrieval/run-retrieval.ts')
  const { retrievalReport } = await import('../bench/retrieval/retrieval-report.ts')
  const results = await runRetrieval(say)
  say(`\n${retrievalReport(results)}`)
  if (writesReadme) (await import('./readme-results.ts')).writeResults(results)
  if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`)
  return 0
}

async function measureDetection({ json }: EvalOptions, say: Say): Promise<number> {
  const { measurePersonalData, personalDataTable } = await import('./personal-data.ts')
  const results = measurePersonalData()
  say(personalDataTable(results))
  if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`)
  return 0
}
