import { parseArgs } from 'node:util'
import { PUBLISHED } from './published.ts'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const USAGE = `parley eval [set.yaml] [options]

Asks the configured model the cases of a set (eval/cases.yaml unless one is named), as a visitor would.

  --repeat n           asks every case n times
  --against x          asks another model, or the agent of another file (other.md), the same cases
  --judge model        the model that grades answers with a rubric (EVAL_JUDGE_MODEL)
  --no-judge           grades nothing
  --threshold 0.9      ends with 1 when a smaller share of the runs is right; 1 unless given
  --concurrency n      chats at the same time; 4 unless given
  --json file          writes all prompts, answers and verdicts
  --junit file         writes JUnit's XML
  --estimate           says what it would cost, and asks nothing
  --retrieval          measures the search alone, without a model: of the set that is named,
                       otherwise on the question sets of eval/collections, against the baseline
  --readme             with --retrieval or --published: writes the results into eval/README.md
  --small [set]        asks the model the questions of eval/small about pages of documentations: right with a
                       source, refused where the pages have no answer, and the time to the first word
  --published          measures what needs no model on published sets, beside baselines
  --judge-sets         measures the configured model as the judge of answers (judge: model) on published claims
  --data folder        the published sets of these two
  --sample n           with --judge-sets: so many claims of each set, with short evidence
  --personal-data      measures how personal data is recognised on eval/personal-data, without a model
  --fetch              fetches the documents of eval/collections`

export interface EvalOptions {
  mode: 'ask' | 'small' | 'retrieval' | 'published' | 'judge-sets' | 'personal-data' | 'fetch' | 'help'
  /** Null for the shipped set. */
  file: string | null
  repeat: number
  against: string | null
  judge: string | null
  /** Whether rubrics are skipped intentionally. */
  skipsJudging: boolean
  threshold: number
  concurrency: number
  json: string | null
  junit: string | null
  estimateOnly: boolean
  writesReadme: boolean
  /** Folder of the published sets; empty if none is needed. */
  data: string
  /** Claims of each set; `null` for all. */
  sample: number | null
}

const PUBLISHERS = Object.entries(PUBLISHED)
  .map(([name, publishers]) => `  ${name}.json.gz  ${publishers}`)
  .join('\n')
/** The folder of the checkout or of the archive, where this is part of `dist/server`. */
export const ROOT = [join(import.meta.dirname, '..'), join(import.meta.dirname, '../..')].find((folder) =>
  existsSync(join(folder, 'package.json')),
)!
export const SHIPPED_SET = join(ROOT, 'eval/cases.yaml')
const MAX_REPEAT = 100
const MAX_CONCURRENCY = 50
const MAX_SAMPLE = 10_000

/** Invalid command line. The message lists every mistake. */
export class UsageError extends Error {}

/** @throws {UsageError} */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): EvalOptions {
  const { values, positionals } = parsed(args)
  const folder = environment['INIT_CWD'] ?? '.'
  const path = (given: string | undefined) => (given === undefined ? null : resolve(folder, given))
  const mistakes: string[] = []
  const number = (name: string, given: string | undefined, usual: number, isValid: (value: number) => boolean, must: string) => {
    const value = given === undefined ? usual : Number(given)
    if (!isValid(value) || given?.trim() === '') mistakes.push(`--${name} must be ${must}`)
    return value
  }
  const upTo = (max: number) => (value: number) => Number.isInteger(value) && value >= 1 && value <= max
  if (positionals.length > 1) mistakes.push('only one set can be asked at a time')
  if (values.fetch && values.retrieval) mistakes.push('--fetch and --retrieval are two commands')
  if ((values.published || values['judge-sets']) && !values.data)
    mistakes.push(`Name the folder of the published sets with --data. They aren't part of this repository:\n${PUBLISHERS}`)
  const options: EvalOptions = {
    mode: modeOf(values),
    file: path(positionals[0]),
    repeat: number('repeat', values.repeat, 1, upTo(MAX_REPEAT), `a whole number from 1 to ${MAX_REPEAT}`),
    against: values.against ?? null,
    judge: values.judge ?? (environment['EVAL_JUDGE_MODEL'] || null),
    skipsJudging: values['no-judge'] ?? false,
    threshold: number('threshold', values.threshold, 1, (value) => value >= 0 && value <= 1, 'a share from 0 to 1, like 0.9'),
    concurrency: number('concurrency', values.concurrency, 4, upTo(MAX_CONCURRENCY), `a whole number from 1 to ${MAX_CONCURRENCY}`),
    json: path(values.json),
    junit: path(values.junit),
    estimateOnly: values.estimate ?? false,
    writesReadme: values.readme ?? false,
    data: values.data ?? '',
    sample: values.sample === undefined ? null : number('sample', values.sample, 1, upTo(MAX_SAMPLE), 'a whole number of claims'),
  }
  if (mistakes.length > 0) throw new UsageError(`${mistakes.join('\n')}\n\n${USAGE}`)
  return options
}

function modeOf(values: ReturnType<typeof parsed>['values']): EvalOptions['mode'] {
  const chosen = (['help', 'small', 'published', 'judge-sets', 'personal-data', 'fetch', 'retrieval'] as const).find((mode) => values[mode])
  return chosen ?? 'ask'
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        repeat: { type: 'string' },
        against: { type: 'string' },
        judge: { type: 'string' },
        'no-judge': { type: 'boolean' },
        threshold: { type: 'string' },
        concurrency: { type: 'string' },
        json: { type: 'string' },
        junit: { type: 'string' },
        estimate: { type: 'boolean' },
        retrieval: { type: 'boolean' },
        published: { type: 'boolean' },
        'judge-sets': { type: 'boolean' },
        data: { type: 'string' },
        sample: { type: 'string' },
        'personal-data': { type: 'boolean' },
        fetch: { type: 'boolean' },
        small: { type: 'boolean' },
        readme: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}
