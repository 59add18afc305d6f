import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatChunk } from '../../../src/contract/chat/message.ts'
import { textOf } from '../../../src/contract/chat/message-text.ts'
import type { ErrorCode } from '../../../src/contract/errors.ts'
import type { SessionDetail, SessionList, Turn } from '../../../src/contract/chat/sessions.ts'
import type { TurnStatus } from '../../../src/contract/chat/turn-status.ts'
import { cookieOf, readEvents } from '../../support/api.ts'

/** A rejection by the server. */
export interface Rejection {
  kind: 'rejected'
  status: number
  code: ErrorCode
  /** The running turn of a busy session. */
  turn: string | undefined
  retryAfter: string | null
}

/** No reply: the connection broke or timed out, so the outcome is unknown. */
export interface Unknown {
  kind: 'unknown'
}

/** A turn as a visitor sees it on one connection. */
export interface Reading {
  kind: 'reading'
  /** Session key; empty until `begun`. */
  session: string
  turn: string
  /** The text shown now. */
  text: string
  /** Shown texts that were replaced by a restarted message. */
  replaced: string[]
  lastEventId: number
  /** Gaps in event numbers, as `3 → 5 text-delta`. */
  gaps: string[]
  /** The final status, once reported. */
  status: Exclude<TurnStatus, 'running'> | null
  code: ErrorCode | null
  chunks: ChatChunk['type'][]
  /** Resolves when session and turn are known, or the connection broke before. */
  begun: Promise<void>
  /** Resolves when the first text is shown, or the connection has ended without one. */
  firstText: Promise<void>
  /** Resolves when the connection has ended: whether the server ended it in good order. */
  ended: Promise<boolean>
  /** Cuts the connection. */
  leave(): void
}

export interface SendOptions {
  session?: string | undefined
  /** Idempotency key. */
  key?: string
  /** The prompt that this is another version of. */
  edits?: string | undefined
}

/** How long a visitor waits for the beginning of an answer. */
const ANSWER_LIMIT_MS = 60_000

/** How long, and how often, a patient visitor retries. */
const PATIENCE_MS = 120_000
const PATIENCE_PAUSE_MS = 250

/** A visitor like a browser: stores the cookie, reads streams, records what was shown. */
export class Visitor {
  /** Address of the server or a proxy. */
  url: string
  cookie = ''
  /** Whether to retry while the database is briefly unavailable, as on a busy machine. */
  isPatient = false

  constructor(url: string) {
    this.url = url
  }

  async send(prompt: string, { session, key, edits }: SendOptions = {}): Promise<Reading | Rejection | Unknown> {
    const query = session ? `?session_id=${session}` : ''
    // What is sent again is one prompt.
    const sentKey = key ?? (this.isPatient ? randomUUID() : undefined)
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...(sentKey && { 'idempotency-key': sentKey }) },
      body: JSON.stringify({ prompt, edits }),
    }
    return this.#patiently(() => this.#read(`/api/v1/agent/chat/me${query}`, init))
  }

  /** Follows a turn after the last event of `after`, or from the start. */
  follow(turn: string, after?: Reading): Promise<Reading | Rejection | Unknown> {
    const headers = after ? { 'last-event-id': String(after.lastEventId) } : {}
    // A snapshot, because the earlier connection may still deliver events.
    const shown = after && { ...after }
    return this.#patiently(() => this.#read(`/api/v1/turns/${turn}/stream`, { headers }, shown))
  }

  stop(turn: string): Promise<Turn | Rejection | Unknown> {
    return this.#json(`/api/v1/turns/${turn}/stop`, { method: 'POST', body: '{}' })
  }

  retry(turn: string): Promise<Turn | Rejection | Unknown> {
    return this.#json(`/api/v1/turns/${turn}/retry`, { method: 'POST', body: '{}' })
  }

  /** Continues an interrupted answer. */
  continueTurn(turn: string): Promise<Turn | Rejection | Unknown> {
    return this.#json(`/api/v1/turns/${turn}/continue`, { method: 'POST', body: '{}' })
  }

  /** Regenerates an answer. */
  regenerate(session: string, message: string): Promise<Turn | Rejection | Unknown> {
    return this.#json(`/api/v1/sessions/${session}/regenerate`, { method: 'POST', body: JSON.stringify({ message }) })
  }

  /** Switches to another version of a message. */
  showVersion(session: string, message: string): Promise<object | Rejection | Unknown> {
    return this.#json(`/api/v1/sessions/${session}/branch`, { method: 'POST', body: JSON.stringify({ message }) })
  }

  turn(turn: string): Promise<Turn | Rejection | Unknown> {
    return this.#json(`/api/v1/turns/${turn}`)
  }

  session(session: string): Promise<SessionDetail | Rejection | Unknown> {
    return this.#json(`/api/v1/sessions/${session}`)
  }

  async sessions(): Promise<SessionList['sessions'] | Rejection | Unknown> {
    const list = await this.#json<SessionList>('/api/v1/sessions')
    return 'sessions' in list ? list.sessions : list
  }

  delete(session: string): Promise<object | Rejection | Unknown> {
    return this.#json(`/api/v1/sessions/${session}`, { method: 'DELETE' })
  }

  async #patiently<Outcome extends object>(ask: () => Promise<Outcome | Rejection>): Promise<Outcome | Rejection> {
    const giveUpAt = performance.now() + (this.isPatient ? PATIENCE_MS : 0)
    for (;;) {
      const outcome = await ask()
      // A turn may have failed with the same code.
      if (!('kind' in outcome && outcome.kind === 'rejected' && outcome.code === 'storage_unavailable') || performance.now() > giveUpAt)
        return outcome
      await pause(PATIENCE_PAUSE_MS)
    }
  }

  #json<Body extends object>(path: string, init: RequestInit = {}): Promise<Body | Rejection | Unknown> {
    return this.#patiently(() => this.#jsonOnce<Body>(path, init))
  }

  async #jsonOnce<Body extends object>(path: string, init: RequestInit): Promise<Body | Rejection | Unknown> {
    try {
      const response = await this.#fetch(path, { ...init, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
      if (!response.ok) return await rejectionOf(response)
      return (response.status === 204 ? {} : await response.json()) as Body
    } catch {
      return { kind: 'unknown' }
    }
  }

  async #read(path: string, init: RequestInit, after?: Reading): Promise<Reading | Rejection | Unknown> {
    const leaving = new AbortController()
    const limit = setTimeout(() => leaving.abort(), ANSWER_LIMIT_MS)
    try {
      const response = await this.#fetch(path, { ...init, signal: leaving.signal })
      if (response.status !== 200) return await rejectionOf(response)
      if (response.headers.getSetCookie().some((cookie) => cookie.startsWith('visitor='))) this.cookie = cookieOf(response)
      return readingOf(response, () => leaving.abort(), after)
    } catch {
      return { kind: 'unknown' }
    } finally {
      clearTimeout(limit)
    }
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = {
      ...(this.cookie && { cookie: this.cookie }),
      ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
      ...init.headers,
    }
    return fetch(this.url + path, { ...init, headers })
  }
}

