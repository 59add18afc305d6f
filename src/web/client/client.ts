import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream'

/** Parley's address: that of the server which this file was loaded from. */
const OWN_ADDRESS = import.meta.url.replace(/[^/]*$/, '')
const STORAGE_PREFIX = 'parley-chat:'
/** Maximum characters of an event; the longest event of an answer stays well below. */
const MAX_EVENT_CHARACTERS = 4 * 1024 * 1024

export interface ParleyTransportOptions {
  /** Parley's address; by default that of the server which this file was loaded from. */
  url?: string
  /** The id of an agent; by default the first one. */
  agent?: string
  /** Whether the visitor has accepted the privacy notice. Nothing is sent before. */
  consent: () => boolean | Promise<boolean>
  /** Remembers which chat belongs to which `id` of `useChat`, for a reload; by default the tab's session storage, `null` for none. */
  storage?: Pick<Storage, 'getItem' | 'setItem'> | null
}

/** A part of a message, as far as this module reads it. */
interface Part {
  type: string
  text?: string
  url?: string
  filename?: string
}

/** A message of the AI SDK 5, 6 or 7, as far as this module reads it. */
interface Message {
  id: string
  role: string
  parts: readonly object[]
}

/** Options that `useChat` passes to send a prompt or to ask for another answer. */
export interface SendOptions {
  trigger: 'submit-message' | 'regenerate-message'
  chatId: string
  /** The prompt that is replaced, or the answer that is asked for again. */
  messageId: string | undefined
  messages: readonly Message[]
  abortSignal: AbortSignal | undefined
}

/** A transport for `useChat` of the AI SDK 5, 6 and 7. */
export interface ParleyTransport {
  /** Tells the AI SDK 6 and 7 that a resumed answer comes from its start. Without it, they append it to what they have. */
  readonly resumeStreamIsReplay: boolean
  sendMessages(options: SendOptions): Promise<ReadableStream>
  /** The running answer of a chat, from its start; `null` if none is running. */
  reconnectToStream(options: { chatId: string; abortSignal?: AbortSignal | undefined }): Promise<ReadableStream | null>
  /** Stops the running answer of a chat, also one that was resumed, which `stop()` of `useChat` doesn't reach. */
  stop(chatId: string): Promise<void>
  /** The stored messages of a chat, for `messages` of `useChat`; empty for a new one. */
  loadMessages<UIMessage = unknown>(chatId: string): Promise<UIMessage[]>
}

/** A request that Parley rejected. */
export class ParleyError extends Error {
  /** A code of the API, such as `consent_required` or `quota_exceeded`. */
  readonly code: string
  readonly status: number
  /** When to try again, if the server says so. */
  readonly retryAfterS: number | undefined

  constructor(message: string, { code, status, retryAfterS }: { code: string; status: number; retryAfterS?: number | undefined }) {
    super(message)
    this.name = 'ParleyError'
    this.code = code
    this.status = status
    this.retryAfterS = retryAfterS
  }
}

/** Creates a transport that sends prompts to Parley, continues its chats, stops, resumes and regenerates answers, and uploads files. */
export function createParleyTransport(options: ParleyTransportOptions): ParleyTransport {
  return new Transport(options)
}

class Transport implements ParleyTransport {
  readonly resumeStreamIsReplay = true
  readonly #url: string
  readonly #agent: string
  readonly #consent: ParleyTransportOptions['consent']
  readonly #storage: ParleyTransportOptions['storage']
  readonly #sessions = new Map<string, string>()
  /** The newest turns, by chat. */
  readonly #turns = new Map<string, string>()
  /** Stored ids of prompts, by the ids that `useChat` gave them. */
  readonly #promptIds = new Map<string, string>()
  /** Stops that the server has not confirmed yet, by chat: a prompt waits for them. */
  readonly #stopping = new Map<string, Promise<void>>()

  constructor({ url = OWN_ADDRESS, agent = 'me', consent, storage = tabStorage() }: ParleyTransportOptions) {
    this.#url = url
    this.#agent = agent
    this.#consent = consent
    this.#storage = storage
  }

  async sendMessages(options: SendOptions): Promise<ReadableStream> {
    if (!(await this.#consent())) {
      throw new ParleyError('The privacy notice has not been accepted.', { code: 'consent_required', status: 428 })
    }
    await this.#stopping.get(options.chatId)
    return this.#chunksOf(await this.#startTurn(options), options)
  }

  async reconnectToStream({
    chatId,
    abortSignal,
  }: {
    chatId: string
    abortSignal?: AbortSignal | undefined
  }): Promise<ReadableStream | null> {
    const { runningTurn } = await this.#detailOf(chatId)
    if (!runningTurn) return null
    return this.#chunksOf(await this.#request(`api/v1/turns/${runningTurn}/stream`), { chatId, messages: [], abortSignal })
  }

  async stop(chatId: string): Promise<void> {
    const turn = this.#turns.get(chatId)
    if (turn) await this.#post(`api/v1/turns/${turn}/stop`, {})
  }

  async loadMessages<UIMessage>(chatId: string): Promise<UIMessage[]> {
    const { messages } = await this.#detailOf(chatId)
    for (const { id, role } of messages) if (role === 'user') this.#promptIds.set(id, id)
    return messages as UIMessage[]
  }

  #sessionOf(chatId: string): string | undefined {
    return this.#sessions.get(chatId) ?? this.#storage?.getItem(STORAGE_PREFIX + chatId) ?? undefined
  }

