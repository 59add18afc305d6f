import { repeat } from '../repeat.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import { ownerTopic, turnTopic } from '../pubsub/topics.ts'
import type { Database } from '../store/engine/database.ts'
import {
  recordHeartbeat,
  deleteIdleProcesses,
  listRunningProcesses,
  listRunningTurns,
  type RunningProcess,
} from '../store/turns/processes.ts'
import { endAbandonedTurn, type EndedSession } from '../store/turns/turn-ends.ts'
import { newMessageId } from './ids.ts'
import type { ProcessSlots } from './process-slots.ts'
import type { Turns } from './turns.ts'

const HEARTBEAT_INTERVAL_MS = 5_000
/** Between five and six intervals, so an early timer doesn't matter: at most 35 s after the last heartbeat. */
const LEASE_MS = 5.5 * HEARTBEAT_INTERVAL_MS
/** Longest gap between two observations that counts as silence, since possibly no process could write meanwhile. */
const MAX_COUNTED_GAP_MS = 1.5 * HEARTBEAT_INTERVAL_MS
const TURNS_A_STEP = 20
/** More turns than a process may run. */
const MAX_LISTED_TURNS = 10_001

export interface SweeperOptions {
  database: Database
  pubsub: PubSub
  slots: Pick<ProcessSlots, 'instance' | 'whileDead'>
  turns: Pick<Turns, 'runs' | 'count'>
  now: () => number
  clock?: () => number
  onTurnEnd?: ((session: EndedSession) => void) | undefined
  onFault: (message: string, cause: unknown) => void
}

/**
 * Ends abandoned turns as interrupted: those of this process's earlier life, of dead processes of the same data folder, of processes whose
 * lease has expired because this process has seen their heartbeat unchanged for 30 s, and turns of this process that it doesn't run.
 * Uses monotonic clocks only, so a clock jump can't end a live turn.
 */
export class Sweeper {
  readonly #options: SweeperOptions
  readonly #clock: () => number
  readonly #observed = new Map<string, { heartbeat: number | null; silentMs: number }>()
  #sweptAt: number | null = null

  constructor(options: SweeperOptions) {
    this.#options = options
    this.#clock = options.clock ?? (() => performance.now())
  }

  /** Renews the lease of this process while it has turns. */
  async sendHeartbeat(): Promise<void> {
    const { database, slots, turns } = this.#options
    if (turns.count > 0) await recordHeartbeat(database, slots.instance)
  }

  /** The first sweep, which also deletes processes without turns. */
  async begin(): Promise<void> {
    await this.sweep()
    await deleteIdleProcesses(this.#options.database)
  }

  /** Ends the turns of this process's earlier life and of processes that are dead or whose lease has expired. */
  async sweep(): Promise<void> {
    const { database, slots } = this.#options
    const processes = await listRunningProcesses(database)
    const silent = this.#observe(processes)
    for (const { instance } of processes) {
      if (instance === slots.instance || silent.has(instance)) await this.#endTurnsOf(instance)
      else await slots.whileDead(instance, () => this.#endTurnsOf(instance))
    }
  }

  /** Records heartbeats. Returns processes whose lease has expired. */
  #observe(processes: RunningProcess[]): Set<string> {
    const now = this.#clock()
    const passedMs = this.#sweptAt === null ? 0 : Math.min(now - this.#sweptAt, MAX_COUNTED_GAP_MS)
    this.#sweptAt = now
    const before = new Map(this.#observed)
    this.#observed.clear()
    for (const { instance, heartbeat } of processes) {
      const known = before.get(instance)
      const silentMs = known && known.heartbeat === heartbeat ? known.silentMs + passedMs : 0
      this.#observed.set(instance, { heartbeat, silentMs })
    }
    return new Set([...this.#observed].filter(([, { silentMs }]) => silentMs >= LEASE_MS).map(([instance]) => instance))
  }

  async #endTurnsOf(instance: string): Promise<void> {
    const { database, turns: own } = this.#options
    for (;;) {
      const turns = await listRunningTurns(database, instance, MAX_LISTED_TURNS)
      const abandoned = turns.filter((turnId) => !own.runs(turnId)).slice(0, TURNS_A_STEP)
      await Promise.all(abandoned.map((turnId) => this.#end(turnId)))
      if (abandoned.length < TURNS_A_STEP) return
    }
  }

  async #end(turnId: string): Promise<void> {
    const { database, pubsub, now, onTurnEnd } = this.#options
    const end = { status: 'interrupted', code: 'shutting_down', answerId: newMessageId() } as const
    const session = await endAbandonedTurn(database, turnId, end, now())
    if (!session) return
    pubsub.publish(turnTopic(turnId), ownerTopic(session.owner))
    onTurnEnd?.(session)
  }
}

/** Sends heartbeats and sweeps every 5 s, independently of each other. Returns a function that stops both. */
export function startSweeper(sweeper: Sweeper, onFault: SweeperOptions['onFault']): () => Promise<void> {
  const onTime = (act: () => Promise<void>, sentence: string) =>
    repeat(act, { intervalMs: HEARTBEAT_INTERVAL_MS, onFailure: (error) => onFault(sentence, error) })
  const stopHeartbeats = onTime(() => sweeper.sendHeartbeat(), 'Sending the heartbeat failed; retrying')
  const stopSweeps = onTime(() => sweeper.sweep(), 'Sweeping abandoned turns failed; retrying')
  return async () => {
    await Promise.all([stopHeartbeats(), stopSweeps()])
  }
}
