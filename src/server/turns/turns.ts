import type { ApprovalDecision } from '../../contract/chat/approval.ts'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { Turn, TurnEvents } from '../../contract/chat/sessions.ts'
import type { Agent, DecidedCall } from '../answering/agents/agent.ts'
import type { Agents } from '../answering/agents/agents.ts'
import type { Moderator } from '../safety/moderation/moderator.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import type { AskedPrompt } from '../replies/routing/model-verdict.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import { ownerTopic, turnTopic } from '../pubsub/topics.ts'
import type { Access } from '../store/visitors/access.ts'
import { insertDecision } from '../store/turns/approvals.ts'
import type { ReservationsFor } from '../store/turns/budgets.ts'
import type { Accepted } from '../store/turns/commit-turn.ts'
import type { Database } from '../store/engine/database.ts'
import type { RepeatedClaim } from '../store/turns/idempotency.ts'
import { insertTurnEvents, type UnstoredTurns, type TurnEventRow } from '../store/turns/turn-events.ts'
import { findTurn, insertContinuation, insertPrompt, insertRegeneration, insertRetry, type NewTurn } from '../store/turns/turns.ts'
import { type Following, replayAnswer } from './log/follow.ts'
import type { InstallationKeys } from '../keys.ts'
import { Approvals } from './approvals.ts'
import { type HistorySource, readTurnHistory } from './conversation-window.ts'
import { newMessageId, newSessionId, newTurnId } from './ids.ts'
import { LogWriter } from './log/log-writer.ts'
import { promptMessage } from './prompt-message.ts'
import { routePrompt } from './prompt-router.ts'
import { RemoteTurns } from './log/remote-turns.ts'
import { commitWithinBudget } from './model-budget.ts'
import { type History, RunningTurn, type RunningTurnOptions, type TurnResult } from './running-turn.ts'
import type { LocalEnd, PromptRequest, Started, TurnRequest } from './started-turn.ts'
import { StartQueue } from './start-queue.ts'
import { StopRequests } from './stop-requests.ts'
import { type ConcernedTurn, Stops } from './stops.ts'
import { titleOf } from './title.ts'
import { endedTurn, storedTurn } from './log/stored-turn.ts'
import { settledOrAborted } from '../../async/abort.ts'
import { Semaphore } from '../../async/semaphore.ts'

type AcceptedTurn = Accepted & { isTemporary: boolean; history: HistorySource; reply?: FixedReply | null }
type Commit = (turnId: string, reservationsFor: ReservationsFor) => Promise<AcceptedTurn | RepeatedClaim | Rejection>

/** Ends stored at a time: those of a burst would delay the first words of its last prompts by half. */
const MAX_ENDING = 4
/** Time limit for storing the ends of turns at shutdown. */
const LAST_TRIES_MS = 1_000
/** How long a stop waits for a turn of another process to end. */
const REMOTE_STOP_LIMIT_MS = 10_000

export interface TurnsOptions {
  database: Database
  agents: Pick<Agents, 'find' | 'first' | 'notReady'>
  instance: string
  /** Notified when a turn starts or ends, by owner, and when a turn has new events. */
  pubsub: PubSub
  maxStarting?: number | undefined
  /** Limit of an owner's running turns over all processes. */
  maxOfOwner?: (() => number) | undefined
  keys: InstallationKeys
  moderator?: Pick<Moderator, 'check'> | null
  now: () => number
  onTurnEnd?: ((ended: LocalEnd) => void) | undefined
  /** Called on faults, with what the log adds. Rejections are values. */
  onFault: (message: string, cause: unknown, context?: { operation: string | undefined }) => void
}

type RunOptions = Pick<RunningTurnOptions, 'operation' | 'budget'> & Pick<TurnRequest, 'embed'>

