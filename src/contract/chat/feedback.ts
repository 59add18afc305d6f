import { z } from 'zod'
import { MessageId } from './chat.ts'
import { MAX_REASON_CHARACTERS } from '../size-limits.ts'

const Thumb = z.enum(['up', 'down'])
const Reason = z.string().max(MAX_REASON_CHARACTERS).describe('The visitor’s reason.')

export const Feedback = z.object({ thumb: Thumb, reason: Reason.optional() })

export const GiveFeedbackBody = z.strictObject({
  message: MessageId.describe('The answer.'),
  thumb: Thumb.nullable().describe('Null withdraws the rating.'),
  reason: Reason.transform((text) => text.replaceAll('\0', '').toWellFormed().trim()).optional(),
})
