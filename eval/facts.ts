// `node eval/facts.ts FOLDER`: how many sentences of published sets the fact check finds unsupported, beside word overlap. FOLDER has
// `support.json.gz`: for each set a list of claims with their evidence, and whether it supports them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { areFactsStated, readEvidence } from '../src/server/answering/facts/facts.ts'

const Sets = z.record(z.string(), z.array(z.object({ claim: z.string(), evidence: z.string(), supported: z.boolean() })))
type Pair = z.infer<typeof Sets>[string][number]

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder with support.json.gz')
const sets = Sets.parse(JSON.parse(gunzipSync(readFileSync(join(folder, 'support.json.gz'))).toString('utf8')))

for (const [name, pairs] of Object.entries(sets)) {
  const isFound = ({ claim, evidence }: Pair) => !areFactsStated(claim, [readEvidence(evidence)])
  const overlap = new Map(pairs.map((pair) => [pair, sharedWords(pair)]))
  // The baseline's threshold is the best one for the set itself, which favours it.
  const baseline = Array.from({ length: 21 }, (_, at) => figures(pairs, (pair) => (overlap.get(pair) ?? 0) < at / 20)).reduce(
    (best, one) => (one.balanced > best.balanced ? one : best),
  )
  process.stdout.write(`${name}: facts ${line(figures(pairs, isFound))}; word overlap ${line(baseline)}\n`)
}

function figures(pairs: readonly Pair[], isFound: (pair: Pair) => boolean) {
  const [supported, unsupported] = [pairs.filter((pair) => pair.supported), pairs.filter((pair) => !pair.supported)]
  const found = unsupported.filter(isFound).length / unsupported.length
  const kept = supported.filter((pair) => !isFound(pair)).length / supported.length
  return { balanced: (found + kept) / 2, found, kept }
}

function line({ balanced, found, kept }: ReturnType<typeof figures>): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`
  return `${balanced.toFixed(2)} (${percent(found)} of the unsupported found, ${percent(kept)} of the supported kept)`
}

/** Share of the claim's words that the evidence has. */
function sharedWords({ claim, evidence }: Pair): number {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const [words, known] = [wordsOf(claim), new Set(wordsOf(evidence))]
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length)
}
