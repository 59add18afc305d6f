import type { Scorecard } from '../../contract/scorecard.ts'
import { requestJson } from './request.ts'

/** What the operator publishes about the answers. */
export const fetchScorecard = (signal: AbortSignal) => requestJson<Scorecard>('/api/v1/scorecard', { signal })
