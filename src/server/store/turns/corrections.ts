import { hash as digest } from 'node:crypto'
import { isApprovedAnswer } from '../../../contract/chat/approved-folder.ts'
import { citationOf, sourcesOf } from '../../../contract/chat/citation.ts'
import type { ChatMessage, Correction, MessageMetadata } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { Database } from '../engine/database.ts'

/** An answer, and the turn that wrote it; `null` for one that was imported. */
export interface AnsweredMessage {
  position: number
  parts: ChatMessage['parts']
  turnId: string | null
}

const MAX_IDS = 500

/** Corrections at these messages of a session, by position: of the answer itself, and of a file that it names. */
async function correctionsOf(database: Database, sessionId: string, messages: AnsweredMessage[]): Promise<Map<number, Correction[]>> {
  const found = new Map<number, Correction[]>()
  const add = (position: number, { text, created_at }: { text: string; created_at: number }) =>
    found.set(position, [...(found.get(position) ?? []), { text, at: new Date(created_at).toISOString() }])
  // Imported text is not this assistant's.
  const answers = messages.filter(({ turnId }) => turnId !== null)
  const files = [...new Set(answers.flatMap(({ parts }) => [...citedFiles(parts).keys()]))].slice(0, MAX_IDS)
  const rows = await database
    .selectFrom('corrections')
    .select(['position', 'source', 'version', 'text', 'created_at'])
    .where(({ or, eb }) => or([eb('session_id', '=', sessionId), ...(files.length > 0 ? [eb('source', 'in', files)] : [])]))
    .orderBy('created_at')
    .execute()
  for (const row of rows) if (row.position !== null) add(row.position, row)
  const general = rows.filter(({ source }) => source !== null)
  if (general.length === 0) return found
  const corrected = new Set(general.map(({ source }) => source))
  const concerned = answers.filter(({ parts }) => [...citedFiles(parts).keys()].some((file) => corrected.has(file)))
  for (const [position, versions] of await sourceVersionsOf(database, concerned)) {
    for (const row of general) if (row.source !== null && versions.get(row.source) === row.version) add(position, row)
  }
  return found
}

/** Adds corrections to answers, and to every version of a prompt that staff were asked about: that they were, and their replies. */
export async function withCorrections<Placed extends { position: number; parent: number; message: ChatMessage }>(
  database: Database,
  sessionId: string,
  placed: Placed[],
): Promise<Placed[]> {
  const answers = placed.filter(({ message }) => message.role === 'assistant')
  const found = await correctionsOf(
    database,
    sessionId,
    answers.map(({ position, message }) => ({ position, parts: message.parts, turnId: message.metadata?.turnId ?? null })),
  )
  const asked = answers.length === placed.length ? new Map<number, Question>() : await questionsOf(database, sessionId)
  if (found.size === 0 && asked.size === 0) return placed
  return placed.map((one) => {
    const corrections = found.get(one.position)
    const added = one.message.role === 'user' ? asked.get(one.parent) : corrections && { corrections }
    return added ? { ...one, message: { ...one.message, metadata: { ...one.message.metadata, ...added } } } : one
  })
}

type Question = Pick<MessageMetadata, 'askedStaff' | 'corrections'>

/** Messages to staff about prompts of a session, and their replies, by the message that the prompts follow. */
async function questionsOf(database: Database, sessionId: string): Promise<Map<number, Question>> {
  const ofPrompts = database.selectFrom('messages').where('messages.session_id', '=', sessionId).where('messages.role', '=', 'user')
  const [asked, replies] = await Promise.all([
    ofPrompts
      .innerJoin('reports', (join) =>
        join.onRef('reports.session_id', '=', 'messages.session_id').onRef('reports.position', '=', 'messages.position'),
      )
      .select(['messages.parent', 'reports.created_at', 'reports.verdict'])
      .orderBy('reports.created_at')
      .execute(),
    ofPrompts
      .innerJoin('corrections', (join) =>
        join.onRef('corrections.session_id', '=', 'messages.session_id').onRef('corrections.position', '=', 'messages.position'),
      )
      .select(['messages.parent', 'corrections.created_at', 'corrections.text'])
      .orderBy('corrections.created_at')
      .execute(),
  ])
  const at = (time: number) => new Date(time).toISOString()
  const found = new Map<number, Question>()
  for (const { parent, created_at, verdict } of asked) found.set(parent, { askedStaff: { at: at(created_at), isClosed: verdict !== null } })
  for (const { parent, created_at, text } of replies) {
    const { corrections = [], ...question } = found.get(parent) ?? {}
    found.set(parent, { ...question, corrections: [...corrections, { text, at: at(created_at) }] })
  }
  return found
}

/**
 * The version of each file that an answer names, by position and file: the hash of its content if the answer's knowledge lists it,
 * otherwise the date that it is as of. An approved answer was given word for word, so its version is the hash of that text.
 */
export async function sourceVersionsOf(database: Database, answers: AnsweredMessage[]): Promise<Map<number, Map<string, string>>> {
  const turns = answers.flatMap(({ turnId }) => turnId ?? [])
  const knowledge = new Map<string, string>()
  const texts = new Map<string, Map<string, string>>()
  for (let start = 0; start < turns.length; start += MAX_IDS) {
    const rows = await database
      .selectFrom('turns')
      .select(['id', 'knowledge_hash'])
      .where('id', 'in', turns.slice(start, start + MAX_IDS))
      .where('knowledge_hash', 'is not', null)
      .execute()
    for (const { id, knowledge_hash } of rows) if (knowledge_hash !== null) knowledge.set(id, knowledge_hash)
  }
  for (const hash of new Set(knowledge.values())) {
    const row = await database.selectFrom('version_texts').select('content').where('hash', '=', hash).executeTakeFirst()
    if (row) texts.set(hash, hashesOf(row.content))
  }
  return new Map(
    answers.map(({ position, parts, turnId }) => {
      const hashes = turnId === null ? undefined : texts.get(knowledge.get(turnId) ?? '')
      const versionOf = (file: string, asOf: string) =>
        isApprovedAnswer(file) ? digest('sha256', textOf({ parts }), 'hex') : (hashes?.get(file) ?? `as of ${asOf}`)
      return [position, new Map([...citedFiles(parts)].map(([file, asOf]) => [file, versionOf(file, asOf)]))]
    }),
  )
}

/** The files that an answer names, with the dates that they are as of. */
function citedFiles(parts: ChatMessage['parts']): Map<string, string> {
  return new Map(
    sourcesOf(parts).flatMap((part) => ('filename' in part && part.filename ? [[part.filename, citationOf(part)?.asOf ?? '']] : [])),
  )
}

/** A line each: the file and the hash of its content. */
function hashesOf(content: string): Map<string, string> {
  return new Map(
    content.split('\n').flatMap((line) => {
      const end = line.lastIndexOf(' ')
      return end > 0 && end < line.length - 1 ? [[line.slice(0, end), line.slice(end + 1)]] : []
    }),
  )
}