/** Accepts turns and runs them to their end, followed or not. Turns of other processes can be followed and stopped like local ones. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #running = new Map<string, RunningTurn>()
  /** Turns being committed; each resolves when its outcome is known. */
  readonly #starting = new Map<string, Promise<void>>()
  #closing = false
  #isInterrupted = false
  readonly #givingUp = new AbortController()
  readonly #starts: StartQueue
  readonly #ends = new Semaphore(MAX_ENDING)
  readonly #writer: LogWriter
  /** The latest write of events, awaited before the database is closed. */
  #writing: Promise<unknown> = Promise.resolve()
  readonly #remote: RemoteTurns
  readonly #stopRequests: StopRequests
  readonly #stops: Stops
  readonly #approvals: Approvals

  constructor(options: TurnsOptions) {
    const { database, pubsub, instance, now, onFault } = options
    this.#options = options
    this.#starts = new StartQueue(options.maxStarting ?? Number.POSITIVE_INFINITY)
    this.#approvals = new Approvals(options.keys, now)
    this.#writer = new LogWriter({ write: (rows) => this.#write(rows), onFault })
    this.#remote = new RemoteTurns({ database, pubsub, onFault })
    this.#stops = new Stops({ database, onFault, suspend: (concerns) => this.#suspend(concerns) })
    this.#stopRequests = new StopRequests({ database, pubsub, instance, onFault, stop: (turnId) => this.#running.get(turnId)?.stop() })
  }

  get count(): number {
    return new Set([...this.#running.keys(), ...this.#starting.keys()]).size
  }

  runs(turnId: string): boolean {
    return this.#running.has(turnId) || this.#starting.has(turnId)
  }

  /** The fixed reply to a prompt that arrives, or its rejection; `null` if it may be admitted. */
  atArrival(agent: Agent, asked: AskedPrompt): Promise<FixedReply | Rejection | null> {
    return this.#stops.atArrival(agent, asked)
  }

  /** Commits the prompt and starts its turn once the prompt is durable. */
  async start(request: PromptRequest): Promise<Started | Rejection> {
    const { database, instance, agents, maxOfOwner, moderator = null } = this.#options
    const { sender, agent: named, session, prompt, temporary, edits, pageContext, languages, reply = null, attachments = [] } = request
    const message = await promptMessage(request, reply ? null : moderator)
    if ('kind' in message) return message
    const messages = [...(temporary?.history ?? []), message]
    return this.#admit(sender.access, request, reply ? 'ready' : this.#notReady(named), async (turnId, reservationsFor) => {
      const accepted = await insertPrompt(database, {
        id: turnId,
        instance,
        now: this.#options.now(),
        claim: request.claim,
        reservationsFor,
        maxOfOwner: maxOfOwner?.(),
        count: request.count,
        message,
        files: attachments.flatMap((file) => (file && !file.isInSession ? file.id : [])),
        continues: session ? { id: session, agent: named, access: sender.access, edits } : null,
        newSession: {
          id: newSessionId(),
          owner: sender.owner,
          agent: named ?? agents.first.id,
          title: temporary ? '' : titleOf(prompt),
          openById: sender.openById,
          temporary: temporary !== undefined,
        },
        newVisitor: sender.newVisitor,
        acceptedNotice: request.acceptedNotice ?? null,
      })
      if (accepted.kind !== 'accepted') return accepted
      return {
        ...accepted,
        isTemporary: temporary !== undefined,
        reply,
        history: { ...(accepted.isNewSession && { messages }), pageContext, languages, continues: false },
      }
    })
  }

  retry(access: Access, turnId: string, request: TurnRequest): Promise<Started | Rejection> {
    return this.#insertAnotherAnswer(access, request, (turn) => insertRetry(this.#options.database, access, turnId, turn))
  }

  /** Answers the prompt of a message, or the last prompt, again. The earlier answer stays as a version. */
  regenerate(access: Access, place: { session: string; message?: string | undefined }, request: TurnRequest): Promise<Started | Rejection> {
    const session = { id: place.session, access }
    return this.#insertAnotherAnswer(access, request, (turn) => insertRegeneration(this.#options.database, session, place.message, turn))
  }

  /** Continues an ended turn after the visitor has decided its approval requests. */
  approve(
    access: Access,
    { turn: id, decisions }: { turn: string; decisions: readonly ApprovalDecision[] },
    request: TurnRequest,
  ): Promise<Started | Rejection> {
    const decide = (answer: ChatMessage) => this.#approvals.decide(id, answer, decisions)
    return this.#insertAnotherAnswer(access, request, (turn) => insertDecision(this.#options.database, access, id, turn, decide))
  }

  continueTurn(access: Access, turnId: string, request: TurnRequest): Promise<Started | Rejection> {
    return this.#insertAnotherAnswer(access, request, (turn) => insertContinuation(this.#options.database, access, turnId, turn))
  }

  async #insertAnotherAnswer(
    access: Access,
    request: TurnRequest,
    insert: (turn: NewTurn) => Promise<(Accepted & { continues?: boolean; calls?: DecidedCall[] }) | RepeatedClaim | Rejection>,
  ): Promise<Started | Rejection> {
    const { instance, now, maxOfOwner } = this.#options
    const { claim, count, pageContext, languages } = request
    const turn = { instance, claim, maxOfOwner: maxOfOwner?.(), count }
    return this.#admit(access, request, this.#notReady(null), async (id, reservationsFor) => {
      const accepted = await insert({ ...turn, id, now: now(), reservationsFor })
      if (accepted.kind !== 'accepted') return accepted
      return {
        ...accepted,
        isTemporary: false,
        history: { pageContext, languages, continues: accepted.continues ?? false, decided: accepted.calls },
      }
    })
  }

  find(access: Access, turnId: string): Promise<Turn | undefined> {
    return findTurn(this.#options.database, access, turnId)
  }

  /** Stops a turn and keeps its partial answer; undefined without access. One of another process may still run after 10 s. */
  async stop(access: Access, turnId: string): Promise<Turn | undefined> {
    const turn = await this.find(access, turnId)
    if (turn?.status !== 'running') return turn
    const running = this.#running.get(turn.id)
    if (running) {
      running.stop()
      await running.ended
    } else {
      await this.#stopRequests.send(turn.id)
      await this.#remote.ended(turn.id, AbortSignal.timeout(REMOTE_STOP_LIMIT_MS))
    }
    return this.find(access, turnId)
  }

  /** Follows a turn: a local one from its log, an ended one from its answer, one of another process from the database until it ends. */
  async follow(access: Access, turnId: string): Promise<{ kind: 'following'; following: Following } | Rejection> {
    const turn = await this.find(access, turnId)
    if (!turn) return rejection('not_found')
    const running = this.#running.get(turn.id)
    if (running) return { kind: 'following', following: running.follow }
    if (turn.status === 'running') return { kind: 'following', following: this.#remote.turn(turn).follow }
    const stored = storedTurn(this.#options.database, turn)
    if (!(await stored.answer())) return rejection('not_found')
    return { kind: 'following', following: (after, signal) => replayAnswer(stored, after, signal) }
  }

  /** New events of a turn after `after`. Waits for them until `signal` aborts. */
  async poll(
    access: Access,
    { turn: id, after, signal }: { turn: string; after: number; signal: AbortSignal },
  ): Promise<({ kind: 'read' } & TurnEvents) | Rejection> {
    const before = await this.find(access, id)
    const outcome = await this.follow(access, id)
    if (outcome.kind === 'rejected') return outcome
    const batches = outcome.following(after, signal)
    const { value } = await batches.next()
    await batches.return()
    const events = (value ?? []).map(({ seq, json }) => ({ seq, chunk: JSON.parse(json) as ChatChunk }))
    // Without events, a concurrent end is left to the next poll.
    const turn = events.length > 0 ? await this.find(access, id) : before
    return turn ? { kind: 'read', events, status: turn.status } : rejection('not_found')
  }

  /** The turn of an earlier request; empty if a later retry has deleted its answer. */
  async #repeated(access: Access, turnId: string): Promise<Started | Rejection> {
    await this.#starting.get(turnId)
    const running = this.#running.get(turnId)
    if (running) return { kind: 'repeated', turn: running }
    const turn = await findTurn(this.#options.database, access, turnId)
    if (!turn) return rejection('not_found')
    if (turn.status === 'running') return { kind: 'repeated', turn: this.#remote.turn(turn) }
    return { kind: 'repeated', turn: await endedTurn(this.#options.database, { ...turn, status: turn.status }) }
  }

  /** Rejects new turns, gives running ones `graceMs` to end and interrupts the rest. A database outage delays it by 3 s at most. */
  async drain(graceMs: number): Promise<void> {
    this.#closing = true
    const grace = setTimeout(() => this.interrupt(), graceMs)
    const lastTries = setTimeout(() => this.#givingUp.abort(), graceMs + LAST_TRIES_MS)
    // Turns being committed get the same time.
    await settledOrAborted(Promise.allSettled(this.#starting.values()), this.#givingUp.signal)
    await Promise.allSettled([...this.#running.values()].map((turn) => turn.ended))
    clearTimeout(grace)
    await settledOrAborted(this.#writing, this.#givingUp.signal)
    clearTimeout(lastTries)
    this.#remote.close()
    this.#stopRequests.close()
    this.#stops.close()
  }

  interrupt(): void {
    this.#isInterrupted = true
    for (const turn of this.#running.values()) turn.interrupt('shutting_down')
  }

  async #suspend(concerns: (turn: ConcernedTurn) => Promise<boolean>): Promise<void> {
    for (const turn of this.#running.values()) if (turn.concerns && (await concerns(turn.concerns))) turn.interrupt('suspended')
  }

  #notReady(named: string | null): Rejection | 'ready' {
    const notReady = this.#options.agents.notReady(named)
    return notReady ? { kind: 'rejected', ...notReady } : 'ready'
  }

  async #admit(
    access: Access,
    { budgets, operation, embed }: TurnRequest,
    ready: Rejection | 'ready',
    commit: Commit,
  ): Promise<Started | Rejection> {
    if (this.#closing) return rejection('shutting_down')
    if (ready !== 'ready') return ready
    const turnId = newTurnId()
    const decided = Promise.withResolvers<void>()
    this.#starting.set(turnId, decided.promise)
    try {
      const { committed, budget } = await this.#starts.run(() =>
        commitWithinBudget(budgets, (budgetFor) => commit(turnId, (agent) => budgetFor(agent).reservations)),
      )
      if (committed.kind === 'repeated') return await this.#repeated(access, committed.turnId)
      if (committed.kind === 'rejected') return committed
      return { kind: 'started', turn: this.#run(turnId, committed, { operation, embed, budget: budget(committed.agent) }) }
    } finally {
      this.#starting.delete(turnId)
      decided.resolve()
    }
  }

  #run(id: string, { sessionId, owner, promptId, isTemporary, ...accepted }: AcceptedTurn, { operation, embed, budget }: RunOptions) {
    const { database, agents, pubsub, now, onFault } = this.#options
    // Chats of a removed agent continue with the first agent.
    const agent = agents.find(accepted.agent) ?? agents.first
    const turn = new RunningTurn({
      id,
      sessionId,
      promptId,
      answerId: newMessageId(),
      budget,
      writer: this.#writer,
      stored: storedTurn(database, { id, session: sessionId }),
      database,
      agent,
      decide: (asked, onDecided) =>
        this.#stops.decide(agent, { ...asked, version: accepted.stopsVersion, given: accepted.reply, onDecided }),
      route: (messages, languages, signal) => routePrompt(this.#options, agent, budget, { messages, languages, signal }),
      ends: this.#ends,
      requestApproval: isTemporary ? undefined : (call) => this.#approvals.request(id, call),
      now,
      givingUp: this.#givingUp.signal,
      operation,
      onFault: (message, cause) => onFault(message, cause, { operation }),
    })
    this.#running.set(id, turn)
    this.#stopRequests.track(id)
    this.#stops.watch(() => this.#running.size > 0)
    pubsub.publish(ownerTopic(owner))
    let history: History | undefined
    turn.begin(async () => (history = await readTurnHistory(database, { sessionId, agent, source: accepted.history })))
    const release = () => {
      this.#running.delete(id)
      this.#stopRequests.untrack(id)
      pubsub.publish(ownerTopic(owner), turnTopic(id))
    }
    const ended = (end: TurnResult) => {
      this.#options.onTurnEnd?.({ turn, end, model: turn.answeredBy, agent, embed, owner, messages: history?.messages ?? [] })
    }
    turn.ended.finally(release).then(ended, (error: unknown) => onFault('Ending a turn failed', error))
    // Committed after `interrupt`.
    if (this.#isInterrupted) turn.interrupt('shutting_down')
    return turn
  }

  async #write(rows: TurnEventRow[]): Promise<UnstoredTurns> {
    const { database, instance, pubsub } = this.#options
    const writing = insertTurnEvents(database, instance, rows)
    this.#writing = writing.catch(() => undefined)
    const notStored = await writing
    pubsub.publishRemote(rows.map((row) => turnTopic(row.turnId)))
    return notStored
  }
}
