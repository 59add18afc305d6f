import type { Agent } from '../answering/agents/agent.ts'
import { COUNTRIES, NUMBERS_COMPILED_ON } from '../safety/emergency/emergency-numbers.ts'

/** Asks the operator to check the numbers that visitors in an emergency read, or to name the countries. */
export function emergencyRequests(agents: readonly Pick<Agent, 'id' | 'policy'>[]): string[] {
  const countries = [...new Set(agents.flatMap(({ policy }) => policy.definition.countries))]
  const requests = countries.flatMap((code) => {
    const { source, ...numbers } = COUNTRIES[code] ?? { source: '' }
    return source === ''
      ? []
      : [`Check the emergency numbers of ${code}, compiled on ${NUMBERS_COMPILED_ON}: ${Object.values(numbers).join(', ')} (${source})`]
  })
  const without = agents.filter(({ policy }) => policy.definition.countries.length === 0).map(({ id }) => id)
  if (without.length > 0)
    requests.push(
      `In an emergency, visitors of ${without.join(', ')} read the European number 112. If yours live elsewhere, list their countries under "countries" in the policy (docs/agents.md).`,
    )
  return requests
}
