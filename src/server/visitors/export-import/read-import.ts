import { createHash } from 'node:crypto'
import { type ExportedChat, type ExportedMessage, ExportDocument } from '../../../contract/chat/export.ts'
import { importPart } from '../../../contract/chat/parts/stored-parts.ts'

/** A message ready to store: parts and metadata are JSON. `createdAt` in milliseconds since the epoch. */
export interface ImportedMessage {
  role: 'user' | 'assistant'
  parts: string
  metadata: string
  createdAt: number
  /** Number of the message before this one, from 1; defaults to the previous message. */
  follows?: number
}

export interface ImportedChat {
  title: string
  agent: string
  createdAt: number
  updatedAt: number
  /** SHA-256 of the imported content, hex. */
  contentHash: string
  messages: ImportedMessage[]
  /** Number of the last message of the shown branch. */
  lastShown: number
}

/** Limits the nesting of JSON, because a tool's input and output have any shape. */
const MAX_NESTING_DEPTH = 64

export function readImport(bytes: Uint8Array): ImportedChat[] | undefined {
  const parsed = ExportDocument.safeParse(parseJson(bytes))
  return parsed.success ? parsed.data.chats.map(importedChat) : undefined
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return isShallow(text) ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function importedChat({ title, agent, createdAt, updatedAt, messages, lastShown = messages.length }: ExportedChat): ImportedChat {
  const stored = messages.map(importedMessage)
  // Without the shown branch and the last activity: switching branches changes both, but not the content.
  const contentHash = createHash('sha256')
    .update(JSON.stringify([title, agent, createdAt, stored]))
    .digest('hex')
  return { title, agent, createdAt: Date.parse(createdAt), updatedAt: Date.parse(updatedAt), contentHash, messages: stored, lastShown }
}

function importedMessage({ role, createdAt, model, status, code, state, follows, parts }: ExportedMessage): ImportedMessage {
  const metadata = role === 'user' ? {} : { model, status, code, state }
  const content = {
    role,
    parts: JSON.stringify(parts.map(importPart)),
    metadata: JSON.stringify(metadata),
    createdAt: Date.parse(createdAt),
  }
  return follows === undefined ? content : { ...content, follows }
}

/** Whether brackets are nested at most `MAX_DEPTH` deep. Deeper values would overflow the stack of recursive readers. */
function isShallow(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isInString) {
      if (character === '\\') index += 1
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > MAX_NESTING_DEPTH) return false
  }
  return true
}
