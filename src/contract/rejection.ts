import type { PersonalDataMatch } from '../personal-data/kinds.ts'
import type { ErrorCode } from './errors.ts'
import type { InvalidField } from './problem.ts'
import type { Challenge } from './proof-of-work.ts'

/** Why the server rejects a request. Every expected rejection has this form, from the database to the reply; faults are thrown. */
export interface Rejection {
  kind: 'rejected'
  code: ErrorCode
  /** Seconds until a retry can succeed, if the cause passes by itself. */
  retryAfterS?: number | undefined
  /** The running turn, with `session_busy`. */
  turn?: string | undefined
  /** The challenge to solve, with `proof_of_work_required`. */
  challenge?: Challenge | undefined
  /** Share of the model that has been downloaded, 0 to 100, with `model_loading`. */
  percent?: number | undefined
  /** Personal data that was found, with `personal_data`. */
  personalData?: readonly PersonalDataMatch[] | undefined
  /** Fields at fault, with `invalid_request`. */
  errors?: readonly InvalidField[] | undefined
  /** The caller's rate limits, for the reply's headers. */
  rateLimits?: readonly RateLimit[] | undefined
}

/** A caller's usage of one rate limit. */
export interface RateLimit {
  window: 'minute' | 'hour' | 'day'
  limit: number
  used: number
  /** When the window ends, in milliseconds since the epoch. */
  endsAt: number
}

export function rejection(code: ErrorCode, details: Omit<Rejection, 'kind' | 'code'> = {}): Rejection {
  return { kind: 'rejected', code, ...details }
}

export function invalidField(place: InvalidField['in'], name: string): Rejection {
  return rejection('invalid_request', { errors: [{ in: place, pointer: `#/${name}` }] })
}

export type RejectionData = Omit<Rejection, 'kind' | 'rateLimits'>
