import { z } from 'zod'
import { type ErrorCode, PROBLEMS } from './errors.ts'

/** The `type` of every problem is this prefix and the code. */
export const PROBLEM_TYPE_PREFIX = 'urn:parley:problem:'

/** Body of every reply that is not a success: `application/problem+json`, RFC 9457, with a stable `code`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(PROBLEMS) as [ErrorCode, ...ErrorCode[]]),
  /** The running turn, with `session_busy`. */
  turn: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
