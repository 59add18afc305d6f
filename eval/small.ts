import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { sourcesOf } from '../src/contract/chat/citation.ts'
import { textOf } from '../src/contract/chat/message-text.ts'
import { readSettings } from '../src/server/config/config.ts'
import type { Reply } from '../src/server/insights/evaluation/check-answer.ts'
import { pagesDirectory } from './collections/collection.ts'
import { fetchCollection } from './collections/fetch.ts'
import { type Installation, startInstallation } from './installation.ts'
import type { EvalOptions } from './options.ts'
import { type Question, SmallSet } from './small-set.ts'
import { Visitor } from './visitor.ts'

interface Row extends Question {
  verdict: 'right' | 'unsourced' | 'wrong' | 'refused' | 'invented' | 'sourced-invention'
  state: string
  text: string
  sources: string[]
  firstWordMs: number | null
  ms: number
}

const DIRECTORY = join(import.meta.dirname, 'small')
/** Questions asked again at the end: their passages are the same. */
const REPEATED = 5
/** Where a model answers that it doesn't know. */
const REFUSAL =
  /(?:could|can)(?:n[’']t| not|not) (?:find|answer|be found)|(?:do|does)(?:n[’']t| not) (?:answer|say|mention|provide|contain|state|specify|include)|not (?:covered|mentioned|provided|specified|stated)|no (?:information|passage|mention)|don[’']t know/i

/** Asks the configured model the question sets of `eval/small`; returns the exit code. */
export async function measureSmall({ file, json }: EvalOptions, say: (line: string) => void): Promise<number> {
  const files = readdirSync(DIRECTORY).filter((name) => file === null || name.startsWith(basename(file)))
  const results: Record<string, Row[]> = {}
  for (const name of files) {
    const set = SmallSet.parse(parse(readFileSync(join(DIRECTORY, name), 'utf8')))
    if (!existsSync(pagesDirectory(set))) await fetchCollection(set)
    results[name] = await measureSet(set, say)
  }
  if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`)
  return 0
}

async function measureSet(set: SmallSet, say: (line: string) => void): Promise<Row[]> {
  const knowledge = mkdtempSync(join(tmpdir(), 'parley-small-'))
  const pages = pagesDirectory(set)
  mkdirSync(knowledge, { recursive: true })
  for (const page of readdirSync(pages, { recursive: true, encoding: 'utf8' }))
    if (new RegExp(set.pages).test(page) && statSync(join(pages, page)).isFile()) cpSync(join(pages, page), join(knowledge, page))
  const environment = { ...process.env, KNOWLEDGE_DIR: knowledge }
  const { dataDirectory } = readSettings(environment)
  const installation = await startInstallation({ environment, dataDirectory, onLog: say })
  try {
    return await askAll(set, installation, say)
  } finally {
    await installation.close()
    rmSync(knowledge, { recursive: true, force: true })
  }
}

async function askAll(set: SmallSet, { url, agents }: Installation, say: (line: string) => void): Promise<Row[]> {
  const agent = agents[0]?.id ?? ''
  const chats = new Map<string, Visitor>()
  const rows: Row[] = []
  for (const question of set.questions) {
    const visitor = (question.after !== undefined && chats.get(question.after)) || new Visitor(url, agent)
    chats.set(question.id, visitor)
    const row = judged(question, await visitor.ask(question.question))
    rows.push(row)
    say(
      `${row.verdict.padEnd(18)} ${seconds(row.firstWordMs)} ${question.question}\n${' '.repeat(19)}${row.text.replaceAll(/\s+/g, ' ').slice(0, 200)}`,
    )
  }
  const again: (number | null)[] = []
  for (const { question } of rows.filter(({ verdict }) => verdict === 'right').slice(-REPEATED)) {
    await new Visitor(url, agent).ask(question)
    again.push((await new Visitor(url, agent).ask(question)).firstWordMs ?? null)
  }
  for (const line of summary(set, rows, again)) say(line)
  return rows
}

function judged(question: Question, { state, answer, ms, firstWordMs = Number.NaN }: Reply): Row {
  const text = textOf(answer)
  const sources = sourcesOf(answer.parts).flatMap((part) => ('filename' in part ? (part.filename ?? []) : []))
  return {
    ...question,
    verdict: verdictOf(question, { state, text, sources }),
    state,
    text,
    sources,
    firstWordMs: Number.isNaN(firstWordMs) ? null : firstWordMs,
    ms,
  }
}

function verdictOf({ right }: Question, { state, text, sources }: Pick<Row, 'state' | 'text' | 'sources'>): Row['verdict'] {
  // A quotation that says that something doesn't exist is no refusal.
  const own = text.replaceAll(/^>.*$/gm, '')
  const isRefused = ['not_covered', 'out_of_scope', 'blocked_output'].includes(state) || REFUSAL.test(own)
  if (!right) return isRefused ? 'refused' : sources.length > 0 ? 'sourced-invention' : 'invented'
  if (isRefused || !right.every((expression) => new RegExp(expression, 'i').test(text))) return isRefused ? 'refused' : 'wrong'
  return sources.length > 0 ? 'right' : 'unsourced'
}

function summary({ package: name, use }: SmallSet, rows: readonly Row[], again: readonly (number | null)[]): string[] {
  const [covered, other] = [rows.filter(({ right }) => right), rows.filter(({ right }) => !right)]
  const share = (all: readonly Row[], verdict: Row['verdict']) => {
    const count = all.filter((row) => row.verdict === verdict).length
    return `${Math.round((100 * count) / all.length)} % (${count} of ${all.length})`
  }
  const times = rows.flatMap(({ firstWordMs }) => firstWordMs ?? []).toSorted((one, two) => one - two)
  return [
    `\n${name} (${use})`,
    `covered: right and sourced ${share(covered, 'right')}, right without a source ${share(covered, 'unsourced')}, refused ${share(covered, 'refused')}, wrong ${share(covered, 'wrong')}`,
    `not covered: refused ${share(other, 'refused')}, invented ${share(other, 'invented')}, invented and sourced ${share(other, 'sourced-invention')}`,
    `first word: cold ${seconds(rows[0]?.firstWordMs ?? null)}, median ${seconds(times[Math.floor(times.length / 2)] ?? null)}, longest ${seconds(times.at(-1) ?? null)}, passages again ${again.map(seconds).join(' ')}`,
  ]
}

const seconds = (ms: number | null) => (ms === null ? '     –' : `${(ms / 1000).toFixed(1).padStart(4)} s`)
