import type { ChatMessage } from '../../contract/message.ts'
import type { TurnEvent } from '../store/turn-events.ts'
import { chunksOfAnswer } from './replay.ts'
import { firstOf, MAX_BATCH_CHARACTERS, piecesOf, type TurnLog } from './turn-log.ts'

/**
 * A turn to follow: batches of events after `after`, about 16 K characters at most, ending with the turn.
 * When `signal` aborts it ends instead of waiting for more, and after the batch that it gives.
 * Between two batches nothing is held for the follower but its position.
 */
export type Following = (after: number, signal: AbortSignal) => AsyncGenerator<TurnEvent[], void>

/**
 * When a turn has ended, its events are no more and its stored answer is read as a stream. Those events are numbered from here,
 * so that a number tells what it is a position in.
 */
export const FIRST_REPLAYED_SEQ = 1_000_000_000

/** What is read of a turn when the memory of its log does not have it. */
export interface StoredTurnReader {
  events(after: number, maxCharacters: number): Promise<TurnEvent[]>
  answer(): Promise<ChatMessage | undefined>
}

/** Follows a turn that runs here: from the memory of its log while the reader keeps up, from the database when it does not. */
export async function* followLog(
  log: TurnLog,
  stored: StoredTurnReader,
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
      // What has come in the same moment is for whoever reads next.
      if (signal.aborted) return
      continue
    }
    const events = reading.kind === 'events' ? reading.events : await storedEvents(stored, position)
    if (events.length > 0) {
      yield events
      if (signal.aborted) return
      position = events.at(-1)?.seq ?? position
    }
    // The turn ended while its events were looked for; the log is about to say so.
    else if (log.read(position).kind === 'stored-events') {
      if (signal.aborted) return
      await log.changed(signal)
    }
  }
}

/** Follows a turn that has ended: the stored answer as a stream that begins anew, or after an event of an earlier replay. */
export async function* replayAnswer(
  stored: Pick<StoredTurnReader, 'answer'>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent[], void> {
  let position = Math.max(0, after - FIRST_REPLAYED_SEQ + 1)
  for (;;) {
    // Read again for each batch, rather than held for a reader who may be slow.
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
