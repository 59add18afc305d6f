import type { ModelSettings } from '../../src/server/answering/agents/agent.ts'
import type { ChatRequest, Script } from './scripted-model.ts'

/** An endpoint quirk and its expected outcome. */
export interface Dialect {
  /** Replies of the endpoint in order, then `ANSWER`. */
  replies: Script[]
  /** The model's name; `m` if unset. */
  model?: string
  settings?: Partial<Extract<ModelSettings, { kind: 'openai-compatible' }>>
  text?: string
  reasoning?: string
  code?: string
  /** Expected fields of the last request body; `undefined` for absent ones. */
  sent?: { [Name in keyof ChatRequest]?: ChatRequest[Name] | undefined }
  /** Expected number of requests. */
  requests?: number
  /** Expected log line, once. */
  log?: string
}

export const ANSWER = 'All is well.'
export const errorReply = (error: unknown, status = 400): Script => ({ status, body: JSON.stringify({ error }) })
export const raw = (...lines: string[]): Script => ({ headers: { 'content-type': 'text/event-stream' }, body: lines.join('') })
const chunk = (delta: object, finish: string | null = null, index = 0) =>
  JSON.stringify({ choices: [{ index, delta, finish_reason: finish }] })
export const line = (delta: object, finish: string | null = null, index = 0) => `data: ${chunk(delta, finish, index)}\n\n`
export const DONE = 'data: [DONE]\n\n'
export const textReply = (...contents: string[]) => raw(...contents.map((content) => line({ content })), line({}, 'stop'), DONE)
