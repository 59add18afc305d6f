import { z } from 'zod'
import {
  ChatId,
  SendPromptBody,
  SendPromptQuery,
  SendPromptReply,
  type StoredSession,
  StoredSessionList,
  type EarlierMessage,
  SessionId,
} from '../../contract/chat/chat.ts'
import { Problem } from '../../contract/problem.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { storedMessageOf } from '../../contract/chat/stored-message.ts'
import { listMessagesOf, listSessions } from '../store/sessions/sessions.ts'
import { PROMPT_ROUTE, type AdmittedPrompt } from './requests/request-limits.ts'
import { RepeatableHeaders, claimOf, repeatedRequestOf } from './requests/idempotency.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { awaitedApproval } from '../../contract/chat/approval.ts'
import { citedSources } from '../../contract/chat/cited-sources.ts'
import type { AcceptedFiles } from '../../contract/chat/files.ts'
import { invalidField, type Rejection, rejection } from '../../contract/rejection.ts'
import { estimateTokens, IMAGE_TOKENS } from '../answering/agents/agent.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import type { Sender } from '../store/visitors/visitors.ts'
import { type AttachableFile, findAttachableFiles } from '../store/sessions/files.ts'
import type { Started } from '../turns/started-turn.ts'
import type { RepeatedRequest } from '../visitors/first-keys.ts'
import { senderOf } from '../visitors/resolve.ts'
import { renewVisitorCookie, setVisitorCookie } from '../platform/cookies.ts'
import { deviceOf } from './requests/device.ts'
import { wantsStream } from '../platform/event-stream.ts'
import { sendTurnEvents } from './requests/send-turn-events.ts'
import { acceptedLanguages } from './requests/accepted-languages.ts'
import { sessionAgent } from './requests/session-agent.ts'
import { reject } from '../platform/problems.ts'
import { screenPrompt } from './requests/screen-personal-data.ts'

const PATH = '/api/v1/agent/chat/:id'
const Params = z.object({ id: ChatId })

/** The two calls of the original specification: list sessions and send a prompt. */
export function chatRoutes(app: Server, options: RouteOptions): void {
  const { database } = options
  const list = { params: Params, querystring: OwnerQuery, response: { 200: StoredSessionList, default: Problem } }
  app.get(
    PATH,
    { schema: { summary: 'List chat sessions, most recent activity first', tags: ['chat'], ...list }, config: { caller: 'path' } },
    async (request) => {
      const { caller } = request
      if (caller.lists === null) return []
      const sessions = await listSessions(database, caller.access, caller.agent ?? undefined)
      const messages = await listMessagesOf(
        database,
        sessions.map((session) => session.key),
      )
      return [...messages].map(
        ([key, spoken]): StoredSession => ({ key, messages: spoken.filter((message) => textOf(message) !== '').map(encoded) }),
      )
    },
  )

  const send = {
    params: Params,
    querystring: OwnerQuery.extend(SendPromptQuery.shape),
    headers: RepeatableHeaders,
    body: SendPromptBody,
    response: { 200: SendPromptReply, default: Problem },
    description:
      'Responds when the answer is complete. With `Accept: text/event-stream`, the answer is streamed as an AI SDK UI message stream.',
  }
  app.post(
    PATH,
    { schema: { summary: 'Send a prompt', tags: ['chat'], ...send }, config: { ...PROMPT_ROUTE, caller: 'path' } },
    async (request, reply) => sendPrompt(options, request, reply),
  )
}

const encoded = (message: ChatMessage) => JSON.stringify(storedMessageOf(message))

type SendPromptRequest = FastifyRequest & {
  params: { id: string }
  query: z.output<typeof SendPromptQuery> & z.output<typeof OwnerQuery>
  body: z.output<typeof SendPromptBody>
}

/** A prompt that can be admitted: who sends it, into which session, and with which files. */
interface PreparedPrompt {
  kind: 'prepared'
  /** The reply to an emergency, which no limit delays, or to what staff have stopped. */
  atOnce: FixedReply | null
  /** Without the personal data that the agent masks. */
  body: z.output<typeof SendPromptBody>
  sender: Sender
  newKey: string | null
  /** The device that the key is for; `undefined` for a visitor's own. */
  device: 'shared' | undefined
  repeatable: RepeatedRequest | null
  /** The session to continue; `undefined` starts a new one. */
  sessionId: string | undefined
  /** The files found; the store rejects the prompt if one is missing. */
  files: readonly AttachableFile[]
}

/** Handles `POST /api/v1/agent/chat/{id}`: prepare, admit, start, respond. */
async function sendPrompt(
  options: RouteOptions,
  request: SendPromptRequest,
  reply: FastifyReply,
): Promise<SendPromptReply | FastifyReply | void> {
  const prepared = await prepare(options, request, reply)
  if (prepared.kind === 'rejected') return reject(reply, prepared)
  const admission = await admit(options, request, reply, prepared)
  if (!admission) return reply
  options.onVisitor?.(prepared.sender.owner, options.limits.networkName(request))
  const outcome = await start(options, request, prepared, admission)
  if (outcome.kind === 'rejected') return reject(reply, outcome)
  return respond(options, request, reply, prepared, outcome)
}

