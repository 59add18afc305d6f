import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Turn } from '../../../src/contract/chat/sessions.ts'
import { brokenPromises } from './history-checks.ts'
import { type Answering, type Command, VISITORS } from './history.ts'
import type { HistoryStage } from './history-stage.ts'
import { knownVisitor } from './stage.ts'
import type { Reading, Rejection, Unknown, Visitor } from './visitor.ts'

/** One prompt, sent once or more with its key. */
export interface SentPrompt {
  text: string
  key: string
  /** Target session; undefined for a new one. */
  into: string | undefined
  /** The prompt that it replaces. */
  edits?: string | undefined
  /** Turns named in replies, with their sessions; must be one. */
  turns: Map<string, string>
  /** An attempt has an unknown outcome. */
  mayBeStored: boolean
}

/** A turn known to a visitor. */
export interface KnownTurn {
  id: string
  session: string
  readings: Reading[]
  /** Final statuses reported for it; at most one. */
  ends: Set<string>
  /** It was, or may have been, retried, which deletes its answer. */
  mayBeReplaced: boolean
  /** It was, or may have been, continued, which deletes an empty answer. */
  mayBeGoneOnWith: boolean
}

export interface Player {
  visitor: Visitor
  /** Included in all of the visitor's prompts and answers. */
  canary: string
  prompts: SentPrompt[]
  turns: Map<string, KnownTurn>
  lastTurn: KnownTurn | undefined
  deleted: Set<string>
  mayBeDeleted: Set<string>
}

/** After this time a visitor stops waiting for an answer. */
const PATIENCE_MS = 250
/** Longer than every time limit for the end of a turn. */
const SETTLE_LIMIT_MS = 60_000

/** Runs a history. Returns violated guarantees. */
export async function runHistory(place: HistoryStage, commands: Command[]): Promise<string[]> {
  place.clock?.setOffset(0)
  const run = new HistoryRun(place, await Promise.all(Array.from({ length: VISITORS }, () => newPlayer(place))))
  for (const command of commands) await run.step(command)
  const settled = await Promise.race([run.settle().then(() => true), pause(SETTLE_LIMIT_MS, false, { ref: false })])
  if (!settled) return ['some request had not ended after a minute']
  return brokenPromises(place, run.players)
}

async function newPlayer({ stage }: HistoryStage): Promise<Player> {
  const canary = `canary-${randomBytes(6).toString('hex')}`
  const nothing = { prompts: [], turns: new Map(), lastTurn: undefined, deleted: new Set<string>(), mayBeDeleted: new Set<string>() }
  return { visitor: await knownVisitor(stage.server.url), canary, ...nothing }
}

class HistoryRun {
  readonly players: Player[]
  readonly #place: HistoryStage
  /** Pending operations. */
  readonly #open = new Set<Promise<unknown>>()
  #databaseBack: Promise<void> = Promise.resolve()

  constructor(place: HistoryStage, players: Player[]) {
    this.#place = place
    this.players = players
  }

  async step(command: Command): Promise<void> {
    const { server } = this.#place.stage
    const player = 'visitor' in command ? (this.players[command.visitor] as Player) : (this.players[0] as Player)
    switch (command.do) {
      case 'send':
        return this.#patiently(
          send(player, newPrompt(player, command.answering, command.into === 'last' ? player.lastTurn?.session : undefined)),
        )
      case 'send-again': {
        const last = player.prompts.at(-1)
        return last && this.#patiently(send(player, last))
      }
      case 'retry':
      case 'go-on':
        return this.#patiently(startFrom(player, command.do))
      case 'regenerate':
        return this.#patiently(regenerate(player))
      case 'edit':
        return this.#patiently(edit(player, command.answering))
      case 'show-version':
        return this.#patiently(showVersion(player))
      case 'attach':
        return this.#patiently(attach(player, command.anew))
      case 'stop':
        return this.#patiently(stop(player))
      case 'delete':
        return this.#patiently(deleteLast(player))
      case 'cut':
        for (const turn of player.turns.values()) for (const reading of turn.readings) reading.leave()
        return
      case 'wait':
        return pause(command.ms)
      case 'kill':
      case 'restart':
        // The server starts once its database is available.
        await this.#databaseBack
        return server.restart(command.do === 'kill' ? 'SIGKILL' : 'SIGTERM')
      case 'database-down':
        await this.#databaseBack
        this.#databaseBack = this.#place.databaseDown(command.ms)
        return
      case 'clock-jump':
        return this.#place.clock?.setOffset(command.seconds)
    }
  }

  /** Waits for all pending operations. */
  async settle(): Promise<void> {
    await this.#databaseBack
    await Promise.all(this.#open)
    for (const player of this.players) {
      for (const turn of player.turns.values()) await Promise.all(turn.readings.map((reading) => reading.ended))
    }
  }

  async #patiently(doing: Promise<void>): Promise<void> {
    this.#open.add(doing)
    const done = doing.finally(() => this.#open.delete(doing))
    await Promise.race([done, pause(PATIENCE_MS)])
  }
}

