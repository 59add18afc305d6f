import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Processes } from './processes.ts'
import type { Target } from './target.ts'

/** Jobs of the client. Samples are in milliseconds, one list per target, in the order of the targets. */
export type Job =
  /** Times to the first piece of an answer: every target once per round, in random order, one request at a time. */
  | { kind: 'one-after-another'; targets: Target[]; rounds: number }
  /** The same with `together` requests sent at the same moment, all to one target. */
  | { kind: 'at-once'; targets: Target[]; together: number; rounds: number }
  /** `total` requests, `together` of them concurrently. Replies with the milliseconds for all of them. */
  | { kind: 'in-turn'; target: Target; together: number; total: number }
  /** Opens streams and counts their tokens until they are closed. Replies when each has its first token. */
  | { kind: 'open-streams'; target: Target; streams: number }
  /** Sends this many requests per second without waiting for replies. Replies immediately. */
  | { kind: 'start-flood'; target: Target; perSecond: number }
  /** Replies with the number of requests that got an answer or a rejection. */
  | { kind: 'stop-flood' }
  | { kind: 'count-tokens' }
  | { kind: 'close-streams' }

export type Answer = number | number[][]

/** The client as seen from this process. One job at a time. */
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
