import { setTimeout as pause } from 'node:timers/promises'
import type { SessionDetail } from '../../../src/contract/chat/sessions.ts'
import type { KnownTurn, Player } from './history-run.ts'
import { type HistoryStage, TOKENS_A_DAY } from './history-stage.ts'
import { sessionsWithGaps, storedRows } from './stored-rows.ts'
import { answerOf, spokenIn, surely } from './visitor.ts'

/** Longer than it takes to end a turn of a dead process. */
const END_LIMIT_MS = 240_000
const POLL_MS = 50

/** Compares stored data with what the visitors received. Returns violated guarantees. */
export async function brokenPromises(place: HistoryStage, players: Player[]): Promise<string[]> {
  const broken: string[] = []
  for (const player of players) {
    const ends = new Map<KnownTurn, string | null>()
    for (const turn of player.turns.values()) ends.set(turn, await endOf(player, turn))
    const details = await Promise.all((await detailsOf(player)).map((detail) => withAllVersions(place, detail)))
    broken.push(...promptsBroken(player, details))
    for (const [turn, end] of ends) broken.push(...turnBroken(player, turn, end, details))
    broken.push(...canariesAmong(player, players, details))
  }
  broken.push(...(await openToOthers(players)))
  for (const { session_id } of await sessionsWithGaps(place.stored)) broken.push(`session ${session_id} has a gap`)
  for (const { session_id } of await neverEnding(place)) broken.push(`session ${session_id} still has a running turn`)
  for (const { account, spent, reserved } of await wrongAccounts(place))
    broken.push(`account ${account}: ${spent} spent, ${reserved} reserved`)
  return broken
}

async function detailsOf({ visitor }: Player): Promise<SessionDetail[]> {
  const sessions = await surely(() => visitor.sessions())
  return Promise.all(sessions.map(({ key }) => surely(() => visitor.session(key))))
}

/** Includes messages on hidden branches, which are not lost. */
async function withAllVersions({ stored }: HistoryStage, detail: SessionDetail): Promise<SessionDetail> {
  const rows = await storedRows<{ id: string; role: 'user' | 'assistant'; parts: string; metadata: string; turn_id: string | null }>(
    stored,
    `SELECT id, role, parts, metadata, turn_id FROM messages WHERE session_id = '${detail.key}' ORDER BY position`,
  )
  const shown = new Set(detail.messages.map(({ id }) => id))
  const others = rows.filter(({ id }) => !shown.has(id))
  const messages = others.map(({ id, role, parts, metadata, turn_id: turnId }) => ({
    id,
    role,
    parts: JSON.parse(parts),
    metadata: { ...(turnId && { turnId }), ...JSON.parse(metadata) },
  }))
  return { ...detail, messages: [...detail.messages, ...messages] }
}

/** Acknowledged prompts are stored exactly once, unknown ones at most once, rejected ones never; one turn per key. */
function promptsBroken({ prompts, deleted, mayBeDeleted }: Player, details: SessionDetail[]): string[] {
  const lines = details.flatMap(spokenIn)
  return prompts.flatMap((prompt) => {
    const sessions = [...prompt.turns.values()]
    // A key is deleted with its session, so resending creates a new turn.
    const kept = sessions.filter((session) => !mayBeDeleted.has(session)).length
    const broken = kept > 1 ? [`"${prompt.text}" has the turns ${[...prompt.turns.keys()].join(', ')}`] : []
    const times = lines.filter((line) => line === `human: ${prompt.text}`).length
    const least = Math.min(kept, 1)
    const most = prompt.mayBeStored || sessions.some((session) => !deleted.has(session)) ? 1 : 0
    if (times < least || times > most) broken.push(`"${prompt.text}" is stored ${times} times, expected ${least} to ${most}`)
    return broken
  })
}

