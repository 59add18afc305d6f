import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Processes } from './processes.ts'
import type { Target } from './target.ts'

/** Jobs that the client can run. Lists of samples are milliseconds, one list for each target, in the order of the targets. */
export type Job =
  /** Times to the first piece of an answer: every target once a round, in a random order, nothing else on the way. */
  | { kind: 'one-after-another'; targets: Target[]; rounds: number }
  /** The same with `together` requests sent at the same moment, all of one target. */
  | { kind: 'at-once'; targets: Target[]; together: number; rounds: number }
  /** `total` requests, `together` of them on the way at any time; answers with the milliseconds of all. */
  | { kind: 'in-turn'; target: Target; together: number; total: number }
  /** Opens streams and counts their tokens until they are closed; answers when each has its first. */
  | { kind: 'open-streams'; target: Target; streams: number }
  /** Sends this many requests a second without waiting for replies; answers immediately. */
  | { kind: 'start-flood'; target: Target; perSecond: number }
  /** Answers with how many of them were answered, by an answer or a refusal. */
  | { kind: 'stop-flood' }
  | { kind: 'count-tokens' }
  | { kind: 'close-streams' }

export type Answer = number | number[][]

/** The client's end on this side of the process boundary. One job at a time. */
export class Client {
  readonly #child: ChildProcess
  readonly #gone: Promise<void>

  constructor(processes: Processes) {
    this.#child = processes.worker(join(import.meta.dirname, 'client.ts'))
    this.#gone = once(this.#child, 'exit').then(() => undefined)
  }

  times(job: Extract<Job, { targets: Target[] }>): Promise<number[][]> {
    return this.#do(job) as Promise<number[][]>
  }

  number(job: Exclude<Job, { targets: Target[] }>): Promise<number> {
    return this.#do(job) as Promise<number>
  }

  async #do(job: Job): Promise<Answer> {
    this.#child.send(job)
    const answered = once(this.#child, 'message') as Promise<[{ value: Answer } | { error: string }]>
    const [answer] = (await Promise.race([answered, this.#gone])) ?? [{ error: 'The client ended in the middle of a job.' }]
    if ('error' in answer) throw new Error(answer.error)
    return answer.value
  }
}
