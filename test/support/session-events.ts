import { createParser } from 'eventsource-parser'
import type { SessionSummary } from '../../src/contract/chat/sessions.ts'

export type ReadSessionEvent =
  | { type: 'resync'; data: Record<string, never> }
  | { type: 'session'; data: SessionSummary }
  | { type: 'session-deleted'; data: { key: string } }

/** Follows a visitor's list of sessions, and reads without delay. */
export interface FollowedSessions {
  status: number
  /** All events so far, oldest first. */
  events: ReadSessionEvent[]
  /** The newest event of each session. */
  newest(key: string): ReadSessionEvent | undefined
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  leave(): void
}

export async function followSessions(url: string, headers: Record<string, string>): Promise<FollowedSessions> {
  const leaving = new AbortController()
  const response = await fetch(`${url}/api/v1/me/events`, { headers, signal: leaving.signal })
  const events: ReadSessionEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ type: event, data: JSON.parse(data) } as ReadSessionEvent),
  })
  return {
    status: response.status,
    events,
    newest: (key) => events.findLast(({ data }) => 'key' in data && data.key === key),
    ended: readAll(response, (text) => parser.feed(text)),
    leave: () => leaving.abort(),
  }
}

async function readAll(response: Response, read: (text: string) => void): Promise<void> {
  try {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) read(text)
  } catch {
    // Aborted or cut off; the events so far stay.
  }
}
