import { hitRate, hitRatio, type SystemResults, type Wording } from './retrieval/measure.ts'
import { retrievalReport } from './retrieval/retrieval-report.ts'
import { runRetrieval } from './retrieval/run-retrieval.ts'
import type { Figure, Measurement } from './support/measurement.ts'

/** Required hit rate relative to the baseline, on the held-out collection. */
const REACHED: Partial<Record<Wording, number>> = { natural: 1.1, keywords: 1.05 }

/** How often a model receives an answering passage, compared with common search baselines. */
export const retrieval: Figure = {
  name: 'retrieval',
  async measure() {
    const say = (line: string) => process.stdout.write(`\n${line}`)
    const results = await runRetrieval(say)
    say(`\n${retrievalReport(results)}\n`)
    return results.flatMap(({ collection, systems: [ours, baseline] }) => {
      if (!ours || !baseline) return []
      const isHeldOut = collection.use === 'held-out'
      const wordings = Object.keys(REACHED) as Wording[]
      return wordings.map((wording) => measurement(collection.package, wording, ours, baseline, isHeldOut ? REACHED[wording] : undefined))
    })
  },
}

function measurement(name: string, wording: Wording, ours: SystemResults, baseline: SystemResults, reached = 0): Measurement {
  const { ratio } = hitRatio(ours.byWording[wording], baseline.byWording[wording])
  return {
    figure: `right passage given, ${name}, ${wording} (${reached > 0 ? 'held out' : 'for tuning'})`,
    ours: `${ratio.toFixed(2)} × (${percent(ours, wording)})`,
    limit: `${reached > 0 ? `at least ${reached} × ` : ''}${baseline.system}: ${percent(baseline, wording)}`,
    holds: reached > 0 ? ratio >= reached : null,
  }
}

function percent({ byWording }: SystemResults, wording: Wording): string {
  return `${(hitRate(byWording[wording]) * 100).toFixed(0)} %`
}
