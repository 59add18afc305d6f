import type { ChatChunk } from '../../src/contract/chat/message.ts'
import { AgentPolicy } from '../../src/server/replies/agent-policy.ts'
import { NO_POLICY, type PolicyDefinition } from '../../src/server/replies/policy.ts'
import type { Agent, AnswerRequest, Complete, ModelChoice } from '../../src/server/answering/agents/agent.ts'
import { PubSub } from '../../src/server/pubsub/pubsub.ts'
import type { Access } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { UNLIMITED } from './unlimited.ts'
import type { PromptRequest, Started } from '../../src/server/turns/started-turn.ts'
import { Turns, type TurnsOptions } from '../../src/server/turns/turns.ts'

const HISTORY_TOKENS = 20

/** The chunks of a text. */
export async function* say(...texts: string[]): AsyncGenerator<ChatChunk> {
  yield { type: 'text-start', id: '1' }
  for (const delta of texts) yield { type: 'text-delta', id: '1', delta }
  yield { type: 'text-end', id: '1' }
}

export interface Script {
  run?: ((request: AnswerRequest) => AsyncIterable<ChatChunk>) | undefined
  complete?: Complete | null | undefined
  policy?: Partial<PolicyDefinition> | undefined
}

/** An agent that answers as the script says, and which model was wanted for each completion. */
export function scriptedAgent({ run = () => say('Hello'), complete = null, policy = {} }: Script) {
  const wanted: ModelChoice[] = []
  const agent = {
    id: 'assistant',
    policy: new AgentPolicy({ ...NO_POLICY, ...policy }, null),
    modelOf: (model: ModelChoice) => ({ label: `The ${model}`, provider: null, name: model }),
    notReady: null,
    run,
    historyTokens: HISTORY_TOKENS,
    completionOf: (model: ModelChoice) => {
      wanted.push(model)
      return complete
    },
  } as unknown as Agent
  return { agent, wanted }
}

interface Prompted extends Partial<PromptRequest> {
  owner?: string
  session?: string
}

/** The turns of a process with one agent, and what starts one, in a chat of its own unless a session is named. */
export function scriptedTurns(database: Database, { run, complete, policy, ...changes }: Partial<TurnsOptions> & Script = {}) {
  const { agent, wanted } = scriptedAgent({ run, complete, policy })
  const turns = new Turns({
    database,
    agents: { first: agent, find: () => agent, notReady: () => null },
    pubsub: new PubSub(),
    instance: 'i',
    keys: ['k'.repeat(32)],
    now: () => 0,
    onFault: (message, cause) => {
      throw new Error(message, { cause })
    },
    ...changes,
  })
  const start = (prompt = 'Hi', { owner = 'v', session, ...request }: Prompted = {}) =>
    turns.start({
      sender: { owner, access: accessOf(owner), newVisitor: null, openById: false },
      agent: null,
      session,
      prompt,
      claim: null,
      ...UNLIMITED,
      ...request,
    })
  const started = async (...args: Parameters<typeof start>) => startedTurn(await start(...args))
  return { turns, start, started, wanted, agent }
}

export const accessOf = (owner: string): Access => ({ owner, credential: true, now: 0, retentionMs: 1_000_000 })

/** The turn of an outcome that has to be one. */
export function startedTurn(outcome: Started | { kind: 'rejected' }) {
  if (outcome.kind !== 'started') throw new Error(JSON.stringify(outcome))
  return outcome.turn
}
