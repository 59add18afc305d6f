import { expect, test } from 'vitest'
import type { PublicConfiguration } from '../../contract/config.ts'
import { chooseAgent, localizeAgents, useConfiguration } from './configuration.ts'

const configurationWith = (...agents: { id: string; name: string }[]) => ({ agent: agents[0], agents }) as unknown as PublicConfiguration
const chosen = () => useConfiguration.getState()?.agent.name

test('chooses an agent that exists, and keeps it in another language', () => {
  useConfiguration.setState(configurationWith({ id: 'a', name: 'Assistant' }, { id: 'b', name: 'Cook' }))
  chooseAgent('b')
  expect(chosen()).toBe('Cook')
  chooseAgent('unknown')
  expect(chosen()).toBe('Cook')
  localizeAgents(configurationWith({ id: 'a', name: 'Assistent' }, { id: 'b', name: 'Koch' }))
  expect(chosen()).toBe('Koch')
  localizeAgents(configurationWith({ id: 'a', name: 'Assistent' }))
  expect(chosen()).toBe('Assistent')
})
