import type { ErrorCode } from '../../contract/errors.ts'
import { MAX_TITLE_CHARACTERS } from '../../contract/limits.ts'
import type { ChatChunk, ChatMessage } from '../../contract/message.ts'
import type { Turn } from '../../contract/sessions.ts'
import type { Agent } from '../agent/agent.ts'
import type { Bell } from '../bell/bell.ts'
import { ownerTopic } from '../bell/topics.ts'
import type { Access, Sender } from '../store/access.ts'
import type { Database } from '../store/database.ts'
import { listMessages } from '../store/sessions.ts'
import type { EarlierClaim, IdempotencyClaim } from '../store/idempotency.ts'
import { findAnswer, findTurn, insertPrompt, insertRetry, type Refused, type TurnEnd } from '../store/turns.ts'
import { newMessageId, newSessionId, newTurnId } from './ids.ts'
import { frameOf, TurnLog } from './turn-log.ts'
import { chunksOfAnswer } from './replay.ts'
import { RunningTurn } from './running-turn.ts'
import { Turnstile } from './turnstile.ts'

/** Of a session, so much is read for its next answer, as stored JSON; what the model is sent is less. */
const MAX_HISTORY_CHARACTERS = 512 * 1024

export interface TurnsOptions {
  database: Database
  agent: Agent
  /** Names this process in the database. */
  instance: string
  /** Rung for a session's owner when a turn begins and ends in it. */
  bell: Bell
  maxRunning: number
  now: () => number
  /** Hears of faults; refusals are values. */
  onFault: (message: string, cause: unknown) => void
}

export type Refusal = { kind: 'refused'; code: ErrorCode; turn?: string }
/** A turn that was started now, or the one that an earlier request with the same key has started. */
export type Started = { kind: 'started' | 'repeated'; turn: FollowedTurn }
/** A turn as its readers see it, at whatever point of its life they come. */
export interface FollowedTurn {
  readonly id: string
  readonly sessionId: string
  /** Resolves when the end is stored and told. */
  readonly ended: Promise<TurnEnd>
  follow: Following
}
/** A turn to follow: batches of frames of server-sent events after `after`, ending with the turn. */
export type Following = (after: number, signal: AbortSignal) => AsyncGenerator<string>

