import { createParser } from 'eventsource-parser'
import type { StoredMessage, StoredSession } from '../../src/contract/chat/chat.ts'
import type { ChatChunk } from '../../src/contract/chat/message.ts'

export interface StreamEvent {
  id: number | null
  chunk: ChatChunk
}

// The connection of a response that is garbage-collected unread is aborted, which to the server is a visitor who left.
const responses: Response[] = []

/** A client of the two original calls, without cookies or browser headers. Its connections stay open until the server ends them. */
export async function sendPrompt(
  url: string,
  id: string,
  prompt: string,
  options: { session?: string; headers?: Record<string, string>; body?: object; signal?: AbortSignal } = {},
) {
  const query = options.session === undefined ? '' : `?session_id=${options.session}`
  const response = await fetch(`${url}/api/v1/agent/chat/${encodeURIComponent(id)}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify({ prompt, ...options.body }),
    ...(options.signal && { signal: options.signal }),
  })
  responses.push(response)
  return response
}

export function streamPrompt(url: string, id: string, prompt: string, options: Parameters<typeof sendPrompt>[3] = {}) {
  return sendPrompt(url, id, prompt, { ...options, headers: { accept: 'text/event-stream', ...options.headers } })
}

export async function listSessions(url: string, id: string, headers: Record<string, string> = {}): Promise<StoredSession[]> {
  const response = await fetch(`${url}/api/v1/agent/chat/${encodeURIComponent(id)}`, { headers })
  if (response.status !== 200) throw new Error(`Listing answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as StoredSession[]
}

/** Type and content of each message of a session. */
export function spoken(session: StoredSession | undefined): [StoredMessage['type'], string][] {
  return (session?.messages ?? []).map((message) => {
    const { type, data } = JSON.parse(message) as StoredMessage
    return [type, data.content]
  })
}

/** The visitor key that a reply sets, as a `Cookie` header. */
export function cookieOf(response: Response): string {
  const cookie = response.headers.getSetCookie().find((value) => /^(__Host-)?visitor=[^;]/.test(value))
  if (!cookie) throw new Error('The reply sets no visitor cookie')
  return cookie.split(';', 1)[0] as string
}

/** Yields the events of a turn's stream. Ends at `[DONE]` or with the connection. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  if (response.status !== 200 || !response.body) throw new Error(`Expected a stream, got ${response.status}: ${await response.text()}`)
  const arrived: StreamEvent[] = []
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (data !== '[DONE]') arrived.push({ id: id === undefined ? null : Number(id), chunk: JSON.parse(data) as ChatChunk })
    },
  })
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    parser.feed(text)
    yield* arrived.splice(0)
  }
}

export async function allEvents(response: Response): Promise<StreamEvent[]> {
  return Array.fromAsync(readEvents(response))
}

export function textOfEvents(events: StreamEvent[]): string {
  return events.map(({ chunk }) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')
}

/** The sentences in `details` of the readiness check. */
export async function readinessDetails({ url }: { url: string }, token: string): Promise<string[]> {
  const reply = await fetch(`${url}/readyz`, { headers: { authorization: `Bearer ${token}` } })
  return ((await reply.json()) as { details: string[] }).details
}
