import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { PubSub } from '../../pubsub/pubsub.ts'
import { turnTopic } from '../../pubsub/topics.ts'
import { Poller } from '../../pubsub/poller.ts'
import type { Database } from '../../store/engine/database.ts'
import { readProgress } from '../../store/turns/remote-turns.ts'
import type { TurnEvent } from '../../store/turns/turn-events.ts'
import type { StoredTurn } from '../../store/turns/turns.ts'
import { followLog, type StoredTurnReader } from './follow.ts'
import type { FollowedTurn } from '../started-turn.ts'
import { storedEnd, storedTurn } from './stored-turn.ts'
import { TurnLog } from './turn-log.ts'
import { settledOrAborted } from '../../../async/abort.ts'

/** Poll interval for all turns, in one query, without a reliable pubsub. */
const POLL_INTERVAL_MS = 250

export interface RemoteTurnsOptions {
  database: Database
  pubsub: PubSub
  onFault: (message: string, cause: unknown) => void
}

interface Tail {
  log: TurnLog
  seq: number
  followers: number
  ended: PromiseWithResolvers<void>
}

/** Follows turns of other processes. Each turn's events are read once for all readers, and those of all turns in one query. */
export class RemoteTurns {
  readonly #options: RemoteTurnsOptions
  readonly #tails = new Map<string, Tail>()
  readonly #poller: Poller

  constructor(options: RemoteTurnsOptions) {
    this.#options = options
    this.#poller = new Poller({
      pubsub: options.pubsub,
      intervalMs: POLL_INTERVAL_MS,
      poll: () => this.#poll(),
      onFault: (cause) => options.onFault('Reading turns of other processes failed; retrying', cause),
    })
  }

  /** A remote turn, followed like a local one. At its end, the stored answer is replayed. */
  turn({ id, session }: Pick<StoredTurn, 'id' | 'session'>): FollowedTurn {
    const { database } = this.#options
    const end = async () => {
      await this.ended(id, new AbortController().signal)
      return storedEnd(database, { id, session })
    }
    return {
      id,
      sessionId: session,
      follow: (after, signal) => this.#follow(id, storedTurn(database, { id, session }), after, signal),
      get ended() {
        return end()
      },
    }
  }

  async *#follow(turnId: string, stored: StoredTurnReader, after: number, signal: AbortSignal): AsyncGenerator<TurnEvent[], void> {
    const tail = this.#join(turnId)
    try {
      yield* followLog({ log: tail.log, stored }, after, signal)
    } finally {
      this.#leave(turnId, tail)
    }
  }

  /** Resolves when the turn has ended or was deleted, or when `signal` aborts. */
  async ended(turnId: string, signal: AbortSignal): Promise<void> {
    const tail = this.#join(turnId)
    try {
      await settledOrAborted(tail.ended.promise, signal)
    } finally {
      this.#leave(turnId, tail)
    }
  }

  close(): void {
    this.#poller.close()
  }

  #join(turnId: string): Tail {
    const known = this.#tails.get(turnId)
    const tail = known ?? { log: new TurnLog(turnId, () => undefined), seq: 0, followers: 0, ended: Promise.withResolvers<void>() }
    tail.followers += 1
    if (known) return tail
    this.#tails.set(turnId, tail)
    this.#poller.add(turnTopic(turnId))
    this.#poller.pollNow(turnTopic(turnId))
    return tail
  }

  #leave(turnId: string, tail: Tail): void {
    tail.followers -= 1
    if (tail.followers === 0) this.#drop(turnId, tail)
  }

  #drop(turnId: string, tail: Tail): void {
    if (this.#tails.get(turnId) !== tail) return
    this.#tails.delete(turnId)
    this.#poller.remove(turnTopic(turnId))
  }

  /** Reads until there are no more events, usually once. */
  async #poll(): Promise<void> {
    for (let isBehind = true; isBehind && this.#tails.size > 0; ) {
      const tails = new Map(this.#tails)
      const positions = [...tails].map(([turnId, { seq }]) => ({ turnId, after: seq }))
      const { progress, isWhole } = await readProgress(this.#options.database, positions)
      isBehind = !isWhole
      for (const [turnId, tail] of tails) {
        const { isRunning, chunks } = progress.get(turnId) ?? { isRunning: false, chunks: [] }
        if (isRunning) this.#advance(tail, chunks)
        else this.#end(turnId, tail)
      }
    }
  }

  #advance(tail: Tail, chunks: ChatChunk[]): void {
    for (const chunk of chunks) tail.log.append(chunk)
    tail.seq += chunks.length
    tail.log.publish(tail.seq)
  }

  #end(turnId: string, tail: Tail): void {
    this.#drop(turnId, tail)
    // The events were replaced by the stored answer.
    tail.log.supersede()
    tail.ended.resolve()
  }
}