/** The life of turns: accepted here, run to their one end whoever is listening, followed by any number of readers. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #running = new Map<string, RunningTurn>()
  /** Turns that are in the database, perhaps, and not yet among the running ones; each resolves when it is decided. */
  readonly #starting = new Map<string, Promise<void>>()
  /** Places taken, including those of turns that are being committed. */
  #places = 0
  #closing = false
  readonly #turnstile = new Turnstile()

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /**
   * Commits the prompt and starts its turn. When it returns `started`, the prompt is durable.
   * A temporary chat is what its client remembers: `history` goes to the model and is not stored.
   */
  async start(
    sender: Sender,
    agentId: string,
    sessionId: string | undefined,
    prompt: string,
    { claim, temporary }: { claim: IdempotencyClaim | null; temporary?: { history: ChatMessage[] } | undefined },
  ): Promise<Started | Refusal> {
    const { database, instance } = this.#options
    const now = this.#options.now()
    const message: ChatMessage = { id: newMessageId(), role: 'user', parts: [{ type: 'text', text: prompt }] }
    return this.#admitted(sender.access, async (turnId) => {
      const accepted = await insertPrompt(database, {
        id: turnId,
        instance,
        now,
        claim,
        message,
        continues: sessionId ? { id: sessionId, access: sender.access } : null,
        newSession: {
          id: newSessionId(),
          owner: sender.owner,
          agent: agentId,
          title: temporary ? '' : titleOf(prompt),
          openById: sender.openById,
          temporary: temporary !== undefined,
        },
        newVisitor: sender.newVisitor,
      })
      const history = accepted.kind === 'accepted' && accepted.isNewSession ? [...(temporary?.history ?? []), message] : null
      return accepted.kind === 'accepted' ? { ...accepted, history } : accepted
    })
  }

  /** A new turn for the prompt of an ended one. */
  async retry(access: Access, turnId: string, claim: IdempotencyClaim | null): Promise<Started | Refusal> {
    const { database, instance, now } = this.#options
    return this.#admitted(access, async (id) => {
      const accepted = await insertRetry(database, access, turnId, { id, instance, now: now(), claim })
      return accepted.kind === 'accepted' ? { ...accepted, history: null } : accepted
    })
  }

  find(access: Access, turnId: string): Promise<Turn | undefined> {
    return findTurn(this.#options.database, access, turnId)
  }

  /** Stops the model; what was written is kept. Returns the turn at its end, or nothing when the caller may not see it. */
  async stop(access: Access, turnId: string): Promise<Turn | undefined> {
    const turn = await this.find(access, turnId)
    const running = turn && this.#running.get(turn.id)
    if (!running) return turn
    running.stop('stopped')
    await running.ended
    return this.find(access, turnId)
  }

  /**
   * How to follow a turn: from its log while it runs, from its stored answer afterwards.
   * One that runs, but not here, is another process's or was a process's that died: it is refused until it has ended.
   */
  async follow(access: Access, turnId: string): Promise<{ kind: 'following'; following: Following } | Refusal> {
    const turn = await findTurn(this.#options.database, access, turnId)
    if (!turn) return { kind: 'refused', code: 'not_found' }
    const running = this.#running.get(turn.id)
    if (running) return { kind: 'following', following: (after, signal) => running.follow(after, signal) }
    if (turn.status === 'running') return { kind: 'refused', code: 'shutting_down' }
    const answer = await findAnswer(this.#options.database, turn)
    if (!answer) return { kind: 'refused', code: 'not_found' }
    return { kind: 'following', following: () => replay(chunksOfAnswer(answer)) }
  }

  /** The turn of an earlier request. Without an answer, which a later retry has taken away, it is one that said nothing. */
  async #repeated(access: Access, turnId: string): Promise<Started | Refusal> {
    await this.#starting.get(turnId)
    const running = this.#running.get(turnId)
    if (running) return { kind: 'repeated', turn: running }
    const turn = await findTurn(this.#options.database, access, turnId)
    if (!turn) return { kind: 'refused', code: 'not_found' }
    const { id, session: sessionId, status, code } = turn
    if (status === 'running') return { kind: 'refused', code: 'shutting_down' }
    const metadata = { sessionId, turnId, status, ...(code && { code }) }
    const answer = (await findAnswer(this.#options.database, turn)) ?? { id: newMessageId(), role: 'assistant', parts: [], metadata }
    const ended = Promise.resolve({ status, code, answer })
    return { kind: 'repeated', turn: { id, sessionId, ended, follow: () => replay(chunksOfAnswer(answer)) } }
  }

  /** Takes no new turns, gives the running ones `graceMs` to end, and interrupts the rest. */
  async drain(graceMs: number): Promise<void> {
    this.#closing = true
    const timer = setTimeout(() => this.interrupt(), graceMs)
    await Promise.all([...this.#running.values()].map((turn) => turn.ended))
    clearTimeout(timer)
  }

  /** Ends all running turns as interrupted. */
  interrupt(): void {
    for (const turn of this.#running.values()) turn.stop('interrupted')
  }

  async #admitted(access: Access, commit: (turnId: string) => Promise<Committed>): Promise<Started | Refusal> {
    if (this.#closing) return { kind: 'refused', code: 'shutting_down' }
    if (this.#places >= this.#options.maxRunning) return { kind: 'refused', code: 'server_busy' }
    this.#places += 1
    let started = false
    const turnId = newTurnId()
    const decided = Promise.withResolvers<void>()
    this.#starting.set(turnId, decided.promise)
    try {
      await this.#turnstile.pass('start')
      const committed = await commit(turnId)
      if (committed.kind === 'repeated') return await this.#repeated(access, committed.turnId)
      if (committed.kind === 'session_busy') return { kind: 'refused', code: 'session_busy', turn: committed.turnId }
      if (committed.kind !== 'accepted') return { kind: 'refused', code: committed.kind }
      started = true
      return { kind: 'started', turn: this.#run(turnId, committed) }
    } finally {
      this.#starting.delete(turnId)
      decided.resolve()
      if (!started) this.#places -= 1
    }
  }

  #run(id: string, committed: Extract<Committed, { kind: 'accepted' }>): RunningTurn {
    const { database, agent, bell, now, onFault } = this.#options
    const history = committed.history ?? (() => listMessages(database, committed.sessionId, MAX_HISTORY_CHARACTERS))
    const turn = new RunningTurn({
      id,
      sessionId: committed.sessionId,
      answerId: newMessageId(),
      log: new TurnLog(),
      turnstile: this.#turnstile,
      database,
      agent,
      now,
      onFault,
    })
    this.#running.set(id, turn)
    bell.ring(ownerTopic(committed.owner))
    const release = () => {
      this.#running.delete(id)
      this.#places -= 1
      bell.ring(ownerTopic(committed.owner))
    }
    turn.begin(history).then(release, (error: unknown) => {
      release()
      onFault('A turn could not end', error)
    })
    return turn
  }
}

type Committed = { kind: 'accepted'; sessionId: string; owner: string; history: ChatMessage[] | null } | EarlierClaim | Refused

async function* replay(chunks: ChatChunk[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield frameOf(null, chunk)
}

/** The first line of the prompt, cut at a word. */
function titleOf(prompt: string): string {
  const line = prompt.split(/[\r\n\u2028\u2029]/, 1)[0]?.trim() ?? ''
  const characters = [...line]
  if (characters.length <= MAX_TITLE_CHARACTERS) return line
  const cut = characters.slice(0, MAX_TITLE_CHARACTERS - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > MAX_TITLE_CHARACTERS / 2 ? cut.slice(0, space) : cut}…`
}
