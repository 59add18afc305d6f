import type { ErrorCode } from '../errors.ts'
import type { TurnStatus } from './turn-status.ts'

/** How a turn ended for the visitor. Each ended turn has exactly one. */
export const ANSWER_STATES = [
  'answered',
  'answered_without_source',
  'clarified',
  'not_covered',
  'out_of_scope',
  'referred',
  'blocked_input',
  'blocked_output',
  'suspended',
  'failed',
  'stopped',
  'interrupted',
] as const
export type AnswerState = (typeof ANSWER_STATES)[number]

export type CompleteState = Extract<
  AnswerState,
  'answered' | 'answered_without_source' | 'clarified' | 'not_covered' | 'out_of_scope' | 'referred' | 'blocked_output'
>

const STATE_OF_CODE: Partial<Record<ErrorCode, AnswerState>> = {
  prompt_blocked: 'blocked_input',
  answer_blocked: 'blocked_output',
  suspended: 'suspended',
}

/** The state of an ended turn. `complete` is the state of an answer with the status `done`. */
export function answerStateOf(
  { status, code }: { status: Exclude<TurnStatus, 'running'>; code: ErrorCode | null },
  complete: AnswerState = 'answered_without_source',
): AnswerState {
  return status === 'done' ? complete : ((code && STATE_OF_CODE[code]) ?? status)
}