/** Decides who sends the prompt, where it goes and what it carries. Stores nothing. */
async function prepare(options: RouteOptions, request: SendPromptRequest, reply: FastifyReply): Promise<PreparedPrompt | Rejection> {
  const { database, rights, settings } = options
  const { caller, query } = request
  const { attachments = [], edits, temporary } = request.body
  if (temporary && query.session_id) return invalidField('body', 'temporary')
  // An id that no session can have starts a new session, as an unknown one does.
  const sessionId = caller.continues ? SessionId.safeParse(query.session_id).data : undefined
  if (edits && !sessionId) return rejection('not_found')
  const agent = await sessionAgent(options, caller, sessionId)
  const languages = acceptedLanguages(request.headers)
  const atOnce = await options.turns.atArrival(agent, { prompt: request.body.prompt, languages })
  if (atOnce?.kind === 'rejected') return atOnce
  const { body, asked } = await screenPrompt(request.body, agent.personalData)
  if (asked.length > 0) reply.header('x-personal-data', asked.join(', '))
  const repeatable = repeatedRequestOf(request)
  const device = deviceOf(request, settings.frameChats, request.body.device)
  const { sender, key: newKey } = senderOf(caller, device, (key) => repeatable && rights.firstKeys.seal(key, repeatable))
  const files = await findAttachableFiles(database, sender, edits && sessionId, attachments)
  const { acceptedFiles } = ((caller.agent && options.agents.find(caller.agent)) || options.agents.first).model
  if (!files.every((file) => isAccepted(acceptedFiles, file))) return rejection('files_not_accepted')
  return {
    kind: 'prepared',
    body,
    atOnce,
    sender,
    newKey,
    device,
    repeatable,
    sessionId,
    files,
  }
}

/** Takes a stream and a slot of the queue. `undefined` if the limits have rejected the prompt, or the client has left the queue. */
async function admit(
  { limits }: RouteOptions,
  request: SendPromptRequest,
  reply: FastifyReply,
  { body, atOnce, sessionId, files }: PreparedPrompt,
): Promise<AdmittedPrompt | undefined> {
  const isUrgent = atOnce?.kind === 'emergency'
  if (wantsStream(request) && !isUrgent && !(await limits.stream(request, reply))) return undefined
  const promptTokens = estimateTokens(body.prompt) + tokensOf(files)
  return limits.prompt(request, reply, { continues: sessionId, promptTokens, isUrgent })
}

/** Stores the prompt and starts its turn, or finds the turn of the request that this one repeats. */
function start(
  { turns, embedOf, notice, settings }: RouteOptions,
  request: SendPromptRequest,
  prepared: PreparedPrompt,
  admission: AdmittedPrompt,
): Promise<Started | Rejection> {
  const { headers, params, query, caller } = request
  const { body, sender } = prepared
  const { prompt, attachments = [], edits, temporary, history = [], acceptedNotice, context } = body
  const letsStaffRead = settings.staffReading && acceptedNotice === notice.version
  // A repetition may be sent from another page, or after the visitor has accepted another notice.
  const identity = { ...body, acceptedNotice: undefined, context: undefined }
  const claim = claimOf(headers, sender, ['chat', params.id, query.session_id ?? '', identity])
  return admission.settle(
    turns.start({
      sender,
      agent: caller.agent,
      session: prepared.sessionId,
      prompt,
      claim,
      embed: embedOf(request),
      pageContext: context,
      languages: acceptedLanguages(headers),
      ...admission.turnLimits,
      temporary: temporary && { history: history.map(messageOf) },
      edits,
      reply: prepared.atOnce,
      acceptedNotice: letsStaffRead ? { version: notice.version, arrivedAt: caller.access.now } : null,
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
  const { newKey, device, repeatable, sessionId } = prepared
  // A session that its id opened, or that an earlier request made, keeps its visitor.
  if (!newKey || (kind === 'started' && turn.sessionId !== sessionId)) giveCookie(request, reply, prepared)
  // The first reply, which set the visitor's key, may have been lost.
  const recovered = newKey && kind === 'repeated' && repeatable && (await rights.firstKeys.recover(turn.sessionId, repeatable))
  if (recovered) setVisitorCookie(request, reply, recovered, device)
  if (wantsStream(request)) return sendTurnEvents(reply, turn.follow, 0)
  const { status, code, state, answer, retryAfterS } = await turn.ended
  if (status === 'failed' || status === 'interrupted') {
    // The session that has the prompt: in a header, because logs often contain the bodies of errors.
    reply.header('content-location', `/api/v1/sessions/${turn.sessionId}`)
    return reject(reply, { code: code ?? 'internal', retryAfterS })
  }
  const awaiting = awaitedApproval(turn.id, answer)
  return {
    session_id: turn.sessionId,
    response: textOf(answer),
    state,
    sources: citedSources(answer),
    ...(code === 'answer_too_long' && { code }),
    ...(awaiting && { awaiting_approval: awaiting }),
  }
}

function giveCookie(request: SendPromptRequest, reply: FastifyReply, { newKey, device }: PreparedPrompt): void {
  if (newKey) setVisitorCookie(request, reply, newKey, device)
  else renewVisitorCookie(request, reply, request.caller)
}

function tokensOf(files: readonly AttachableFile[]): number {
  return files.reduce((sum, { text }) => sum + (text === null ? IMAGE_TOKENS : estimateTokens(text)), 0)
}

function isAccepted(acceptedFiles: AcceptedFiles, { text }: AttachableFile): boolean {
  return acceptedFiles === 'images' || (acceptedFiles === 'text' && text !== null)
}

function messageOf({ role, text }: EarlierMessage, index: number): ChatMessage {
  return { id: `earlier_${index}`, role, parts: [{ type: 'text', text }] }
}