function newPrompt(player: Player, answering: Answering, into: string | undefined, edits?: string): SentPrompt {
  const prompt: SentPrompt = {
    text: `${player.canary} ${answering} ${player.prompts.length}.`,
    key: randomUUID(),
    into,
    edits,
    turns: new Map(),
    mayBeStored: false,
  }
  player.prompts.push(prompt)
  return prompt
}

async function send(player: Player, prompt: SentPrompt): Promise<void> {
  const reading = await player.visitor.send(prompt.text, { session: prompt.into, key: prompt.key, edits: prompt.edits })
  if (reading.kind === 'reading') {
    await reading.begun
    if (!reading.turn) {
      prompt.mayBeStored = true
      return
    }
    prompt.turns.set(reading.turn, reading.session)
    return know(player, reading)
  }
  // A rejection stores nothing, except that an outage leaves the outcome unknown.
  if (reading.kind === 'unknown' || mayHaveBeenDone(reading)) prompt.mayBeStored = true
}

function mayHaveBeenDone(outcome: Rejection): boolean {
  return ['storage_unavailable', 'storage_full', 'internal'].includes(outcome.code)
}

function know(player: Player, reading: Reading): void {
  const { turn: id, session } = reading
  const turn = player.turns.get(id) ?? { id, session, readings: [], ends: new Set(), mayBeReplaced: false, mayBeGoneOnWith: false }
  player.turns.set(id, turn)
  player.lastTurn = turn
  turn.readings.push(reading)
}

async function startFrom(player: Player, how: 'retry' | 'go-on'): Promise<void> {
  const before = player.lastTurn
  if (!before) return
  const outcome = await (how === 'retry' ? player.visitor.retry(before.id) : player.visitor.continueTurn(before.id))
  const isRejected = isAnswer(outcome) && 'kind' in outcome && outcome.kind === 'rejected' && !mayHaveBeenDone(outcome)
  if (!isRejected) before[how === 'retry' ? 'mayBeReplaced' : 'mayBeGoneOnWith'] = true
  if (isAnswer(outcome) && 'id' in outcome) await follow(player, outcome.id)
}

/** The stored answer of the last turn; undefined while it is streaming. */
async function lastAnswer({ visitor, lastTurn }: Player) {
  const detail = lastTurn && (await visitor.session(lastTurn.session))
  if (!detail || 'kind' in detail) return undefined
  return detail.messages.findLast(({ role, metadata }) => role === 'assistant' && metadata?.turnId === lastTurn.id)
}

async function regenerate(player: Player): Promise<void> {
  const session = player.lastTurn?.session
  const answer = await lastAnswer(player)
  if (!session || !answer) return
  const outcome = await player.visitor.regenerate(session, answer.id)
  if (isAnswer(outcome) && 'id' in outcome) await follow(player, outcome.id)
}

async function edit(player: Player, answering: Answering): Promise<void> {
  const session = player.lastTurn?.session
  const edits = (await lastAnswer(player))?.metadata?.promptId
  if (session && edits) await send(player, newPrompt(player, answering, session, edits))
}

async function showVersion({ visitor, lastTurn }: Player): Promise<void> {
  const detail = lastTurn && (await visitor.session(lastTurn.session))
  if (!detail || 'kind' in detail) return
  const version = detail.messages.findLast(({ metadata }) => metadata?.version)?.metadata?.version
  const other = version?.before ?? version?.after
  if (other) await visitor.showVersion(lastTurn.session, other)
}

function isAnswer(outcome: Turn | Rejection | Unknown): outcome is Turn | Rejection {
  return !('kind' in outcome && outcome.kind === 'unknown')
}

async function attach(player: Player, anew: boolean): Promise<void> {
  const turn = player.lastTurn
  if (turn) await follow(player, turn.id, anew ? undefined : turn.readings.at(-1))
}

async function follow(player: Player, turn: string, after?: Reading): Promise<void> {
  const reading = await player.visitor.follow(turn, after)
  if (reading.kind !== 'reading') return
  await reading.begun
  if (reading.turn === turn) know(player, reading)
}

async function stop(player: Player): Promise<void> {
  const turn = player.lastTurn
  const outcome = turn && (await player.visitor.stop(turn.id))
  if (outcome && 'id' in outcome && outcome.status !== 'running') turn.ends.add(outcome.status)
}

async function deleteLast(player: Player): Promise<void> {
  const session = player.lastTurn?.session
  if (!session) return
  player.mayBeDeleted.add(session)
  const outcome = await player.visitor.delete(session)
  if (!('kind' in outcome)) player.deleted.add(session)
}
