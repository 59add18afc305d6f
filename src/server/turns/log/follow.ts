import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { TurnEvent } from '../../store/turns/turn-events.ts'
import { chunksOfAnswer } from './replay.ts'
import { firstOf, MAX_BATCH_CHARACTERS, piecesOf, type TurnLog } from './turn-log.ts'

/** Yields batches of events after `after`, of about 16 K characters, until the turn ends, or `signal` aborts and the batch is over. */
export type Following = (after: number, signal: AbortSignal) => AsyncGenerator<TurnEvent[], void>

/** Replayed events of ended turns are numbered from here, which tells their positions from those in live events. */
export const FIRST_REPLAYED_SEQ = 1_000_000_000

/** Reads a turn's events and answer from the database, for positions that the log no longer caches. */
export interface StoredTurnReader {
  events(after: number, maxCharacters: number): Promise<TurnEvent[]>
  answer(): Promise<ChatMessage | undefined>
}

/** Follows a turn of this process: from its log's memory while the reader keeps up, otherwise from the database. */
export async function* followLog(
  { log, stored }: { log: TurnLog; stored: StoredTurnReader },
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent[], void> {
  let position = after
  for (;;) {
    const reading = log.read(position)
    if (reading.kind === 'ended') return
    if (reading.kind === 'stored-answer') return yield* replayAnswer(stored, position, signal)
    if (reading.kind === 'nothing-yet') {
      if (signal.aborted) return
      await log.changed(signal)
      // Later events are left to the next read.
      if (signal.aborted) return
      continue
    }
    const events = reading.kind === 'events' ? reading.events : await storedEvents(stored, position)
    if (events.length > 0) {
      yield events
      if (signal.aborted) return
      position = events.at(-1)?.seq ?? position
    }
    // The turn ended meanwhile; the log will report it.
    else if (log.read(position).kind === 'stored-events') {
      if (signal.aborted) return
      await log.changed(signal)
    }
  }
}

/** Replays the stored answer of an ended turn, from the start or after an event of an earlier replay. */
export async function* replayAnswer(
  stored: Pick<StoredTurnReader, 'answer'>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent[], void> {
  let position = Math.max(0, after - FIRST_REPLAYED_SEQ + 1)
  for (;;) {
    // Read for each batch, so a slow reader holds no memory.
    const answer = await stored.answer()
    if (!answer) throw new Error('The answer was removed while it was read')
    const events = eventsOf(answer)
    const batch = firstOf(events, position, MAX_BATCH_CHARACTERS)
    position += batch.length
    if (batch.length > 0) yield batch
    if (position >= events.length || signal.aborted) return
  }
}

async function storedEvents(stored: StoredTurnReader, position: number): Promise<TurnEvent[]> {
  const events = await stored.events(position, MAX_BATCH_CHARACTERS)
  return events[0]?.seq === position + 1 ? firstOf(events, 0, MAX_BATCH_CHARACTERS) : []
}

function eventsOf(answer: ChatMessage): TurnEvent[] {
  return chunksOfAnswer(answer)
    .flatMap(piecesOf)
    .map((chunk, index) => ({ seq: FIRST_REPLAYED_SEQ + index, json: JSON.stringify(chunk) }))
}
