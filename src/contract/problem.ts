import { z } from 'zod'
import { Challenge } from './proof-of-work.ts'
import { type ErrorCode, PROBLEMS } from './errors.ts'
import { FoundPersonalData } from '../personal-data/rules.ts'

/** The `type` of every problem is this prefix and the code. */
export const PROBLEM_TYPE_PREFIX = 'urn:parley:problem:'

/** The field that `invalid_request` is about; for an unknown key, what has it. */
export const InvalidField = z.object({
  in: z.enum(['body', 'query', 'header']),
  pointer: z.string().describe('JSON pointer, as `#/files/0/name`.'),
})
export type InvalidField = z.infer<typeof InvalidField>

/** Body of every reply that is not a success: `application/problem+json`, RFC 9457, with a stable `code`. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.enum(Object.keys(PROBLEMS) as [ErrorCode, ...ErrorCode[]]),
  /** The running turn, with `session_busy`. */
  turn: z.string().optional(),
  /** The challenge to solve, with `proof_of_work_required`. */
  challenge: Challenge.optional(),
  /** Share of the model that has been downloaded, 0 to 100, with `model_loading`. */
  percent: z.int().min(0).max(100).optional(),
  /** The first 100 matches, with `personal_data`. */
  personalData: z.array(FoundPersonalData).readonly().optional(),
  /** With `invalid_request`, as far as a field is at fault. */
  errors: z.array(InvalidField).readonly().optional(),
})
export type Problem = z.infer<typeof Problem>
