/** Scopes of a stop: everything, an agent, a topic, or a file of the knowledge. */
export const STOP_SCOPES = ['all', 'agent', 'topic', 'file'] as const
export type StopScope = (typeof STOP_SCOPES)[number]