/** `end` is the turn's final status; null if its session was deleted. */
function turnBroken(player: Player, turn: KnownTurn, end: string | null, details: SessionDetail[]): string[] {
  const broken: string[] = []
  if (end === 'running') return [`turn ${turn.id} has no end`]
  if (end !== null) turn.ends.add(end)
  for (const reading of turn.readings) {
    if (reading.status) turn.ends.add(reading.status)
    for (const gap of reading.gaps) broken.push(`turn ${turn.id} has a gap in its events: ${gap} (shown "${reading.text}")`)
  }
  if (turn.ends.size > 1) broken.push(`turn ${turn.id} ended as ${[...turn.ends].join(' and as ')}`)
  if (turn.mayBeReplaced || player.mayBeDeleted.has(turn.session)) return broken
  const detail = details.find(({ key }) => key === turn.session)
  const answer = detail && answerOf(detail, turn.id)
  const shown = turn.readings.flatMap(({ text, replaced }) => [text, ...replaced]).filter((text) => text !== '')
  if (!answer && turn.mayBeGoneOnWith && shown.length === 0) return broken
  if (!answer) return [...broken, `turn ${turn.id} (${end}) has no answer: ${JSON.stringify(detail?.messages)}`]
  if (answer.status !== end) broken.push(`turn ${turn.id} ended as ${end}, its answer as ${answer.status}`)
  for (const text of shown) if (!answer.text.startsWith(text)) broken.push(`turn ${turn.id}: shown "${text}", stored "${answer.text}"`)
  return broken
}

/** The turn's final status; null if its session was deleted. */
async function endOf({ visitor, mayBeDeleted }: Player, turn: KnownTurn): Promise<string | null> {
  const giveUpAt = performance.now() + END_LIMIT_MS
  for (;;) {
    const outcome = await visitor.turn(turn.id)
    if ('kind' in outcome) {
      if (outcome.kind === 'rejected' && outcome.status === 404 && mayBeDeleted.has(turn.session)) return null
      if (performance.now() > giveUpAt) return JSON.stringify(outcome)
    } else if (outcome.status !== 'running' || performance.now() > giveUpAt) return outcome.status
    await pause(POLL_MS)
  }
}

/** Canaries of other visitors in a visitor's data. */
function canariesAmong(player: Player, players: Player[], details: SessionDetail[]): string[] {
  const shown = [JSON.stringify(details), ...[...player.turns.values()].flatMap((turn) => turn.readings.map(({ text }) => text))].join('\n')
  return players
    .filter((other) => other !== player && shown.includes(other.canary))
    .map((other) => `${player.canary} was given what is of ${other.canary}`)
}

async function openToOthers(players: Player[]): Promise<string[]> {
  const broken: string[] = []
  for (const [index, owner] of players.entries()) {
    const turn = owner.lastTurn
    if (!turn) continue
    const { visitor } = players[(index + 1) % players.length] as Player
    for (const outcome of [await visitor.session(turn.session), await visitor.turn(turn.id), await visitor.stop(turn.id)]) {
      if (!('kind' in outcome) || (outcome.kind === 'rejected' && outcome.status !== 404)) {
        broken.push(`another visitor asked for ${turn.id} and got ${JSON.stringify(outcome)}`)
      }
    }
  }
  return broken
}

/**
 * Sessions with a turn that doesn't end within the limit. Visitors do not wait for a turn that they don't know of, because the database was
 * down when they asked to follow it: it may still run when all that they know has ended.
 */
async function neverEnding(place: HistoryStage): Promise<{ session_id: string }[]> {
  const giveUpAt = performance.now() + END_LIMIT_MS
  for (;;) {
    const busy = await busySessions(place)
    if (busy.length === 0 || performance.now() > giveUpAt) return busy
    await pause(POLL_MS)
  }
}

function busySessions({ stored }: HistoryStage): Promise<{ session_id: string }[]> {
  return storedRows(stored, "SELECT session_id FROM turns WHERE status = 'running'")
}

/** Accounts over their cap, or with reservations though no turn is running. */
function wrongAccounts({ stored }: HistoryStage): Promise<{ account: string; spent: number; reserved: number }[]> {
  const wrong = `reserved <> 0 OR (account LIKE 'tokens:%' AND spent > ${TOKENS_A_DAY})`
  return storedRows(stored, `SELECT account, spent, reserved FROM budgets WHERE ${wrong}`)
}
