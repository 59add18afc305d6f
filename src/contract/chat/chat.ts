import { z } from 'zod'
import { ANSWER_STATES } from './answer-state.ts'
import { AwaitedApproval } from './approval.ts'
import { CitedSource } from './cited-sources.ts'
import { PageContext } from './page-context.ts'
import { NoticeVersion } from '../config.ts'
import { FileId } from './files.ts'
import { MAX_ATTACHMENTS, MAX_EARLIER_MESSAGES, MAX_PROMPT_CHARACTERS, SESSION_ID_LENGTH } from '../size-limits.ts'

/** The `{id}` of the chat calls, URL-decoded once: an agent's id, the visitor's `sub`, `me`, or an id that the client chose. */
export const ChatId = z
  .string()
  .regex(/^[A-Za-z0-9._~@:+-]{1,128}$/)
  .refine((id) => id !== '.' && id !== '..')

export const SessionId = z.string().regex(new RegExp(`^[A-Za-z0-9]{${SESSION_ID_LENGTH}}$`))

// White space, format characters (category Cf) and control characters are invisible: a prompt with nothing else is empty.
const INVISIBLE = /[\s\p{Cf}\p{Cc}]/gu

/** Id of a stored message. Clients may use other ids for messages that are not stored yet. */
export const MessageId = z.string().regex(new RegExp(`^m_[A-Za-z0-9]{${SESSION_ID_LENGTH}}$`))

/**
 * A visitor's prompt: trimmed, NUL removed, lone surrogates replaced by U+FFFD (they have no UTF-8 form).
 * 1 to `MAX_PROMPT_CHARACTERS` code points, at least one of them visible.
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

/** An earlier message of a temporary chat, which only the client stores. */
export const EarlierMessage = z.strictObject({
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
      'The id of a prompt in the session `session_id`. The new prompt becomes another version of it; the messages after the old version stay on their own branch. ' +
        'Returns 404 if the session or prompt does not exist. The metadata of an answer contain the id of its prompt as `promptId`.',
    ),
    attachments: z
      .array(FileId)
      .max(MAX_ATTACHMENTS)
      .refine((ids) => new Set(ids).size === ids.length)
      .optional()
      .describe('Ids of files uploaded by `POST /api/v1/files`. Each file can be attached to one prompt.'),
    temporary: z
      .literal(true)
      .optional()
      .describe(
        'Starts a temporary chat: it is never listed, and deleted within a minute after its answer. Clients delete it when they close it. Not allowed with `session_id`.',
      ),
    history: z.array(EarlierMessage).max(MAX_EARLIER_MESSAGES).optional().describe('Earlier messages of a temporary chat, oldest first.'),
    context: PageContext,
    acceptedNotice: NoticeVersion.optional().describe(
      'The version of the privacy notice that the visitor has accepted. If it is the current one, and that says that staff can read messages (`privacy.staffReading`), the acceptance is recorded and staff can read this prompt and its answer. Otherwise it has no effect: without it, staff can read neither. It has none for temporary chats, and for clients that chose their own id.',
    ),
    device: z
      .literal('shared')
      .optional()
      .describe('With the first prompt: the cookie ends with the browser session, and all data is deleted after 2 hours without activity.'),
  })
  .refine((body) => body.temporary || body.history === undefined)
  .refine((body) => !body.temporary || body.edits === undefined)

/** An empty or invalid `session_id` starts a new session, as the seed's client expects. */
export const SendPromptQuery = z.strictObject({ session_id: z.string().max(256).optional() })

export const SendPromptReply = z.object({
  session_id: SessionId,
  response: z.string().describe('The complete text of the answer.'),
  state: z.enum(ANSWER_STATES).describe('State of the answer, such as `answered`, `clarified` or `not_covered`.'),
  code: z.literal('answer_too_long').optional().describe('Present if the answer reached its length limit; `response` ends there.'),
  awaiting_approval: AwaitedApproval.optional().describe(
    'Present while tool calls wait for a decision; `response` is then what was written before.',
  ),
  sources: z.array(CitedSource).describe('The cited sources, ordered by number; empty if none.'),
})
export type SendPromptReply = z.infer<typeof SendPromptReply>

/** The JSON in each string of `messages` in `StoredSession`. */
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
