import { z } from 'zod'
import { citedSources } from '../../../contract/cited-sources.ts'
import { ChatId, SendPromptBody, SendPromptQuery, SendPromptReply, SessionId, StoredSessionList } from '../../../contract/chat.ts'
import type { EarlierMessage, StoredMessage, StoredSession } from '../../../contract/chat.ts'
import { Problem } from '../../../contract/problem.ts'
import { type ChatMessage, textOf } from '../../../contract/message.ts'
import type { Takes } from '../../../contract/files.ts'
import { estimateTokens, PICTURE_TOKENS } from '../../agent/agent.ts'
import { listMessagesOf, listSessions } from '../../store/sessions.ts'
import { type FileFacts, findAttachableFiles } from '../../store/files.ts'
import { makeVisitor } from '../../store/visitors.ts'
import { senderOf } from '../../visitors/resolve.ts'
import { renewVisitorCookie, setVisitorCookie } from '../cookies.ts'
import { sendEventStream, wantsStream } from '../event-stream.ts'
import { claimOf, repeatedRequestOf } from '../idempotency.ts'
import { TAKES_PROMPT } from '../request-limits.ts'
import { reject } from '../problems.ts'
import { shownWait, StreamedPromptHeaders } from '../queue-updates.ts'
import type { Server } from '../server.ts'
import type { RouteOptions } from './route-options.ts'

const PATH = '/api/v1/agent/chat/:id'
const Params = z.object({ id: ChatId })

/** The two calls of the original specification: load the sessions, send a prompt. */
export function chatRoutes(app: Server, { database, agents, rights, turns, limits }: RouteOptions): void {
  const list = { params: Params, querystring: z.strictObject({}), response: { 200: StoredSessionList, default: Problem } }
  app.get(
    PATH,
    { schema: { summary: 'Load chat sessions, newest activity first', tags: ['chat'], ...list }, config: { caller: 'path' } },
    async (request) => {
      const { caller } = request
      if (caller.lists === null) return []
      const sessions = await listSessions(database, caller.access, caller.agent ?? undefined)
      const messages = await listMessagesOf(
        database,
        sessions.map((session) => session.key),
      )
      return [...messages].map(([key, spoken]): StoredSession => ({ key, messages: spoken.filter(isSpoken).map(encodeMessage) }))
    },
  )

  const send = {
    params: Params,
    querystring: SendPromptQuery,
    headers: StreamedPromptHeaders,
    body: SendPromptBody,
    response: { 200: SendPromptReply, default: Problem },
    description:
      'Answers once the answer is complete. With `Accept: text/event-stream` the answer is streamed as an AI SDK UI message stream.',
  }
  app.post(
    PATH,
    { schema: { summary: 'Send a prompt', tags: ['chat'], ...send }, config: { ...TAKES_PROMPT, caller: 'path' } },
    async (request, reply) => {
      const { caller } = request
      const { prompt, attachments: fileIds = [], edits, temporary, history = [], device } = request.body
      if (temporary && request.query.session_id) return reject(reply, 'invalid_request')
      const repeatable = repeatedRequestOf(request)
      const { sender, key } = senderOf(caller, device, (visitorKey) => repeatable && rights.firstKeys.seal(visitorKey, repeatable))
      const sessionId = caller.continues ? continuedSession(request.query.session_id) : undefined
      if (edits && !sessionId) return reject(reply, 'not_found')
      const claim = claimOf(request.headers, sender, ['chat', request.params.id, request.query.session_id ?? '', request.body])
      const remembered = temporary && { history: history.map(messageOf) }
      const giveCookie = () => (key ? setVisitorCookie(request, reply, key, device) : renewVisitorCookie(request, reply, caller))
      const wait = shownWait(request, reply, async () => {
        if (sender.newVisitor) await makeVisitor(database, sender.newVisitor, caller.access.now)
        giveCookie()
      })
      if (wantsStream(request) && !(await limits.stream(request, reply))) return reply
      const files = await findAttachableFiles(database, sender, edits && sessionId, fileIds)
      const { takes } = ((caller.agent && agents.find(caller.agent)) || agents.first).model
      if (!files.every(({ text }) => isTaken(takes, text))) return reject(reply, 'files_not_taken')
      const promptTokens = estimateTokens(prompt) + tokensOf(files)
      const admission = await limits.prompt(request, reply, { continues: sessionId, promptTokens, wait })
      if (!admission) return reply
      const starting = turns.start(wait?.isTold ? { ...sender, newVisitor: null } : sender, caller.agent, sessionId, prompt, {
        claim,
        ...admission.terms,
        temporary: remembered,
        edits,
        attachments: fileIds.map((id) => files.find((file) => file.id === id) ?? null),
      })
      const outcome = await admission.settle(starting)
      if (outcome.kind === 'rejected') return reject(reply, outcome)
      const { turn } = outcome
      // A session that its id opened, or an earlier request made, keeps the visitor it has.
      if (!key || (outcome.kind === 'started' && turn.sessionId !== sessionId)) giveCookie()
      // The reply that brought the visitor's key may have been lost.
      const recovered = key && outcome.kind === 'repeated' && repeatable && (await rights.firstKeys.recover(turn.sessionId, repeatable))
      if (recovered) setVisitorCookie(request, reply, recovered, device)
      if (wantsStream(request)) return sendEventStream(reply, turn.follow, 0)
      const { status, code, answer, retryAfterS } = await turn.ended
      if (status === 'failed' || status === 'interrupted')
        // In a header, for bodies of errors end up in logs: where the prompt is kept.
        return reject(reply.header('content-location', `/api/v1/sessions/${turn.sessionId}`), { code: code ?? 'internal', retryAfterS })
      return { session_id: turn.sessionId, response: textOf(answer), sources: citedSources(answer) }
    },
  )
}

/** Texts have their own size, as pictures have. */
function tokensOf(files: readonly Pick<FileFacts, 'text'>[]): number {
  return files.reduce((sum, { text }) => sum + (text === null ? PICTURE_TOKENS : estimateTokens(text)), 0)
}

function isTaken(takes: Takes, text: string | null): boolean {
  return takes === 'pictures' || (takes === 'texts' && text !== null)
}

/** An id that no session can have is as unknown as any other. */
function continuedSession(id: string | undefined): string | undefined {
  return SessionId.safeParse(id).data
}

function messageOf({ role, text }: EarlierMessage, index: number): ChatMessage {
  return { id: `earlier_${index}`, role, parts: [{ type: 'text', text }] }
}

function isSpoken(message: ChatMessage): boolean {
  return textOf(message) !== ''
}

function encodeMessage(message: ChatMessage): string {
  const stored: StoredMessage = {
    type: message.role === 'user' ? 'human' : 'agent',
    data: { content: textOf(message), additional_kwargs: {}, response_metadata: {}, type: 'text', name: null, id: null, example: false },
  }
  return JSON.stringify(stored)
}
