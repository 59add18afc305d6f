import { setImmediate as nextPass } from 'node:timers/promises'
import type { ExportDocument, ExportedChat, ExportedMessage } from '../../../contract/chat/export.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { exportPart } from '../../../contract/chat/parts/stored-parts.ts'
import type { Database } from '../../store/engine/database.ts'
import { type ExportedSession, messagesInOrder } from '../../store/sessions/export.ts'

/** Yields `parley.json` in pieces, one message at a time: the document is never whole in memory. */
export async function* exportDocument(
  database: Database,
  installation: string,
  exportedAt: number,
  sessions: AsyncIterable<ExportedSession>,
): AsyncGenerator<string> {
  const head: Omit<ExportDocument, 'chats'> = { format: 'parley-export', version: 1, exportedAt: timestamp(exportedAt), installation }
  yield `${JSON.stringify(head).slice(0, -1)},"chats":[`
  let separator = '\n'
  for await (const session of sessions) {
    const chat = chatPieces(database, session)
    const first = await chat.next()
    // Deleted in the meantime, or empty.
    if (first.done) continue
    yield separator + first.value
    yield* chat
    separator = ',\n'
  }
  yield '\n]}\n'
}

async function* chatPieces(database: Database, session: ExportedSession): AsyncGenerator<string> {
  const head: Omit<ExportedChat, 'messages'> = {
    key: session.id,
    title: session.title,
    agent: session.agent,
    createdAt: timestamp(session.created_at),
    updatedAt: timestamp(session.updated_at),
  }
  let before = `${JSON.stringify(head).slice(0, -1)},"messages":[\n`
  const numbers = new Map([[0, 0]])
  for await (const { message, position, parent } of messagesInOrder(database, session.id)) {
    const last = numbers.size - 1
    const follows = numbers.get(parent) ?? last
    yield before + JSON.stringify({ ...exportedMessage(message), ...(follows !== last && { follows }) })
    before = ',\n'
    numbers.set(position, numbers.size)
    await nextPass()
  }
  const count = numbers.size - 1
  const lastShown = numbers.get(session.leaf) ?? count
  if (count > 0) yield lastShown === count ? ']}' : `],"lastShown":${lastShown}}`
}

/** A message in an export. Parts of unknown kinds are left out. */
export function exportedMessage({ role, metadata = {}, parts }: ChatMessage): ExportedMessage {
  const { createdAt = timestamp(0), model, status, code, state, feedback, corrections } = metadata
  return {
    role: role === 'user' ? 'user' : 'assistant',
    createdAt,
    ...(role !== 'user' && { aiGenerated: true as const }),
    ...(model !== undefined && { model }),
    ...(status !== undefined && status !== 'running' && { status }),
    ...(code !== undefined && { code }),
    ...(state !== undefined && { state }),
    ...(feedback !== undefined && { feedback }),
    ...(corrections !== undefined && { corrections }),
    parts: parts.flatMap((part) => exportPart(part) ?? []),
  }
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
