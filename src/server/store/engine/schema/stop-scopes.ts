export const STOP_SCOPES = ['all', 'agent', 'topic', 'file'] as const
export type StopScope = (typeof STOP_SCOPES)[number]
