import { z } from 'zod'
import type { MessageMetadata } from './message.ts'
import type { ExportedPart } from './parts/stored-parts.ts'

/** A message in an export; times are ISO 8601 in UTC. */
export interface ExportedMessage extends Pick<MessageMetadata, 'model' | 'code' | 'state' | 'feedback' | 'corrections'> {
  role: 'user' | 'assistant'
  createdAt: string
  /** Set on answers: an AI system gave them. */
  aiGenerated?: true
  /** How the answer ended. */
  status?: 'done' | 'stopped' | 'failed' | 'interrupted'
  /** Number of the message before this one, from 1 in this list and smaller than its own; 0 for none. Defaults to the previous message. */
  follows?: number
  parts: ExportedPart[]
}

export interface ExportedChat {
  key: string
  title: string
  agent: string
  createdAt: string
  updatedAt: string
  /** All messages of all branches. Versions of a message follow the same message. */
  messages: ExportedMessage[]
  /** Number of the last message of the shown branch; defaults to the last of the list. */
  lastShown?: number
}

/** `parley.json` of an export. */
export interface ExportDocument {
  format: 'parley-export'
  version: 1
  exportedAt: string
  installation: string
  chats: ExportedChat[]
}

export const ExportFormat = z.enum(['markdown', 'json'])
