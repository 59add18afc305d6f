import { z } from 'zod'
import {
  ChatId,
  SendPromptBody,
  SendPromptQuery,
  SendPromptReply,
  type StoredSession,
  StoredSessionList,
} from '../../contract/chat/chat.ts'
import { Problem } from '../../contract/problem.ts'
import { OwnerQuery } from '../../contract/rights.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { storedMessageOf } from '../../contract/chat/stored-message.ts'
import { listMessagesOf, listSessions } from '../store/sessions/sessions.ts'
import { PROMPT_ROUTE } from './requests/request-limits.ts'
import { RepeatableHeaders } from './requests/idempotency.ts'
import type { Server } from '../platform/server.ts'
import type { RouteOptions } from './route-options.ts'
import { sendPrompt } from './send-prompt.ts'

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
