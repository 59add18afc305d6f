import type { SessionSummary } from '../../../contract/sessions.ts'
import { followSessions } from '../../api/calls.ts'
import { pauseAfter, whenShown } from '../../api/connection.ts'
import type { StreamEvent } from '../../api/event-stream.ts'
import { isFinal } from '../../api/failure.ts'
import { type Heard, listen } from '../../api/subscribe.ts'
import { limitedForS } from '../../api/request.ts'
import { streams } from '../../api/stream-health.ts'
import { changes } from '../../state/application-store.ts'
import { loadSessions, useListFailure } from './load-sessions.ts'

/** Failures that make a pause of 7.5 s to 15 s: how often the list is asked for where it can't be followed. */
const ASKING = 4

/**
 * Keeps the list of sessions up to date, in whichever tab or device it changes: by the server's events, or, where streams are
 * cut off, by asking. Holds no connection while the page is hidden. Ends when `signal` aborts, or when the server knows no visitor.
 */
export async function followList(signal: AbortSignal): Promise<void> {
  const feed = new Feed()
  for (let failures = 0; ; failures++) {
    await whenShown(signal)
    if (signal.aborted) return
    if (streams.areCut || feed.isMissing) {
      await loadSessions()
      if (useListFailure.getState().code) changes.connectionLost()
      else changes.connectionRestored()
      await pauseAfter(ASKING, signal)
      continue
    }
    const heard = await feed.hear(signal)
    if (feed.isOver || heard.kind === 'left') return
    if (feed.takeMoved() || heard.kind === 'hidden') failures = 0
    if (heard.kind === 'hidden') continue
    // The first break is mended in a moment, and not worth a word.
    const limited = heard.kind === 'refused' ? limitedForS(heard) : undefined
    if (failures > 0 || limited) changes.connectionLost(limited)
    await pauseAfter(failures, signal, limited)
  }
}

/** What has been heard of the list, over all connections. */
class Feed {
  /** The server is older than this page, and has no such stream. */
  isMissing = false
  /** There is nobody whose list it could be. */
  isOver = false
  #moved = false

  takeMoved(): boolean {
    const moved = this.#moved
    this.#moved = false
    return moved
  }

  async hear(signal: AbortSignal): Promise<Heard> {
    const heard = await listen({ connect: (until) => this.#connect(until), hear: (event) => this.#hear(event) }, signal)
    if (heard.kind === 'refused') {
      this.isOver ||= heard.code === 'unauthorized'
      this.isMissing ||= isFinal(heard.code) || heard.code === 'method_not_allowed'
    }
    return heard
  }

  async #connect(signal: AbortSignal) {
    const outcome = await followSessions(signal)
    if (!outcome.ok || outcome.value.status !== 204) return outcome
    this.isOver = true
    return { ok: false as const, code: 'unauthorized' as const }
  }

  /** Takes an event; one of a type that this page does not know is left out. */
  #hear({ type, data }: StreamEvent): boolean {
    if (!this.#moved) changes.connectionRestored()
    this.#moved = true
    try {
      if (type === 'resync') loadSessions().catch(console.error)
      if (type === 'session') changes.sessionChanged(JSON.parse(data) as SessionSummary)
      if (type === 'session-deleted') changes.sessionDeleted((JSON.parse(data) as { key: string }).key)
    } catch (error) {
      console.error(error)
    }
    return false
  }
}