  /** A chat without a session, or whose session has expired or was deleted, has no messages. */
  async #detailOf(chatId: string): Promise<{ messages: Message[]; runningTurn: string | null }> {
    const session = this.#sessionOf(chatId)
    const none = { messages: [], runningTurn: null }
    if (!session || !(await this.#consent())) return none
    try {
      return (await (await this.#request(`api/v1/sessions/${session}`)).json()) as { messages: Message[]; runningTurn: string | null }
    } catch (error) {
      if (error instanceof ParleyError && error.status === 404) return none
      throw error
    }
  }

  async #startTurn({ trigger, chatId, messageId, messages }: SendOptions): Promise<Response> {
    const session = this.#sessionOf(chatId)
    const headers = { accept: 'text/event-stream', 'idempotency-key': crypto.randomUUID() }
    if (trigger === 'regenerate-message') {
      if (!session) throw new ParleyError('There is no answer to replace.', { code: 'not_found', status: 404 })
      return this.#post(`api/v1/sessions/${session}/regenerate`, messageId === undefined ? {} : { message: messageId }, headers)
    }
    const parts = (messages.at(-1)?.parts ?? []) as readonly Part[]
    const attachments = await Promise.all(parts.filter(({ type }) => type === 'file').map((part) => this.#upload(part)))
    const edits = messageId === undefined ? undefined : this.#promptIds.get(messageId)
    const body = {
      prompt: parts.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
      ...(attachments.length > 0 && { attachments }),
      ...(edits !== undefined && { edits }),
    }
    const query = session ? `?session_id=${session}` : ''
    return this.#post(`api/v1/agent/chat/${encodeURIComponent(this.#agent)}${query}`, body, headers)
  }

  async #upload({ url = '', filename = 'file' }: Part): Promise<string> {
    const content = await (await fetch(url)).blob()
    const query = new URLSearchParams({ name: filename })
    const headers = { 'content-type': 'application/octet-stream' }
    const response = await this.#request(`api/v1/files?${query}`, { method: 'POST', headers, body: content })
    return ((await response.json()) as { id: string }).id
  }

  #post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return this.#request(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  }

  async #request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('privacy-consent', 'true')
    const response = await fetch(new URL(path, this.#url), { ...init, headers, credentials: 'include' })
    if (!response.ok) throw await errorOf(response)
    return response
  }

  /** The chunks of an answer. Notes the session and the turn that it names, and stops the turn when `abortSignal` aborts. */
  async #chunksOf(
    response: Response,
    { chatId, messages, abortSignal }: Pick<SendOptions, 'chatId' | 'messages' | 'abortSignal'>,
  ): Promise<ReadableStream<Chunk>> {
    const note = ({ type, messageMetadata }: Chunk) => {
      if (type !== 'start' || !messageMetadata) return
      const { sessionId, turnId, promptId } = messageMetadata
      if (turnId) this.#turns.set(chatId, turnId)
      if (sessionId) {
        this.#sessions.set(chatId, sessionId)
        this.#storage?.setItem(STORAGE_PREFIX + chatId, sessionId)
      }
      const prompt = messages.findLast(({ role }) => role === 'user')
      if (prompt && promptId) this.#promptIds.set(prompt.id, promptId)
    }
    const reader = response
      .body!.pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_CHARACTERS }))
      .pipeThrough(new TransformStream(chunkReader(note)))
      .getReader()
    // The SDK cancels the stream as soon as the visitor stops. The first chunk names the turn, so it is read before the SDK gets the stream.
    const first = await reader.read()
    const stop = () => {
      this.#stopping.set(
        chatId,
        this.stop(chatId).catch(() => undefined),
      )
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
  messageMetadata?: { sessionId?: string; turnId?: string; promptId?: string }
}

/** Reads the chunk of each event and reports it. */
function chunkReader(note: (chunk: Chunk) => void): Transformer<EventSourceMessage, Chunk> {
  return {
    transform({ data }, controller) {
      if (data === '[DONE]') return
      const chunk = JSON.parse(data) as Chunk
      note(chunk)
      controller.enqueue(chunk)
    },
  }
}

async function errorOf(response: Response): Promise<ParleyError> {
  const problem = (await response.json().catch(() => ({}))) as { code?: string; title?: string; detail?: string }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ParleyError(problem.detail ?? problem.title ?? `The server replied with ${response.status}.`, {
    code: problem.code ?? 'unknown',
    status: response.status,
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

/** `null` where the browser forbids it. */
function tabStorage(): ParleyTransportOptions['storage'] {
  try {
    return globalThis.sessionStorage ?? null
  } catch {
    return null
  }
}
