import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WORDINGS } from '../bench/retrieval/measure.ts'
import { cellsOf, ratioLines } from '../bench/retrieval/retrieval-report.ts'
import type { CollectionResults } from '../bench/retrieval/run-retrieval.ts'

const README = join(import.meta.dirname, 'README.md')
const BEFORE = join(import.meta.dirname, 'collections/before.json')

interface Before {
  commit: string
  rows: Record<string, Record<string, string>>
}

/** Writes the results into eval/README.md, next to those of the earlier search. The date is that of `now`. */
export function writeResults(results: readonly CollectionResults[], now = new Date()): void {
  const before = JSON.parse(readFileSync(BEFORE, 'utf8')) as Before
  const heldOutFirst = results.toSorted((one, other) => Number(isHeldOut(other)) - Number(isHeldOut(one)))
  const block = [
    `Measured on ${now.toISOString().slice(0, 10)}; "before" is the search at commit ${before.commit}.`,
    '',
    '| | natural | keywords | German | separation |',
    '|---|---|---|---|---|',
    ...heldOutFirst.flatMap((one) => rowsOf(one, before)),
    '',
    ...heldOutFirst.flatMap((one) => notesOf(one)),
  ]
  writeSection('results', block)
}

/** Replaces the lines of eval/README.md between `<!-- name -->` and `<!-- end of name -->`. */
export function writeSection(name: string, lines: readonly string[]): void {
  const section = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- end of ${name} -->)`)
  const readme = readFileSync(README, 'utf8')
  if (!section.test(readme)) throw new Error(`eval/README.md has no section ${name}`)
  writeFileSync(
    README,
    readme.replace(section, () => `\n${lines.join('\n')}\n\n`),
  )
}

function isHeldOut({ collection }: CollectionResults): boolean {
  return collection.use === 'held-out'
}

function rowsOf(results: CollectionResults, { rows }: Before): string[] {
  const { collection, fetched, systems } = results
  const [ours, ...rivals] = systems.map((system) => `| ${system.system} | ${cellsOf(system).join(' | ')} |`)
  const earlier = [...WORDINGS, 'separation'].map((cell) => rows[collection.package]?.[cell] ?? '')
  const use = isHeldOut(results) ? 'held out' : 'for tuning'
  return [
    `| **${collection.package} ${fetched.version}, ${use}** | | | | |`,
    `| Parley before | ${earlier.join(' | ')} |`,
    ours ?? '',
    ...rivals,
  ]
}

function notesOf({ collection, systems, lost, cut, passages }: CollectionResults): string[] {
  const ratios = ratioLines(systems).map((line) => `  - ${line}`)
  const { length } = collection.questions
  const losses = `no passage has the quotations of ${lost.length} of ${length} questions, no chunk of the baseline those of ${cut.length}`
  return [`- \`${collection.package}\`: ${passages} passages; ${losses}`, ...ratios]
}
