import type { EventSourceMessage } from 'eventsource-parser'
import { readEvents } from './event-stream.ts'
import type { FailureCode } from './failure.ts'
import { type Outcome, useIsReached } from './request.ts'
import { streams } from './stream-health.ts'

/** A stream that ends earlier than this was cut by a proxy; later, its connection broke. */
const EARLY_MS = 10_000

/** How one connection to a stream ended. `hidden`: closed because the page was hidden. `left`: its signal aborted. */
export type StreamEnd =
  | { kind: 'ended' | 'hidden' | 'left' | 'broken' }
  | { kind: 'rejected'; code: FailureCode; retryAfterS?: number | undefined }

export interface StreamReader {
  connect(signal: AbortSignal): Promise<Outcome<Response>>
  /** Handles an event; returns whether it was the last one. */
  onEvent(event: EventSourceMessage): boolean
  /** Whether the stream can be closed and resumed later. */
  canLeave?(): boolean
}

/** Reads one connection of a stream to its end. Closes it when the page is hidden. */
export async function readStream({ connect, onEvent, canLeave = () => true }: StreamReader, signal: AbortSignal): Promise<StreamEnd> {
  const hidden = new AbortController()
  const until = AbortSignal.any([signal, hidden.signal])
  const leaveIfHidden = () => {
    if (document.hidden && canLeave()) hidden.abort()
  }
  document.addEventListener('visibilitychange', leaveIfHidden)
  try {
    const outcome = await connect(until)
    // A proxy that buffers whole streams sends no reply in time.
    if (!outcome.ok && outcome.code === 'no_reply') streams.reportCut()
    if (!outcome.ok) return { kind: 'rejected', code: outcome.code, retryAfterS: outcome.retryAfterS }
    if (await readToEnd(outcome.value, onEvent, leaveIfHidden, until)) return { kind: 'ended' }
  } catch (error) {
    if (!until.aborted) throw error
  } finally {
    document.removeEventListener('visibilitychange', leaveIfHidden)
  }
  return { kind: signal.aborted ? 'left' : until.aborted ? 'hidden' : 'broken' }
}

async function readToEnd(response: Response, hear: StreamReader['onEvent'], heard: () => void, until: AbortSignal): Promise<boolean> {
  const startedAtMs = performance.now()
  let moved = false
  for await (const event of readEvents(response, until)) {
    moved = true
    useIsReached.setState(true)
    const isLast = hear(event)
    if (isLast) streams.reportComplete()
    if (isLast) return true
    heard()
  }
  if (until.aborted) return false
  if (moved && performance.now() - startedAtMs > EARLY_MS) streams.reportComplete()
  else streams.reportCut()
  return false
}
