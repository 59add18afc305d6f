/** Address of the screen of an agent. */
export const agentAddress = (id: string): string => `#/agents/${encodeURIComponent(id)}`
