import type { SessionSummary } from '../../../contract/chat/sessions.ts'
import { followSessions } from '../../api/calls.ts'
import { pauseAfter, whenShown } from '../../api/connection.ts'
import type { EventSourceMessage } from 'eventsource-parser'
import { isFinal } from '../../api/failure.ts'
import { type StreamEnd, readStream } from '../../api/subscribe.ts'
import { limitedForS } from '../../api/request.ts'
import { streams } from '../../api/stream-health.ts'
import { changes } from '../../state/application-store.ts'
import { loadSessions, useListFailure } from './load-sessions.ts'

/** Backoff level of 7.5 to 15 s, the polling interval where streams don't work. */
const ASKING = 4

/**
 * Syncs the list of sessions with other tabs and devices: by server-sent events or, where streams are cut off, by polling. Closes the
 * connection while the page is hidden. Ends when `signal` aborts or the server knows no visitor.
 */
export async function followList(signal: AbortSignal): Promise<void> {
  const feed = new Feed()
  for (let failures = 0; ; failures++) {
    await whenShown(signal)
    if (signal.aborted) return
    if (streams.isBlocked || feed.isMissing) {
      await loadSessions()
      if (useListFailure.getState().code) changes.connectionLost('list')
      else changes.connectionRestored('list')
      await pauseAfter(ASKING, signal)
      continue
    }
    const heard = await feed.hear(signal)
    if (feed.isOver || heard.kind === 'left') return
    if (feed.takeMoved() || heard.kind === 'hidden') failures = 0
    if (heard.kind === 'hidden') continue
    // The first interruption usually ends at once and is not shown.
    const limited = heard.kind === 'rejected' ? limitedForS(heard) : undefined
    if (failures > 0 || limited) changes.connectionLost('list', limited)
    await pauseAfter(failures, signal, limited)
  }
}

/** State of the list's event stream across connections. */
class Feed {
  /** The server is older than this page and lacks the endpoint. */
  isMissing = false
  /** The server knows no visitor. */
  isOver = false
  #moved = false

  takeMoved(): boolean {
    const moved = this.#moved
    this.#moved = false
    return moved
  }

  async hear(signal: AbortSignal): Promise<StreamEnd> {
    const heard = await readStream({ connect: (until) => this.#connect(until), onEvent: (event) => this.#hear(event) }, signal)
    if (heard.kind === 'rejected') {
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

  /** Handles an event. Ignores unknown types. */
  #hear({ event: type, data }: EventSourceMessage): boolean {
    if (!this.#moved) changes.connectionRestored('list')
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
