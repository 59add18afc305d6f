import { writeFileSync } from 'node:fs'
import { measureBuiltin } from './builtin.ts'
import { measureEmergencies, measureReplyLanguages } from './emergencies.ts'
import { measureFacts } from './facts.ts'
import type { EvalOptions } from './options.ts'
import { type Figure, SetMissing } from './published.ts'
import { writeSection } from './readme-results.ts'
import { measureParaphrases } from './paraphrases.ts'
import { measureMtrag, measureXquad } from './search.ts'

/** Everything that is measured on published sets, in the order of the table. */
const PARTS: readonly ((folder: string) => Figure[] | Promise<Figure[]> | AsyncIterable<Figure>)[] = [
  measureEmergencies,
  measureReplyLanguages,
  measureFacts,
  measureXquad,
  measureMtrag,
  measureParaphrases,
  measureBuiltin,
]

/** Prints every figure beside its baseline as a Markdown table. A set that the folder lacks is named, and the others are measured. */
export async function measurePublished(
  { data, writesReadme, json }: Pick<EvalOptions, 'data' | 'writesReadme' | 'json'>,
  say: (line: string) => void,
): Promise<void> {
  const table = ['| set | what | Parley | baseline |', '|---|---|---|---|']
  const figures: Figure[] = []
  for (const line of table) say(line)
  for (const measure of PARTS)
    try {
      for await (const figure of await measure(data)) {
        const row = `| ${figure.set} | ${figure.what} | ${figure.parley} | ${figure.baseline} |`
        figures.push(figure)
        table.push(row)
        say(row)
      }
    } catch (error) {
      if (!(error instanceof SetMissing)) throw error
      say(error.message)
    }
  if (writesReadme) writeSection('published', table)
  if (json !== null) writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`)
}
