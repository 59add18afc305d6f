import { z } from 'zod'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import { ChatList, ChatListQuery, ChatReference, OpenedChat } from '../../../contract/staff/chats.ts'
import { dayOf } from '../../insights/figures/figures.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { languageOf } from '../../language.ts'
import { listReadableChats, readChat, type ReadableChat } from '../../store/sessions/readable-chats.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { NOTHING, sensitive, staffRoutes } from '../staff-route.ts'

const route = staffRoutes('chats')

/** Chats whose visitors have accepted that staff read them. Only where the operator has switched that on. */
export function chatRoutes(app: Server, { database, record, retentionMs, now }: ConsoleRouteOptions): void {
  const access = () => ({ now: now(), retentionMs })

  app.get(
    '/api/staff/v1/chats',
    route('read-chats', {
      summary: 'List chats without their text',
      description: 'Those with messages that were sent after accepting a privacy notice which says that staff can read.',
      querystring: ChatListQuery,
      reply: ChatList,
    }),
    async ({ query }, reply) => {
      const page = await listReadableChats(database, access(), query.after)
      return page ? { chats: page.chats.map(listed), next: page.next } : reject(reply, 'not_found')
    },
  )

  app.post(
    '/api/staff/v1/chats/:id/readings',
    route(sensitive('read-chats'), {
      summary: 'Open a chat',
      description: 'The reading is recorded in the audit log, and told to the visitor with the role of its reader.',
      params: z.object({ id: ChatReference }),
      body: NOTHING,
      reply: OpenedChat,
    }),
    async (request, reply) => {
      const { role } = staffOf(request).member
      if (role === 'viewer') return rejectStaff(reply, 'role_insufficient')
      const opened = await readChat(database, access(), {
        id: request.params.id,
        role,
        log: (transaction, session) => record(request, 'chat.read', session)(transaction),
      })
      if (!opened) return reject(reply, 'not_found')
      const { chat, messages, hidden } = opened
      return { ...listed(chat), messages: messages.map(({ at, ...message }) => ({ ...message, at: new Date(at).toISOString() })), hidden }
    },
  )
}

function listed({ id, at, agent, prompt, messages, states, readings }: ReadableChat) {
  return { id, day: dayOf(at), agent, language: languageOf(prompt), messages, states: countsOf(states), readings }
}

function countsOf(states: readonly AnswerState[]) {
  return [...Map.groupBy(states, (state) => state)].map(([state, { length: count }]) => ({ state, count }))
}
