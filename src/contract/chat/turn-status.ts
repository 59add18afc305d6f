/** `running`, or one of the four ends; an end never changes. */
export const TURN_STATUSES = ['running', 'done', 'stopped', 'failed', 'interrupted'] as const
export type TurnStatus = (typeof TURN_STATUSES)[number]
