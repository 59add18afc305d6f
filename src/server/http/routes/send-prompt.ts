import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type EarlierMessage, type SendPromptBody, type SendPromptQuery, type SendPromptReply, SessionId } from '../../../contract/chat.ts'
import { citedSources } from '../../../contract/cited-sources.ts'
import type { AcceptedFiles } from '../../../contract/files.ts'
import { type ChatMessage, textOf } from '../../../contract/message.ts'
import { type Rejection, rejection } from '../../../contract/rejection.ts'
import { estimateTokens, PICTURE_TOKENS } from '../../agent/agent.ts'
import type { Sender } from '../../store/access.ts'
import { type AttachableFile, findAttachableFiles } from '../../store/files.ts'
import { createVisitor } from '../../store/visitors.ts'
import type { Started } from '../../turns/started-turn.ts'
import type { RepeatedRequest } from '../../visitors/first-keys.ts'
import { senderOf } from '../../visitors/resolve.ts'
import { renewVisitorCookie, setVisitorCookie } from '../cookies.ts'
import { sendEventStream, wantsStream } from '../event-stream.ts'
import { claimOf, repeatedRequestOf } from '../idempotency.ts'
import { reject } from '../problems.ts'
import { type QueueUpdates, queueUpdatesFor } from '../queue-updates.ts'
import type { AdmittedPrompt } from '../request-limits.ts'
import type { RouteOptions } from './route-options.ts'

type SendPromptRequest = FastifyRequest & {
  params: { id: string }
  query: z.output<typeof SendPromptQuery>
  body: z.output<typeof SendPromptBody>
}

/** A prompt that can be admitted: who sends it, into which session, and with which files. */
interface PreparedPrompt {
  kind: 'prepared'
  sender: Sender
  /** The key of a new visitor, for their cookie. */
  newKey: string | null
  repeatable: RepeatedRequest | null
  /** The session to continue; `undefined` starts a new one. */
  sessionId: string | undefined
  /** The files found; the store rejects the prompt if one is missing. */
  files: readonly AttachableFile[]
}

interface Admitted {
  admission: AdmittedPrompt
  /** Without the new visitor if the queue updates have stored it. */
  sender: Sender
}

/** Handles `POST /api/v1/agent/chat/{id}`: prepare, admit, start, respond. */
export async function sendPrompt(
  options: RouteOptions,
  request: SendPromptRequest,
  reply: FastifyReply,
): Promise<SendPromptReply | FastifyReply | void> {
  const prepared = await prepare(options, request)
  if (prepared.kind === 'rejected') return reject(reply, prepared)
  const admitted = await admit(options, request, reply, prepared)
  if (!admitted) return reply
  const outcome = await start(options, request, prepared, admitted)
  if (outcome.kind === 'rejected') return reject(reply, outcome)
  return respond(options, request, reply, prepared, outcome)
}

/** Decides who sends the prompt, where it goes and what it carries. Stores nothing. */
async function prepare({ database, agents, rights }: RouteOptions, request: SendPromptRequest): Promise<PreparedPrompt | Rejection> {
  const { caller, body, query } = request
  const { attachments = [], edits, temporary, device } = body
  if (temporary && query.session_id) return rejection('invalid_request')
  // An id that no session can have starts a new session, as an unknown one does.
  const sessionId = caller.continues ? SessionId.safeParse(query.session_id).data : undefined
  if (edits && !sessionId) return rejection('not_found')
  const repeatable = repeatedRequestOf(request)
  const { sender, key: newKey } = senderOf(caller, device, (key) => repeatable && rights.firstKeys.seal(key, repeatable))
  const files = await findAttachableFiles(database, sender, edits && sessionId, attachments)
  const { acceptedFiles } = ((caller.agent && agents.find(caller.agent)) || agents.first).model
  if (!files.every((file) => isAccepted(acceptedFiles, file))) return rejection('files_not_accepted')
  return { kind: 'prepared', sender, newKey, repeatable, sessionId, files }
}

