import type { Rejection } from '../../contract/rejection.ts'
import type { Agent } from '../agent/agent.ts'
import type { Agents } from '../agent/agents.ts'
import type { HoldsFor } from '../store/budgets.ts'
import type { Database } from '../store/database.ts'
import type { RepeatedClaim } from '../store/idempotency.ts'
import type { Accepted } from '../store/turns.ts'
import type { Approvals } from './approvals.ts'
import { newMessageId } from './ids.ts'
import type { LogWriter } from './log-writer.ts'
import type { Offer, OfferFor } from './budget-reservation.ts'
import { RunningTurn } from './running-turn.ts'
import { storedTurn } from './stored-turn.ts'
import { TurnHistory, type WantedHistory } from './conversation-window.ts'
import type { Turnstile } from './turnstile.ts'

/** A turn that is stored, or about to be, and what its model is to read. */
export type Written = Accepted & { isKept: boolean; history: WantedHistory }
export type Committed = Written | RepeatedClaim | Rejection
/** `onWritten` may be told what will be committed when only COMMIT is left. */
export type Commit = (turnId: string, holdsFor: HoldsFor, onWritten: (written: Written) => void) => Promise<Committed>

/** A turn that has begun, and nobody knows of it. */
export interface Begun extends Pick<Written, 'owner' | 'isKept'> {
  kind: 'begun'
  turn: RunningTurn
  read: TurnHistory
  agent: Agent
  offer: Offer
}

export interface TurnBeginnerOptions {
  database: Database
  agents: Pick<Agents, 'find' | 'first'>
  writer: LogWriter
  turnstile: Turnstile
  approvals: Approvals
  givingUp: AbortSignal
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** Commits turns, and begins them while the disk, or the database's server, is still at work: their model's request is ready when that is done. */
export class TurnBeginner {
  readonly #options: TurnBeginnerOptions

  constructor(options: TurnBeginnerOptions) {
    this.#options = options
  }

  /**
   * When it returns a turn, that is durable. One that comes to nothing has asked nobody, and leaves no trace.
   * Of a burst, no turn begins early: there is enough to do while the disk works, and the first are not to wait for what can be done later.
   */
  async begin(
    turnId: string,
    offer: OfferFor,
    commit: Commit,
    { isAlone }: { isAlone: boolean },
  ): Promise<Begun | Exclude<Committed, Written>> {
    const stored = Promise.withResolvers<boolean>()
    let begun: Begun | undefined
    let isOver = false
    const beginOnce = (written: Written) => (begun ??= this.#begin(turnId, written, offer(written.agent), stored.promise))
    // When no microtask is waiting, COMMIT is on its way.
    const onWritten = (written: Written) => void (isAlone && process.nextTick(() => isOver || beginOnce(written)))
    try {
      const committed = await commit(turnId, (agent) => offer(agent).holds, onWritten)
      if (committed.kind !== 'accepted') return committed
      stored.resolve(true)
      return beginOnce(committed)
    } catch (error) {
      begun?.turn.ended.catch((fault: unknown) => this.#options.onFault('A turn could not end', fault))
      throw error
    } finally {
      isOver = true
      stored.resolve(false)
    }
  }

  #begin(id: string, { sessionId, owner, promptId, isKept, history, ...written }: Written, offer: Offer, stored: Promise<boolean>): Begun {
    const { database, agents, writer, turnstile, approvals, givingUp, now, onFault } = this.#options
    // Of an agent that is gone, the first takes over its chats.
    const agent = agents.find(written.agent) ?? agents.first
    const turn = new RunningTurn({
      id,
      sessionId,
      promptId,
      answerId: newMessageId(),
      offer,
      writer,
      stored: storedTurn(database, { id, session: sessionId }),
      turnstile,
      database,
      agent,
      ask: isKept ? (call) => approvals.request(id, call) : undefined,
      now,
      givingUp,
      onFault,
    })
    const read = new TurnHistory(database, sessionId, agent, history, stored)
    turn.begin(() => read.read(), stored)
    return { kind: 'begun', turn, read, agent, offer, owner, isKept }
  }
}
