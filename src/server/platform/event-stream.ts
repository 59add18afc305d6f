import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Whether the headers of a stream are sent. Missing on replies to malformed targets. */
    isStream?: boolean
  }
}

/** Interval of comments, so that proxies do not close an idle stream. */
const HEARTBEAT_INTERVAL_MS = 15_000
/** A reader that does not read one batch in this time is disconnected; it can resume after its last event. */
const MAX_UNREAD_MS = 120_000

const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store',
  // Turns off buffering in nginx.
  'x-accel-buffering': 'no',
}

const MESSAGE_STREAM_HEADERS = { ...EVENT_STREAM_HEADERS, 'x-vercel-ai-ui-message-stream': 'v1' }

/** Whether `Accept` names the event stream; all other values get JSON. */
export function wantsStream(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').toLowerCase().includes('text/event-stream')
}

/** Writes an AI SDK UI message stream. Waits up to two minutes for a reader that does not read, and buffers one batch for it. */
export function sendMessageStream(reply: FastifyReply, frames: (signal: AbortSignal) => AsyncIterable<string>): Promise<void> {
  return sendFrames(reply, MESSAGE_STREAM_HEADERS, frames, 'data: [DONE]\n\n')
}

/** Writes server-sent events with the same limits as `sendMessageStream`. `frames` yields batches of whole events. */
export function sendEvents(reply: FastifyReply, frames: (signal: AbortSignal) => AsyncIterable<string>): Promise<void> {
  return sendFrames(reply, EVENT_STREAM_HEADERS, frames, '')
}

async function sendFrames(
  reply: FastifyReply,
  headers: OutgoingHttpHeaders,
  batches: (signal: AbortSignal) => AsyncIterable<string>,
  last: string,
): Promise<void> {
  const { gone, heartbeat } = open(reply, headers)
  const response = reply.raw
  reply.hijack()
  try {
    for await (const frames of batches(gone.signal)) await write(response, frames, gone)
    if (!gone.signal.aborted) response.end(last)
  } finally {
    clearInterval(heartbeat)
    if (!response.writableEnded) response.destroy()
  }
}

/** Abort reason of a disconnected stream; shared, because creating an error with a stack is expensive. */
const GONE = new DOMException('The reader has disconnected.', 'AbortError')

function open(reply: FastifyReply, headers: OutgoingHttpHeaders) {
  const response = reply.raw
  const gone = new AbortController()
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n')
  }, HEARTBEAT_INTERVAL_MS)
  response.once('close', () => {
    clearInterval(heartbeat)
    gone.abort(GONE)
  })
  response.on('error', () => gone.abort(GONE))
  // Headers set so far: those of every reply, and cookies.
  response.writeHead(200, { ...reply.getHeaders(), ...headers } as OutgoingHttpHeaders)
  // Before the model's first word, for proxies and pages that wait for a reply.
  response.flushHeaders()
  reply.isStream = true
  return { gone, heartbeat }
}

async function write(response: ServerResponse, frames: string, gone: AbortController): Promise<void> {
  if (gone.signal.aborted) return
  const hasRoom = response.write(frames)
  // Otherwise Node buffers until the current task ends, which for a fast model is the end of the answer.
  response.socket?.uncork()
  if (hasRoom) return
  // `false` means that the socket's buffer is full, not that the reader has disconnected.
  const unread = setTimeout(() => response.destroy(), MAX_UNREAD_MS)
  await once(response, 'drain', { signal: gone.signal }).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error
  })
  clearTimeout(unread)
}
