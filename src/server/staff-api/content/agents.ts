import { z } from 'zod'
import {
  AgentList,
  AgentPublicationRequest,
  AgentView,
  AnyAgentId,
  CheckedText,
  DraftToSave,
  ManagedAgentId,
  NewManagedAgent,
  TextToCheck,
} from '../../../contract/staff/content/agents.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { admitAgent } from '../../managed/admit-agent.ts'
import { ManagedLife } from '../../managed/managed-life.ts'
import { MANAGED_AGENTS, type ManagedText } from '../../store/knowledge/managed-texts.ts'
import { managedAgentView, mistakeOf } from '../agent-view.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { managedTextRoutes } from './managed-texts.ts'
import { staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/agents'
const route = staffRoutes('agents')

/** Agents that staff manage, and those of files, which are only read. */
export function agentRoutes(app: Server, options: ConsoleRouteOptions): void {
  listRoute(app, options)
  agentRoute(app, options)
  managedTextRoutes(app, {
    path: PATH,
    tag: 'agents',
    noun: 'a managed agent',
    staff: 'change-agents',
    takesTokens: false,
    id: ManagedAgentId,
    create: NewManagedAgent,
    save: DraftToSave,
    toCheck: TextToCheck,
    checked: CheckedText,
    check: async (id, text) => ({ mistakes: (await options.agents.check(id, text)).mistakes.map(mistakeOf) }),
    publish: AgentPublicationRequest,
    life: lifeOfAgents(options),
  })
}

function lifeOfAgents({ database, audit, agents, now }: ConsoleRouteOptions): ManagedLife {
  return new ManagedLife(
    {
      texts: MANAGED_AGENTS,
      action: 'agent',
      problems: { taken: 'agent_exists', 'too-many': 'too_many_agents', inForce: 'agent_in_force' },
      async rejectionOf(id, text) {
        const { mistakes, name } = await agents.check(id, text)
        return name === null || mistakes.length > 0 ? { rejected: 'agent_mistaken' } : null
      },
      admit: admitAgent,
      apply: async () => undefined,
    },
    { database, audit, now },
  )
}

function listRoute(app: Server, { database, agents }: ConsoleRouteOptions): void {
  app.get(PATH, route('read-agents', { summary: 'List agents', reply: AgentList }), async () => {
    const [files, managed] = await Promise.all([agents.files(), MANAGED_AGENTS.list(database)])
    const inForce = agents.inForce()
    const nameOf = (id: string) => inForce.find((agent) => agent.id === id)?.name ?? ''
    return {
      files: files.map(({ name: file, id, mistakes }) => ({
        id: id ?? file,
        name: id === null ? '' : nameOf(id),
        isInForce: id !== null && !managed.some((one) => one.id === id && one.inForce !== null),
        problems: mistakes.length,
        file,
      })),
      managed: await Promise.all(managed.map(listed)),
      tools: [...agents.tools],
    }
  })

  async function listed({ id, draft, inForce }: ManagedText) {
    const { mistakes, name } = await agents.check(id, draft.text)
    return {
      id,
      name: name ?? '',
      isInForce: inForce !== null,
      problems: mistakes.length,
      published: inForce?.number ?? null,
      hasChanges: inForce?.text !== draft.text,
    }
  }
}

function agentRoute(app: Server, options: ConsoleRouteOptions): void {
  const { database, agents } = options
  app.get(
    `${PATH}/:id`,
    route(
      { staff: 'read-agents', scopes: ['write:drafts'] },
      { summary: 'Retrieve an agent', params: z.object({ id: AnyAgentId }), reply: AgentView },
    ),
    async (request, reply) => {
      const { id } = request.params
      const [files, managed] = await Promise.all([agents.files(), MANAGED_AGENTS.read(database, id)])
      const file = files.find((one) => (one.id ?? one.name) === id)
      if (!file && !managed) return reject(reply, 'not_found')
      return {
        file: file
          ? { name: file.name, text: file.text, changedAt: file.changedAt.toISOString(), mistakes: file.mistakes.map(mistakeOf) }
          : null,
        managed: managed ? await managedAgentView(managed, options) : null,
      }
    },
  )
}
