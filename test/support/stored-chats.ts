import type { ChatMessage } from '../../src/contract/chat/message.ts'
import type { Access } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { endTurn } from '../../src/server/store/turns/turn-ends.ts'
import { insertPrompt, type NewPrompt } from '../../src/server/store/turns/turns.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface ChatToStore {
  /** Id of the session. Its messages and turns are named after it. */
  id: string
  owner: string
  /** When the prompt was sent and answered, in milliseconds since the epoch. */
  at: number
  prompt?: string
  /** A text, or parts; null leaves the turn running. */
  answer?: string | ChatMessage['parts'] | null
  /** Metadata of the answer. */
  metadata?: ChatMessage['metadata']
  title?: string
  temporary?: boolean
  openById?: boolean
  newVisitor?: NewPrompt['newVisitor']
  files?: string[]
}

export const accessOf = (owner: string | null, now: number): Access => ({
  owner,
  credential: owner !== null,
  now,
  retentionMs: 30 * DAY_MS,
})

/** Stores a chat of one prompt and its answer, as the server does, without a model. The ids are `<id>-prompt`, `<id>-answer`, `<id>-turn`. */
export async function storeChat(database: Database, chat: ChatToStore): Promise<void> {
  await storePrompt(database, chat, chat.id, null)
}

/**
 * Stores one more prompt and its answer in a chat; with `edits`, as another version of that message. Their ids are `<name>-prompt`,
 * `<name>-answer` and `<name>-turn`.
 */
export async function storeMore(database: Database, chat: ChatToStore, name: string, edits?: string): Promise<void> {
  await storePrompt(database, chat, name, { id: chat.id, access: accessOf(chat.owner, chat.at), ...(edits !== undefined && { edits }) })
}

async function storePrompt(database: Database, chat: ChatToStore, name: string, continues: NewPrompt['continues']): Promise<void> {
  const { id, owner, at, prompt = 'hi', answer = 'hello', metadata = {}, title = id, temporary = false, openById = false } = chat
  const outcome = await insertPrompt(database, {
    id: `${name}-turn`,
    instance: 'here',
    now: at,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    message: { id: `${name}-prompt`, role: 'user', parts: [{ type: 'text', text: prompt }] },
    files: chat.files ?? [],
    continues,
    newSession: { id, owner, agent: 'assistant', title, openById, temporary },
    newVisitor: chat.newVisitor ?? null,
  })
  if (outcome.kind !== 'accepted') throw new Error(`The prompt was not stored: ${JSON.stringify(outcome)}`)
  if (answer === null) return
  const parts = typeof answer === 'string' ? [{ type: 'text' as const, text: answer }] : answer
  const message = { id: `${name}-answer`, role: 'assistant' as const, parts, metadata: { ...metadata, turnId: `${name}-turn` } }
  await endTurn(database, `${name}-turn`, { status: 'done', code: null, state: 'answered', usage: null, answer: message }, at)
}
