// `node eval/builtin/run.ts` prints the figures of every set; `--failures stranger-seen` lists the failures of one.
import { figuresOf, type Judged, measureBuiltin, readBuiltinCases } from './measure.ts'

const halves = ['seen', 'unseen', 'stranger-seen', 'stranger-unseen', 'fresh'] as const
const listed = process.argv.includes('--failures') ? process.argv.at(-1) : undefined

for (const half of halves) {
  const judged = await measureBuiltin(readBuiltinCases(`${half}.yaml`))
  const { answerable, useful, unanswerable, declined, misleading } = figuresOf(judged)
  const percent = Math.round((100 * useful) / answerable)
  process.stdout.write(
    `${half}: ${useful} of ${answerable} useful (${percent} %), ${declined} of ${unanswerable} declined, ${misleading} of ${judged.length} misleading\n`,
  )
  process.stdout.write(`${byGroup(judged)}\n`)
  if (half === listed) for (const one of judged) if (one.verdict !== 'useful') process.stdout.write(lineOf(one))
}

function byGroup(judged: readonly Judged[]): string {
  const groups = Map.groupBy(judged, ({ one }) => one.group)
  return [...groups]
    .map(([group, cases]) => `  ${group} ${cases.filter(({ verdict }) => verdict === 'useful').length}/${cases.length}`)
    .join(',')
}

function lineOf({ one, verdict, text }: Judged): string {
  const prompts = one.turns.map(({ prompt }) => prompt).join(' → ')
  return `${verdict}\t${one.group}\t${prompts}\t${text.replace(/\s+/g, ' ').slice(0, 110)}\n`
}
