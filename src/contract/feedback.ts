import { z } from 'zod'
import { MessageId } from './chat.ts'
import { MAX_REASON_CHARACTERS } from './size-limits.ts'

const Thumb = z.enum(['up', 'down'])
const Reason = z.string().max(MAX_REASON_CHARACTERS).describe('Why, in the visitor’s words.')

/** What a visitor thinks of an answer; on a message it is in its metadata. */
export const Feedback = z.object({ thumb: Thumb, reason: Reason.optional() })

export const GiveFeedbackBody = z.strictObject({
  message: MessageId.describe('The answer.'),
  thumb: Thumb.nullable().describe('Null takes back what was said before.'),
  reason: Reason.transform((text) => text.replaceAll('\0', '').toWellFormed().trim()).optional(),
})
