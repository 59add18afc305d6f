import type { ErrorCode } from '../../contract/errors.ts'
import type { Challenge } from '../../contract/proof-of-work.ts'
import type { Usage } from './quotas.ts'

/** Why not, and when to ask again. `usages`: what has been used of which quota, for the reply's headers. */
export interface LimitRejection {
  kind: 'refused'
  code: ErrorCode
  retryAfterS: number
  usages: Usage[]
  /** The work to be shown, with `proof_of_work_required`. */
  challenge?: Challenge
}
