import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'
import type { Challenge } from '../../contract/proof-of-work.ts'
import { solveWork } from './solve-work.ts'

/** Parley's address where this file was loaded from it; `undefined` in a bundle. */
const OWN_ADDRESS = /^(https?:.*\/)client\.js(?:[?#]|$)/.exec(import.meta.url)?.[1]
const STORAGE_PREFIX = 'parley-chat:'
const FILES = 'api/v1/files/'
/** Maximum characters of an event; the longest event of an answer stays well below. */
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024

export interface ParleyTransportOptions {
  /** Parley's address, such as `https://chat.example.org`; by default that of the server which this file was loaded from. */
  url?: string
  /** The id of an agent; by default the first one. */
  agent?: string
  /**
   * An id of your own that owns the chats, where no cookie can: in Node, and in pages of another site. Hard to guess, such as a UUID, and as
   * secret as a password.
   */
  id?: string | (() => string)
  /** Whether the visitor has accepted the privacy notice. Nothing is sent before. */
  consent: () => boolean | Promise<boolean>
  /** Remembers which chat belongs to which `id` of `useChat`, for a reload; by default the tab's session storage, `null` for none. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
}

/** A part of a message, as far as this module reads it. */
interface Part {
  type: string
  text?: string
  url?: string
  filename?: string
  /** State of a tool call: `approval-responded` once the visitor has decided. */
  state?: string
  approval?: { id: string; approved?: boolean; signature?: string }
}

/** A message of the AI SDK 5, 6 or 7, as far as this module reads it. */
interface Message {
  id: string
  role: string
  parts: readonly object[]
  metadata?: unknown
}

/** Options that `useChat` passes to send a prompt or to ask for another answer. */
export interface SendOptions {
  trigger: 'submit-message' | 'regenerate-message'
  chatId: string
  /** The prompt that is replaced, the answer that is asked for again, or the one with decisions about tool calls. */
  messageId: string | undefined
  messages: readonly Message[]
  abortSignal: AbortSignal | undefined
}

interface ErrorDetails {
  code: string
  status?: number | undefined
  retryAfterS?: number | undefined
  challenge?: object | undefined
  personalData?: readonly { kind: string; start: number; end: number }[] | undefined
}

/** A request that Parley rejected, or an answer that failed. */
export class ParleyError extends Error {
  /** A code of the API, such as `consent_required` or `daily_prompts_used`. */
  readonly code: string
  /** Status of the reply; `undefined` where a stream ended with the error. */
  readonly status: number | undefined
  /** When to try again, if the server says so. */
  readonly retryAfterS: number | undefined
  /** The proof of work that was asked for, if it could not be solved. */
  readonly challenge: object | undefined
  /** Where a refused prompt has personal data. */
  readonly personalData: readonly { kind: string; start: number; end: number }[]

  constructor(message: string, { code, status, retryAfterS, challenge, personalData = [] }: ErrorDetails) {
    super(message)
    this.name = 'ParleyError'
    this.code = code
    this.status = status
    this.retryAfterS = retryAfterS
    this.challenge = challenge
    this.personalData = personalData
  }
}

/**
 * Creates a transport that sends prompts and files to Parley, continues its chats, stops, resumes and regenerates answers, passes the
 * visitor's decisions about tool calls on, and solves the proof of work that a busy server asks for.
 */
export function createParleyTransport(options: ParleyTransportOptions): ParleyTransport {
  return new ParleyTransport(options)
}

/** A transport for `useChat` of the AI SDK 5, 6 and 7. */
export class ParleyTransport {
  /** Tells the AI SDK 6 and 7 that a resumed answer comes from its start. Without it, they append it to what they have. */
  readonly resumeStreamIsReplay: boolean = true
  readonly #url: string
  readonly #options: ParleyTransportOptions
  readonly #storage: ParleyTransportOptions['storage']
  readonly #sessions = new Map<string, string>()
  /** The newest turns, by chat. */
  readonly #turns = new Map<string, string>()
  /** The turns that were running when messages were loaded, by chat. */
  readonly #unread = new Map<string, string>()
  /** Stored ids of messages, by the ids that `useChat` has for them. */
  readonly #storedIds = new Map<string, string>()
  /** Stops that the server has not confirmed yet, by chat: a prompt waits for them. */
  readonly #stopping = new Map<string, Promise<void>>()

  constructor(options: ParleyTransportOptions) {
    const { url = OWN_ADDRESS, storage = tabStorage() } = options
    if (url === undefined) throw new TypeError('Parley’s address is needed: createParleyTransport({ url, … })')
    this.#url = url.endsWith('/') ? url : `${url}/`
    this.#options = options
    this.#storage = storage
  }

  async sendMessages(options: SendOptions): Promise<ReadableStream> {
    await this.#stopping.get(options.chatId)
    return this.#chunksOf(await this.#startTurn(options), options)
  }

  /** The running answer of a chat, from its start; `null` if none is running. */
  async reconnectToStream({
    chatId,
    abortSignal,
  }: {
    chatId: string
    abortSignal?: AbortSignal | undefined
  }): Promise<ReadableStream | null> {
    // What was running when the messages were loaded may have ended since, and is replayed.
    const turn = this.#unread.get(chatId) ?? (await this.#detailOf(chatId)).runningTurn
    this.#unread.delete(chatId)
    if (!turn) return null
    return this.#chunksOf(await this.#request(`api/v1/turns/${turn}/stream`), { chatId, messages: [], abortSignal })
  }

  /** Stops the running answer of a chat, also one that was resumed, which `stop()` of `useChat` doesn't reach. */
  async stop(chatId: string): Promise<void> {
    const turn = this.#turns.get(chatId)
    if (turn) await this.#post(`api/v1/turns/${turn}/stop`)
  }

  /** The stored messages of a chat, for `messages` of `useChat`; empty for a new one. */
  async loadMessages<UIMessage = unknown>(chatId: string): Promise<UIMessage[]> {
    const { messages, runningTurn } = await this.#detailOf(chatId)
    if (runningTurn) this.#unread.set(chatId, runningTurn)
    else this.#unread.delete(chatId)
    for (const { id, role } of messages) if (role === 'user') this.#storedIds.set(id, id)
    return messages.map((message) => ({ ...message, parts: message.parts.map((part) => this.#withAddress(part)) })) as UIMessage[]
  }

  /**
   * Decides the tool calls for which the last answer asks. Not needed with `addToolApprovalResponse` of the AI SDK 6 and 7. Load the messages
   * and resume the stream after this, `retry` and `continue`.
   */
  async approve(chatId: string, decisions: readonly { id: string; approved: boolean; signature?: string | undefined }[]): Promise<void> {
    await this.#post(`api/v1/turns/${await this.#lastTurn(chatId)}/approve`, { decisions }, { 'idempotency-key': crypto.randomUUID() })
  }

  /** Answers the last prompt again, after its answer has failed. */
  async retry(chatId: string): Promise<void> {
    await this.#post(`api/v1/turns/${await this.#lastTurn(chatId)}/retry`)
  }

  /** Continues an answer that was stopped, cut or interrupted. */
  async continue(chatId: string): Promise<void> {
    await this.#post(`api/v1/turns/${await this.#lastTurn(chatId)}/continue`)
  }

  /** Rates an answer; `null` withdraws the rating. */
  async rate(chatId: string, messageId: string, thumb: 'up' | 'down' | null, reason?: string): Promise<void> {
    const message = this.#storedIds.get(messageId) ?? messageId
    await this.#post(`api/v1/sessions/${this.#neededSession(chatId)}/feedback`, { message, thumb, reason })
  }

  /** Deletes a chat. Its `id` then begins a new one. */
  async deleteChat(chatId: string): Promise<void> {
    const session = this.#sessionOf(chatId)
    if (session) await this.#request(`api/v1/sessions/${session}`, { method: 'DELETE' })
    this.#sessions.delete(chatId)
    this.#turns.delete(chatId)
    this.#storage?.removeItem(STORAGE_PREFIX + chatId)
  }

  /** Reports what Parley stores about the visitor, as the page's "My data" shows it. */
  async myData<Report = unknown>(): Promise<Report> {
    return (await (await this.#request('api/v1/me/data')).json()) as Report
  }

  #sessionOf(chatId: string): string | undefined {
    return this.#sessions.get(chatId) ?? this.#storage?.getItem(STORAGE_PREFIX + chatId) ?? undefined
  }

  /** A chat without a session, or whose session has expired or was deleted, has no messages. */
  async #detailOf(chatId: string): Promise<{ messages: Message[]; runningTurn: string | null }> {
    const session = this.#sessionOf(chatId)
    const none = { messages: [], runningTurn: null }
    if (!session || !(await this.#options.consent())) return none
    try {
      return (await (await this.#request(`api/v1/sessions/${session}`)).json()) as { messages: Message[]; runningTurn: string | null }
    } catch (error) {
      if (error instanceof ParleyError && error.status === 404) return none
      throw error
    }
  }

  #neededSession(chatId: string): string {
    const session = this.#sessionOf(chatId)
    if (!session) throw new ParleyError('This chat has not begun.', { code: 'not_found' })
    return session
  }

  /** The turn of the chat's last answer, as stored: a retry or another window may have made one since. */
  async #lastTurn(chatId: string): Promise<string> {
    const turn = (await this.#detailOf(chatId)).messages.map(turnOf).findLast((id) => id !== undefined)
    if (!turn) throw new ParleyError('This chat has no answer.', { code: 'not_found' })
    return turn
  }

  async #startTurn({ trigger, chatId, messageId, messages }: SendOptions): Promise<Response> {
    const headers = { accept: 'text/event-stream', 'idempotency-key': crypto.randomUUID() }
    if (trigger === 'regenerate-message') {
      const message = messageId && (this.#storedIds.get(messageId) ?? messageId)
      return this.#post(`api/v1/sessions/${this.#neededSession(chatId)}/regenerate`, { message }, headers)
    }
    const last = messages.at(-1)
    const parts = (last?.parts ?? []) as readonly Part[]
    if (last?.role === 'assistant') {
      const decisions = parts.flatMap(({ state, approval }) => (state === 'approval-responded' && approval ? [approval] : []))
      if (decisions.length === 0) throw new ParleyError('There is no prompt to send.', { code: 'prompt_empty' })
      const body = { decisions: decisions.map(({ id, approved, signature }) => ({ id, approved, signature })) }
      return this.#post(`api/v1/turns/${turnOf(last) ?? this.#turns.get(chatId)}/approve`, body, headers)
    }
    const attachments = []
    // The first file may create the visitor of the others.
    for (const part of parts) if (part.type === 'file') attachments.push(await this.#fileOf(part))
    const session = this.#sessionOf(chatId)
    const prompt = parts.map(({ type, text }) => (type === 'text' ? text : '')).join('')
    const body = { prompt, ...(attachments.length > 0 && { attachments }), edits: messageId && this.#storedIds.get(messageId) }
    const query = session ? `?session_id=${session}` : ''
    return this.#post(`api/v1/agent/chat/${encodeURIComponent(this.#options.agent ?? 'me')}${query}`, body, headers)
  }

  /** The id of a file: of one that a stored prompt has, or once it is uploaded. */
  async #fileOf({ url = '', filename = 'file' }: Part): Promise<string> {
    const files = this.#addressOf(FILES).href
    if (url.startsWith(files)) return url.slice(files.length)
    const body = await (await fetch(url)).blob()
    const headers = { 'content-type': 'application/octet-stream' }
    const response = await this.#request(`api/v1/files?name=${encodeURIComponent(filename)}`, { method: 'POST', headers, body })
    return ((await response.json()) as { id: string }).id
  }

  #addressOf(path: string): URL {
    return new URL(path, this.#url)
  }

  /** A stored part whose file has an address that any page can link to. */
  #withAddress(part: object): object {
    const { type, url } = part as Part
    return type === 'file' && url?.startsWith(`/${FILES}`) ? { ...part, url: this.#addressOf(url.slice(1)).href } : part
  }

  #post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.#request(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  }

  async #request(path: string, init: RequestInit = {}): Promise<Response> {
    if (!(await this.#options.consent())) throw new ParleyError('The privacy notice has not been accepted.', { code: 'consent_required' })
    const address = this.#addressOf(path)
    const { id: given } = this.#options
    const id = typeof given === 'function' ? given() : given
    if (id) address.searchParams.set('id', id)
    const headers = new Headers(init.headers)
    headers.set('privacy-consent', 'true')
    const send = () => fetch(address, { ...init, headers, credentials: id ? 'omit' : 'include' })
    let response = await send()
    if (response.status === 428) {
      const error = await errorOf(response)
      if (!error.challenge) throw error
      headers.set('proof-of-work', await solveWork(error.challenge as Challenge))
      response = await send()
    }
    if (!response.ok) throw await errorOf(response)
    return response
  }

  /** The chunks of an answer. Notes the session and the turn that it names, and stops the turn when `abortSignal` aborts. */
  async #chunksOf(
    response: Response,
    { chatId, messages, abortSignal }: Pick<SendOptions, 'chatId' | 'messages' | 'abortSignal'>,
  ): Promise<ReadableStream<Chunk>> {
    const last = messages.at(-1)
    const note = (chunk: Chunk) => {
      if (chunk.type !== 'start') return
      const { sessionId, turnId, promptId } = chunk.messageMetadata ?? {}
      if (turnId) this.#turns.set(chatId, turnId)
      if (sessionId) {
        this.#sessions.set(chatId, sessionId)
        this.#storage?.setItem(STORAGE_PREFIX + chatId, sessionId)
      }
      const prompt = messages.findLast(({ role }) => role === 'user')
      if (prompt && promptId) this.#storedIds.set(prompt.id, promptId)
      // To the SDK, an answer goes on after the decision about a tool call; it is stored as two messages.
      if (last?.role === 'assistant' && chunk.messageId) {
        this.#storedIds.set(last.id, chunk.messageId)
        delete chunk.messageId
      }
    }
    const reader = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_CHARACTERS }))
      .pipeThrough(new TransformStream(chunkReader(note)))
      .getReader()
    // The SDK cancels the stream as soon as the visitor stops. The first chunk names the turn, so it is read before the SDK gets the stream.
    const first = await reader.read()
    const stop = () => {
      const stopped = this.stop(chatId).catch(() => undefined)
      this.#stopping.set(chatId, stopped)
    }
    if (abortSignal?.aborted) stop()
    else abortSignal?.addEventListener('abort', stop)
    return new ReadableStream({
      start: (controller) => (first.done ? controller.close() : controller.enqueue(first.value)),
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    })
  }
}

interface Chunk {
  type: string
  messageId?: string
  messageMetadata?: { sessionId?: string; turnId?: string; promptId?: string; code?: string }
  errorText?: string
}

/** Reads the chunk of each event and reports it. A chunk with an error becomes a `ParleyError` that has the code. */
function chunkReader(note: (chunk: Chunk) => void): Transformer<EventSourceMessage, Chunk> {
  let details: ErrorDetails = { code: 'internal' }
  return {
    transform({ data }, controller) {
      if (data === '[DONE]') return
      const chunk = JSON.parse(data) as Chunk
      note(chunk)
      if (chunk.messageMetadata?.code) details = { code: chunk.messageMetadata.code }
      if (chunk.type === 'error') throw new ParleyError(chunk.errorText ?? details.code, details)
      controller.enqueue(chunk)
    },
  }
}

const turnOf = ({ metadata }: Message): string | undefined => (metadata as Chunk['messageMetadata'])?.turnId

async function errorOf(response: Response): Promise<ParleyError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<ErrorDetails> & { title?: string; detail?: string }
  return new ParleyError(problem.detail ?? problem.title ?? `The server replied with ${response.status}.`, {
    ...problem,
    code: problem.code ?? 'unknown',
    status: response.status,
    retryAfterS: Number(response.headers.get('retry-after')) || undefined,
  })
}

/** `null` on a server, and where the browser forbids it. */
function tabStorage(): ParleyTransportOptions['storage'] {
  try {
    return typeof document === 'undefined' ? null : sessionStorage
  } catch {
    return null
  }
}