export function isReading(outcome: Reading | Rejection | Unknown): outcome is Reading {
  return outcome.kind === 'reading'
}

/** Returns the reading or throws with the actual outcome. */
export function expectReading(outcome: Reading | Rejection | Unknown): Reading {
  if (outcome.kind !== 'reading') throw new Error(`Expected a stream, got ${JSON.stringify(outcome)}`)
  return outcome
}

/** Returns the body or throws with the actual outcome. */
export function expectBody<Body extends object>(outcome: Body | Rejection | Unknown): Body {
  if ('kind' in outcome) throw new Error(`Expected an answer, got ${JSON.stringify(outcome)}`)
  return outcome
}

const TRIES = 5

/** Like `expectBody`, with retries on broken connections, since kept-alive ones may lead to a dead process. */
export async function surely<Body extends object>(ask: () => Promise<Body | Rejection | Unknown>): Promise<Body> {
  for (let tries = 1; tries < TRIES; tries += 1) {
    const outcome = await ask()
    if (!('kind' in outcome && outcome.kind === 'unknown')) return expectBody(outcome as Body | Rejection)
  }
  return expectBody(await ask())
}

/** The stored answer of a turn; undefined if none. */
export function answerOf(detail: SessionDetail, turn: string): { text: string; status: TurnStatus | undefined } | undefined {
  const message = detail.messages.find(({ role, metadata }) => role === 'assistant' && metadata?.turnId === turn)
  return message && { text: textOf(message), status: message.metadata?.status }
}

/** Prompts and answers of a session, as `human: …` and `agent: …`. */
export function spokenIn(detail: SessionDetail): string[] {
  return detail.messages.map((message) => `${message.role === 'user' ? 'human' : 'agent'}: ${textOf(message)}`)
}

async function rejectionOf(response: Response): Promise<Rejection> {
  const { code, turn } = (await response.json()) as { code: ErrorCode; turn?: string }
  return { kind: 'rejected', status: response.status, code, turn, retryAfter: response.headers.get('retry-after') }
}

function readingOf(response: Response, leave: () => void, after?: Reading): Reading {
  const begun = Promise.withResolvers<void>()
  const firstText = Promise.withResolvers<void>()
  const { session = '', turn = '', text = '', lastEventId = 0 } = after ?? {}
  const reading: Reading = {
    kind: 'reading',
    session,
    turn,
    text,
    lastEventId,
    gaps: [],
    replaced: [],
    status: null,
    code: null,
    chunks: [],
    begun: begun.promise,
    firstText: firstText.promise,
    ended: Promise.resolve(false),
    leave,
  }
  if (after) begun.resolve()
  const read = async () => {
    for await (const { id, chunk } of readEvents(response)) {
      // A restarted message restarts the numbers.
      if (id !== null && chunk.type !== 'start' && id !== reading.lastEventId + 1)
        reading.gaps.push(`${reading.lastEventId} → ${id} ${chunk.type}`)
      reading.lastEventId = id ?? reading.lastEventId
      show(reading, chunk)
      if (reading.turn) begun.resolve()
      if (chunk.type === 'text-delta') firstText.resolve()
    }
  }
  const endedInOrder = async () => {
    try {
      await read()
      return reading.status !== null
    } catch {
      return false
    } finally {
      begun.resolve()
      firstText.resolve()
    }
  }
  reading.ended = endedInOrder()
  return reading
}

function show(reading: Reading, chunk: ChatChunk): void {
  reading.chunks.push(chunk.type)
  if (chunk.type === 'start') {
    if (reading.text) reading.replaced.push(reading.text)
    reading.text = ''
    reading.session = chunk.messageMetadata?.sessionId ?? reading.session
    reading.turn = chunk.messageMetadata?.turnId ?? reading.turn
  }
  if (chunk.type === 'text-delta') reading.text += chunk.delta
  if (chunk.type === 'message-metadata' || chunk.type === 'finish') {
    const { status, code } = chunk.messageMetadata ?? {}
    if (status && status !== 'running') reading.status = status
    reading.code = code ?? reading.code
  }
}
