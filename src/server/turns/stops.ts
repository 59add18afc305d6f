import type { Agent } from '../answering/agents/agent.ts'
import type { Rejection } from '../../contract/rejection.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import type { AskedPrompt } from '../replies/routing/model-verdict.ts'
import { stopConcerning, stoppedFiles } from '../replies/stopped-topics.ts'
import type { Database } from '../store/engine/database.ts'
import { BEFORE_THE_MODEL, firstOutcome } from './before-the-model.ts'
import { NO_STOPS, readStops, type Stop, stopsVersion } from '../store/staff/stops.ts'

const POLL_INTERVAL_MS = 400

/** A running turn, as far as a stop may concern it. */
export interface ConcernedTurn {
  agent: string
  prompt: string
  earlier?: string | null
  /** Files of the knowledge that it has used so far. */
  files: readonly string[]
}

type ArrivalAgent = Pick<Agent, 'id' | 'policy' | 'personalData'>

export interface StopsOptions {
  database: Database
  /** Ends the local turns that this selects. */
  suspend: (concerns: (turn: ConcernedTurn) => Promise<boolean>) => Promise<void>
  onFault: (message: string, cause: unknown) => void
}

/** Stops as this process knows them; polls for changes while turns run. */
export class Stops {
  readonly #options: StopsOptions
  #version = NO_STOPS
  #stops: readonly Stop[] = []
  #timer: NodeJS.Timeout | undefined
  #isFaulty = false
  #isClosed = false

  constructor(options: StopsOptions) {
    this.#options = options
  }

  /**
   * The fixed reply to a stored prompt, and the files that its answer may not use. `given`: the reply at its arrival, which stands.
   * `version`: read with the turn. `onDecided` runs at once after the decision, so that the turn observes every later stop.
   */
  async decide(
    { id, policy }: Pick<Agent, 'id' | 'policy'>,
    {
      version,
      given,
      onDecided,
      ...asked
    }: AskedPrompt & { version: string; given?: FixedReply | null | undefined; onDecided: () => void },
  ): Promise<{ reply: FixedReply | null; files: string[] }> {
    if (version !== this.#version) await this.#read()
    for (;;) {
      const stops = this.#stops
      const reply = given ?? (await firstOutcome(BEFORE_THE_MODEL.answer, { ...asked, agent: id, policy, stops }))
      if (stops !== this.#stops) continue
      onDecided()
      return { reply, files: stoppedFiles(stops) }
    }
  }

  /** The reply to a prompt that arrives, or its rejection; `null` if it may be admitted. */
  async atArrival({ id, policy, personalData }: ArrivalAgent, asked: AskedPrompt): Promise<FixedReply | Rejection | null> {
    if ((await stopsVersion(this.#options.database)) !== this.#version) await this.#read()
    return firstOutcome(BEFORE_THE_MODEL.arrival, { ...asked, agent: id, policy, stops: this.#stops, rules: personalData })
  }

  /** Looks for changes from now on, until no turn runs: `isNeeded` is asked before each look. */
  watch(isNeeded: () => boolean): void {
    if (this.#timer || this.#isClosed) return
    const again = () => {
      this.#timer = undefined
      this.watch(isNeeded)
    }
    this.#timer = setTimeout(() => {
      if (isNeeded()) this.#look().then(again, again)
      else this.#timer = undefined
    }, POLL_INTERVAL_MS).unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    try {
      if ((await stopsVersion(this.#options.database)) !== this.#version) await this.#read()
      this.#isFaulty = false
    } catch (cause) {
      if (!this.#isFaulty) this.#options.onFault('Reading what staff have stopped failed; retrying', cause)
      this.#isFaulty = true
    }
  }

  async #read(): Promise<void> {
    const { version, stops } = await readStops(this.#options.database)
    this.#version = version
    this.#stops = stops
    const files = stoppedFiles(stops)
    await this.#options.suspend(
      async (turn) => turn.files.some((file) => files.includes(file)) || (await stopConcerning(stops, turn)) !== undefined,
    )
  }
}
