import { create } from 'zustand'
import type { PublicConfiguration } from '../../contract/config.ts'

/** What the server says about this installation, and `agent`, the chosen one; null until it has been fetched at the start. */
export const useConfiguration = create<PublicConfiguration | null>(() => null)

/** Takes over the agents of another configuration, in another language. The chosen agent stays chosen. */
export function localizeAgents({ agent: first, agents }: PublicConfiguration): void {
  useConfiguration.setState((configuration) => ({ agents, agent: agents.find(({ id }) => id === configuration?.agent.id) ?? first }))
}

/** From now on chats are with this agent; one that is gone changes nothing. */
export function chooseAgent(id: string): void {
  useConfiguration.setState((configuration) => {
    const agent = configuration?.agents.find((other) => other.id === id)
    return agent ? { agent } : {}
  })
}
