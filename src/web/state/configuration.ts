import { create } from 'zustand'
import type { PublicConfiguration } from '../../contract/config.ts'

/** The installation's public configuration, and the chosen agent; `null` until it is fetched. */
export const useConfiguration = create<PublicConfiguration | null>(() => null)

/** Takes over the agents of another configuration, in another language. The chosen agent stays chosen. */
export function localizeAgents({ agent: first, agents }: PublicConfiguration): void {
  useConfiguration.setState((configuration) => ({ agents, agent: agents.find(({ id }) => id === configuration?.agent.id) ?? first }))
}

/** Chooses the agent of the next prompts. Ignores agents that do not exist. */
export function chooseAgent(id: string): void {
  useConfiguration.setState((configuration) => {
    const agent = configuration?.agents.find((other) => other.id === id)
    return agent ? { agent } : {}
  })
}