/** Takes a stream and a slot of the queue. `undefined` if the limits have rejected the prompt, or the client has left the queue. */
async function admit(
  { database, limits }: RouteOptions,
  request: SendPromptRequest,
  reply: FastifyReply,
  prepared: PreparedPrompt,
): Promise<Admitted | undefined> {
  const { sender, sessionId, files } = prepared
  if (wantsStream(request) && !(await limits.stream(request, reply))) return undefined
  // Headers go out with the first queue update, so the visitor and the cookie must exist by then.
  const queueUpdates: QueueUpdates | undefined = queueUpdatesFor(request, reply, async () => {
    if (sender.newVisitor) await createVisitor(database, sender.newVisitor, request.caller.access.now)
    giveCookie(request, reply, prepared)
  })
  const promptTokens = estimateTokens(request.body.prompt) + tokensOf(files)
  const admission = await limits.prompt(request, reply, { continues: sessionId, promptTokens, queueUpdates })
  return admission && { admission, sender: queueUpdates?.hasStarted ? { ...sender, newVisitor: null } : sender }
}

/** Stores the prompt and starts its turn, or finds the turn of the request that this one repeats. */
function start(
  { turns }: RouteOptions,
  { headers, params, query, body, caller }: SendPromptRequest,
  prepared: PreparedPrompt,
  { admission, sender }: Admitted,
): Promise<Started | Rejection> {
  const { prompt, attachments = [], edits, temporary, history = [] } = body
  const claim = claimOf(headers, prepared.sender, ['chat', params.id, query.session_id ?? '', body])
  return admission.settle(
    turns.start(sender, caller.agent, prepared.sessionId, prompt, {
      claim,
      ...admission.turnLimits,
      temporary: temporary && { history: history.map(messageOf) },
      edits,
      attachments: attachments.map((id) => prepared.files.find((file) => file.id === id) ?? null),
    }),
  )
}

/** Sets the cookie, then streams the answer or waits for all of it. */
async function respond(
  { rights }: RouteOptions,
  request: SendPromptRequest,
  reply: FastifyReply,
  prepared: PreparedPrompt,
  { kind, turn }: Started,
): Promise<SendPromptReply | FastifyReply | void> {
  const { newKey, repeatable, sessionId } = prepared
  // A session that its id opened, or that an earlier request made, keeps its visitor.
  if (!newKey || (kind === 'started' && turn.sessionId !== sessionId)) giveCookie(request, reply, prepared)
  // The first reply, which set the visitor's key, may have been lost.
  const recovered = newKey && kind === 'repeated' && repeatable && (await rights.firstKeys.recover(turn.sessionId, repeatable))
  if (recovered) setVisitorCookie(request, reply, recovered, request.body.device)
  if (wantsStream(request)) return sendEventStream(reply, turn.follow, 0)
  const { status, code, state, answer, retryAfterS } = await turn.ended
  if (status === 'failed' || status === 'interrupted') {
    // The session that has the prompt: in a header, because logs often contain the bodies of errors.
    reply.header('content-location', `/api/v1/sessions/${turn.sessionId}`)
    return reject(reply, { code: code ?? 'internal', retryAfterS })
  }
  return { session_id: turn.sessionId, response: textOf(answer), state, sources: citedSources(answer) }
}

/** Sets the key of a new visitor, or renews the cookie of a known one. */
function giveCookie(request: SendPromptRequest, reply: FastifyReply, { newKey }: PreparedPrompt): void {
  if (newKey) setVisitorCookie(request, reply, newKey, request.body.device)
  else renewVisitorCookie(request, reply, request.caller)
}

function tokensOf(files: readonly AttachableFile[]): number {
  return files.reduce((sum, { text }) => sum + (text === null ? PICTURE_TOKENS : estimateTokens(text)), 0)
}

function isAccepted(acceptedFiles: AcceptedFiles, { text }: AttachableFile): boolean {
  return acceptedFiles === 'images' || (acceptedFiles === 'text' && text !== null)
}

function messageOf({ role, text }: EarlierMessage, index: number): ChatMessage {
  return { id: `earlier_${index}`, role, parts: [{ type: 'text', text }] }
}
