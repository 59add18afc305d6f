import type { FilePart } from '../../../contract/parts/file.ts'
import type { Unsent } from '../../state/chat-session.ts'
import { entries, put, remove } from './offline-store.ts'

const FOLDER = '/offline/prompts/'
const LIMITS = { maxEntries: 20, maxBytes: 1024 * 1024 }
/** Unsent prompts expire after this time. */
const LIFE_MS = 7 * 24 * 60 * 60 * 1000

/** A prompt typed offline. Its id makes repeated sending idempotent. */
export interface QueuedPrompt {
  unsent: Unsent
  /** Attached files, and thumbnails of files stored here, as `data:` URLs by address. */
  files: FilePart[]
  thumbnails: Record<string, string>
  /** Session key, which may be new to the server. */
  session: string
  isNewChat: boolean
  agent: string
  /** Milliseconds since the epoch. */
  writtenAt: number
}

/** Default for entries of earlier releases. */
const NO_FILES = { files: [], thumbnails: {} }

export const pathOfPrompt = (id: string): string => FOLDER + id

export const queuePrompt = (prompt: QueuedPrompt): Promise<void> => put(FOLDER, prompt.unsent.id, prompt, LIMITS)

export const removeQueuedPrompt = (id: string): Promise<boolean> => remove(pathOfPrompt(id))

/** Queued prompts, oldest first. */
export async function readQueuedPrompts(now: number): Promise<QueuedPrompt[]> {
  const waiting: QueuedPrompt[] = []
  for (const entry of await entries(FOLDER)) {
    const prompt = { ...NO_FILES, ...((await entry.read()) as QueuedPrompt) }
    if (prompt.writtenAt > now - LIFE_MS) waiting.push(prompt)
    else await removeQueuedPrompt(prompt.unsent.id)
  }
  return waiting
}
