import type { FilePart } from '../../../contract/parts/file.ts'
import type { Unsent } from '../../state/application-store.ts'
import { entries, put, remove } from './offline-store.ts'

const FOLDER = '/kept/prompts/'
const LIMITS = { maxEntries: 20, maxBytes: 1024 * 1024 }
/** One that could not be sent for so long is not sent any more: nobody remembers it. */
const LIFE_MS = 7 * 24 * 60 * 60 * 1000

/** A prompt that was written without a connection. Its id makes it one, however often it is sent. */
export interface QueuedPrompt {
  unsent: Unsent
  /** The files that go with it, and small pictures of those that wait here too, as `data:` URLs by their addresses. */
  files: FilePart[]
  thumbnails: Record<string, string>
  /** Key of its chat, which the server may not know yet. */
  session: string
  isNewChat: boolean
  agent: string
  /** Milliseconds since the epoch. */
  writtenAt: number
}

/** What an earlier release has kept says nothing of files. */
const NO_FILES = { files: [], thumbnails: {} }

export const pathOfPrompt = (id: string): string => FOLDER + id

export const queuePrompt = (prompt: QueuedPrompt): Promise<void> => put(FOLDER, prompt.unsent.id, prompt, LIMITS)

export const removeQueuedPrompt = (id: string): Promise<boolean> => remove(pathOfPrompt(id))

/** In the order in which they were written. */
export async function readQueuedPrompts(now: number): Promise<QueuedPrompt[]> {
  const waiting: QueuedPrompt[] = []
  for (const entry of await entries(FOLDER)) {
    const prompt = { ...NO_FILES, ...((await entry.read()) as QueuedPrompt) }
    if (prompt.writtenAt > now - LIFE_MS) waiting.push(prompt)
    else await removeQueuedPrompt(prompt.unsent.id)
  }
  return waiting
}
