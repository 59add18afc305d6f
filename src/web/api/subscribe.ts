import type { EventSourceMessage } from 'eventsource-parser'
import { readEvents } from './event-stream.ts'
import type { FailureCode } from './failure.ts'
import type { Outcome } from './request.ts'
import { streams } from './stream-health.ts'

/** A stream that breaks sooner than this was cut off; later, a connection just broke. */
const EARLY_MS = 10_000

/** How one connection to a stream came out. `hidden`: the page was hidden and let it go. */
export type Heard =
  | { kind: 'ended' | 'hidden' | 'left' | 'broken' }
  | { kind: 'refused'; code: FailureCode; retryAfterS?: number | undefined }

export interface Listening {
  /** Called with the signal that the connection is to be made with. */
  connect(signal: AbortSignal): Promise<Outcome<Response>>
  /** Takes an event; true when it is the stream's last. */
  hear(event: EventSourceMessage): boolean
  /** Whether the stream can be let go and taken up again later. */
  canLeave?(): boolean
}

/** Reads one stream to its end, however that comes; lets go of it while the page is hidden. */
export async function listen({ connect, hear, canLeave = () => true }: Listening, signal: AbortSignal): Promise<Heard> {
  const hidden = new AbortController()
  const until = AbortSignal.any([signal, hidden.signal])
  const leaveIfHidden = () => {
    if (document.hidden && canLeave()) hidden.abort()
  }
  document.addEventListener('visibilitychange', leaveIfHidden)
  try {
    const outcome = await connect(until)
    // A proxy that gathers a whole stream before it passes any of it on gives no reply in time.
    if (!outcome.ok && outcome.code === 'no_reply') streams.wasCut()
    if (!outcome.ok) return { kind: 'refused', code: outcome.code, retryAfterS: outcome.retryAfterS }
    if (await readToEnd(outcome.value, hear, leaveIfHidden, until)) return { kind: 'ended' }
  } catch (error) {
    if (!until.aborted) throw error
  } finally {
    document.removeEventListener('visibilitychange', leaveIfHidden)
  }
  return { kind: signal.aborted ? 'left' : until.aborted ? 'hidden' : 'broken' }
}

async function readToEnd(response: Response, hear: Listening['hear'], heard: () => void, until: AbortSignal): Promise<boolean> {
  const startedAtMs = performance.now()
  let moved = false
  for await (const event of readEvents(response, until)) {
    moved = true
    const isLast = hear(event)
    if (isLast) streams.wasWhole()
    if (isLast) return true
    heard()
  }
  if (until.aborted) return false
  if (moved && performance.now() - startedAtMs > EARLY_MS) streams.wasWhole()
  else streams.wasCut()
  return false
}
