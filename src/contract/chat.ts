import { z } from 'zod'
import { CitedSource } from './cited-sources.ts'
import { FileId } from './files.ts'
import { MAX_ATTACHMENTS, MAX_EARLIER_MESSAGES, MAX_PROMPT_CHARACTERS, SESSION_ID_LENGTH } from './size-limits.ts'

/** The `{id}` of the chat calls, after one decoding: an agent's id, the visitor's `sub`, `me`, or an id the client chose. */
export const ChatId = z
  .string()
  .regex(/^[A-Za-z0-9._~@:+-]{1,128}$/)
  .refine((id) => id !== '.' && id !== '..')

export const SessionId = z.string().regex(new RegExp(`^[A-Za-z0-9]{${SESSION_ID_LENGTH}}$`))

// Zero-width and directional characters (category Cf) and NUL draw nothing: a prompt of only these is empty.
const INVISIBLE = /[\s\p{Cf}\p{Cc}]/gu

/** Of a stored message; what a client calls its own messages meanwhile is its own matter. */
export const MessageId = z.string().regex(new RegExp(`^m_[A-Za-z0-9]{${SESSION_ID_LENGTH}}$`))

/**
 * A visitor's prompt: trimmed, NUL removed, lone surrogates replaced by U+FFFD (they have no UTF-8 form).
 * 1 to `MAX_PROMPT_CHARACTERS` code points, of which at least one draws something.
 */
export const Prompt = z
  .string()
  .transform((text) => text.replaceAll('\0', '').toWellFormed().trim())
  .superRefine((text, context) => {
    if (text.replace(INVISIBLE, '') === '') {
      context.addIssue({ code: 'custom', message: 'prompt_empty', params: { code: 'prompt_empty' } })
    } else if (text.length > MAX_PROMPT_CHARACTERS && [...text].length > MAX_PROMPT_CHARACTERS) {
      context.addIssue({ code: 'custom', message: 'prompt_too_long', params: { code: 'prompt_too_long' } })
    }
  })

/** What was said before in a temporary chat: its client remembers it, the server does not. */
const EarlierMessage = z.strictObject({
  role: z.enum(['user', 'assistant']),
  text: z
    .string()
    .min(1)
    .transform((text) => text.replaceAll('\0', '').toWellFormed()),
})
export type EarlierMessage = z.infer<typeof EarlierMessage>

export const SendPromptBody = z
  .strictObject({
    prompt: Prompt,
    edits: MessageId.optional().describe(
      'A prompt of the session `session_id`: this one becomes another version of it, and what followed that stays on its own branch. ' +
        'Rejected with 404 where there is no such session or prompt. The answer’s metadata name the prompt that it answers as `promptId`.',
    ),
    attachments: z
      .array(FileId)
      .max(MAX_ATTACHMENTS)
      .refine((ids) => new Set(ids).size === ids.length)
      .optional()
      .describe('Files that were sent before, by `POST /api/v1/files`. Each goes with one prompt.'),
    temporary: z
      .literal(true)
      .optional()
      .describe(
        'A chat that is never listed and goes within a minute after its answer; delete it when it is closed. Takes no `session_id`.',
      ),
    history: z
      .array(EarlierMessage)
      .max(MAX_EARLIER_MESSAGES)
      .optional()
      .describe('Of a temporary chat: what was said before, oldest first.'),
    device: z
      .literal('shared')
      .optional()
      .describe('With the first prompt: the cookie ends with the browser, and everything goes after 2 hours without activity.'),
  })
  .refine((body) => body.temporary || body.history === undefined)
  .refine((body) => !body.temporary || body.edits === undefined)

/** An empty or unusable `session_id` means a new session, as the seed's client expects. */
export const SendPromptQuery = z.strictObject({ session_id: z.string().max(256).optional() })

export const SendPromptReply = z.object({
  session_id: SessionId,
  response: z.string().describe('The text of the whole answer.'),
  sources: z.array(CitedSource).describe('The sources that it cites, by number; empty where it cites none.'),
})
export type SendPromptReply = z.infer<typeof SendPromptReply>

/** What each string of `messages` in `StoredSession` decodes to. */
export const StoredMessage = z.object({
  type: z.enum(['human', 'agent']),
  data: z.object({
    content: z.string(),
    additional_kwargs: z.object({}),
    response_metadata: z.object({}),
    type: z.literal('text'),
    name: z.null(),
    id: z.null(),
    example: z.literal(false),
  }),
})
export type StoredMessage = z.infer<typeof StoredMessage>

export const StoredSession = z.object({
  key: SessionId,
  messages: z.array(z.string()).describe('Messages oldest first, each a JSON-encoded StoredMessage.'),
})
export type StoredSession = z.infer<typeof StoredSession>

export const StoredSessionList = z.array(StoredSession)
