import type { Rubric, Turn, Case } from './cases.ts'
import { type Reply, faultsOf, ranksIn } from './check-answer.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import { type Source, sourcesOf, toolsOf } from './answer-parts.ts'
import type { SourceRanks } from './source-ranks.ts'

export interface Judgement {
  scores: number[]
  mean: number
  /** Highest score minus lowest. */
  spread: number
  /** Reason for the lowest score. */
  reason: string
}

/** Grades a reply several times. @throws if the model is unavailable, or none of its replies is a verdict. */
export type JudgeReply = (turn: Turn, rubric: Rubric, reply: Reply) => Promise<Judgement>

export interface TurnResult {
  prompt: string
  text: string
  state: AnswerState | null
  /** Sentences that were left out or marked because no source supports them. */
  unsupportedSentences: number
  /** States of which the answer must have one; undefined without this expectation. */
  expectedStates: readonly AnswerState[] | undefined
  sources: Source[]
  tools: string[]
  ranks: SourceRanks | null
  judgement: Judgement | null
  /** Empty if the answer is correct. */
  faults: string[]
  seconds: number
}

export interface CaseResult {
  name: string
  agent: string
  /** One list of turns per repetition. */
  runs: TurnResult[][]
}

/** A chat that begins empty. */
export interface Chat {
  /** Sends the next prompt and waits for its answer. */
  ask(prompt: string): Promise<Reply>
}

export interface RunOptions {
  /** Agent of cases without one. */
  firstAgent: string
  repeat: number
  concurrency: number
  judge: JudgeReply | null
  /** Begins a chat; `null` if there is no such agent. */
  openChat: (agent: string) => Chat | null
  /** On abort, no further case is begun. */
  signal?: AbortSignal
  /** Called after each run of a case. */
  onRun?: () => void
}

const MS_PER_S = 1_000

/** Runs every case, several concurrently. The results are in the order of the cases. */
export async function runCases(cases: readonly Case[], options: RunOptions): Promise<CaseResult[]> {
  const results = cases.map(({ name, agent }): CaseResult => ({ name, agent: agent ?? options.firstAgent, runs: [] }))
  const jobs = cases.flatMap((one, at) => Array.from({ length: options.repeat }, () => ({ one, result: results[at] })))
  const work = async () => {
    for (let job = jobs.shift(); job && !options.signal?.aborted; job = jobs.shift()) {
      const turns = await runCase(job.one, options)
      job.result?.runs.push(turns)
      options.onRun?.()
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
  return results
}

/** Whether every turn of a run is correct. */
export function isRight(turns: readonly TurnResult[]): boolean {
  return turns.every(({ faults }) => faults.length === 0)
}

async function runCase({ agent, turns }: Case, { openChat, judge, firstAgent }: RunOptions): Promise<TurnResult[]> {
  const id = agent ?? firstAgent
  const chat = openChat(id)
  if (!chat) return turns.map((turn) => failedTurn(turn, `there is no agent ${id}`))
  const results: TurnResult[] = []
  for (const turn of turns) results.push(await runTurn(turn, chat, judge))
  return results
}

async function runTurn(turn: Turn, chat: Chat, judge: JudgeReply | null): Promise<TurnResult> {
  let reply: Reply
  try {
    reply = await chat.ask(turn.prompt)
  } catch (error) {
    return failedTurn(turn, `failed: ${messageOf(error)}`)
  }
  const faults = faultsOf(turn, reply)
  const judged = faults.length === 0 && turn.judge && judge ? await judgedTurn(turn, turn.judge, judge, reply) : null
  return {
    prompt: turn.prompt,
    text: textOf(reply.answer),
    state: reply.state,
    unsupportedSentences: reply.answer.metadata?.unsupportedSentences ?? 0,
    expectedStates: turn.state,
    sources: sourcesOf(reply.answer),
    tools: toolsOf(reply.answer),
    ranks: ranksIn(turn, reply),
    judgement: judged?.judgement ?? null,
    faults: [...faults, ...(judged?.faults ?? [])],
    seconds: reply.ms / MS_PER_S,
  }
}

async function judgedTurn(turn: Turn, rubric: Rubric, judge: JudgeReply, reply: Reply) {
  try {
    const judgement = await judge(turn, rubric, reply)
    const { mean, spread, reason } = judgement
    const grade = `graded ${mean.toFixed(1)} (spread ${spread}), below ${rubric.min}: ${reason}`
    return { judgement, faults: mean < rubric.min ? [grade] : [] }
  } catch (error) {
    return { judgement: null, faults: [`could not be judged: ${messageOf(error)}`] }
  }
}

function failedTurn({ prompt, state: expectedStates }: Turn, fault: string): TurnResult {
  return {
    prompt,
    text: '',
    state: null,
    unsupportedSentences: 0,
    expectedStates,
    sources: [],
    tools: [],
    ranks: null,
    judgement: null,
    faults: [fault],
    seconds: 0,
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
