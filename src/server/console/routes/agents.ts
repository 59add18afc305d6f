import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import {
  AgentChanged,
  AgentList,
  AgentPublished,
  AgentView,
  AnyAgentId,
  CheckedText,
  DraftToSave,
  ManagedAgentId,
  NewManagedAgent,
  PublicationRequest,
  RollBackRequest,
  TextToCheck,
} from '../../../contract/staff/agents.ts'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import { reject } from '../../http/problems.ts'
import type { Server } from '../../http/server.ts'
import type { AuditAction } from '../../staff/audit.ts'
import type { Database } from '../../store/database.ts'
import { MANAGED_AGENTS, publishAgent, readManagedAgent } from '../../store/managed-agents.ts'
import { type ManagedText, textHash } from '../../store/managed-texts.ts'
import { managedAgentView, mistakeOf } from '../agent-view.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'

const PATH = '/api/staff/v1/agents'
const querystring = z.strictObject({})
const params = z.object({ id: ManagedAgentId })
const tags = ['agents']
const changed = { changed: true as const }

/** Agents that staff manage, and those of files, which are only read. */
export function agentRoutes(app: Server, options: ConsoleRouteOptions): void {
  listRoute(app, options)
  agentRoute(app, options)
  draftRoutes(app, options)
  publicationRoutes(app, options)
  removalRoutes(app, options)
}

function recordIn({ audit, now }: ConsoleRouteOptions) {
  return (actor: string, action: AuditAction, target: string) => (transaction: Database) =>
    audit.append(transaction, { at: now(), actor, action, target })
}

function listRoute(app: Server, { database, agents }: ConsoleRouteOptions): void {
  app.get(
    PATH,
    {
      schema: { summary: 'List agents', tags, querystring, response: { 200: AgentList, default: StaffProblem } },
      config: { staff: 'read-agents' },
    },
    async () => {
      const [files, managed] = await Promise.all([agents.files(), MANAGED_AGENTS.list(database)])
      const inForce = agents.inForce()
      const nameOf = (id: string) => inForce.find((agent) => agent.id === id)?.name ?? ''
      return {
        files: files.map(({ name: file, id, mistakes }) => ({
          id: id ?? file,
          name: id === null ? '' : nameOf(id),
          isInForce: id !== null,
          problems: mistakes.length,
          file,
        })),
        managed: await Promise.all(managed.map(listed)),
        tools: [...agents.tools],
      }
    },
  )

  async function listed({ id, draft, published }: ManagedText) {
    const [{ mistakes, name }, publication] = await Promise.all([
      agents.check(id, draft.text),
      published === null ? undefined : MANAGED_AGENTS.publication(database, id, published),
    ])
    const hiddenBy = agents.fileOf(id) ?? null
    const hasChanges = publication?.text !== draft.text
    return {
      id,
      name: name ?? '',
      isInForce: published !== null && hiddenBy === null,
      problems: mistakes.length,
      published,
      hasChanges,
      hiddenBy,
    }
  }
}

function agentRoute(app: Server, options: ConsoleRouteOptions): void {
  const { database, agents } = options
  app.get(
    `${PATH}/:id`,
    {
      schema: {
        summary: 'Retrieve an agent',
        tags,
        querystring,
        params: z.object({ id: AnyAgentId }),
        response: { 200: AgentView, default: StaffProblem },
      },
      config: { staff: 'read-agents' },
    },
    async (request, reply) => {
      const { id } = request.params
      const [files, managed] = await Promise.all([agents.files(), readManagedAgent(database, id)])
      const file = files.find((one) => (one.id ?? one.name) === id)
      if (!file && !managed) return reject(reply, 'not_found')
      return {
        file: file ? { name: file.name, text: file.text, mistakes: file.mistakes.map(mistakeOf) } : null,
        managed: managed ? await managedAgentView(managed, options) : null,
      }
    },
  )
}

function draftRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, agents, now } = options
  const record = recordIn(options)

  app.post(
    PATH,
    {
      schema: {
        summary: 'Create a managed agent',
        tags,
        querystring,
        body: NewManagedAgent,
        response: { 200: AgentChanged, default: StaffProblem },
      },
      config: { staff: 'change-agents' },
    },
    async (request, reply) => {
      const { id, text } = request.body
      const by = staffOf(request).member.id
      const outcome = await MANAGED_AGENTS.insert(database, { id, text, by, at: now() }, record(by, 'agent.create', id))
      if (outcome === 'taken') return rejectStaff(reply, 'agent_exists')
      return outcome === 'too-many' ? rejectStaff(reply, 'too_many_agents') : changed
    },
  )

  app.post(
    `${PATH}/:id/draft`,
    {
      schema: {
        summary: 'Save a draft',
        tags,
        querystring,
        params,
        body: DraftToSave,
        response: { 200: AgentChanged, default: StaffProblem },
      },
      config: { staff: 'change-agents' },
    },
    async (request, reply) => {
      const { id } = request.params
      const by = staffOf(request).member.id
      const isSaved = await MANAGED_AGENTS.saveDraft(database, { ...request.body, id, by, at: now() }, record(by, 'agent.save-draft', id))
      return isSaved ? changed : rejectStale(database, id, reply)
    },
  )

  app.post(
    `${PATH}/:id/check`,
    {
      schema: {
        summary: 'Check a text',
        tags,
        querystring,
        params,
        body: TextToCheck,
        response: { 200: CheckedText, default: StaffProblem },
      },
      config: { staff: 'change-agents' },
    },
    async (request) => ({ mistakes: (await agents.check(request.params.id, request.body.text)).mistakes.map(mistakeOf) }),
  )
}

function publicationRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database, agents, now } = options
  const record = recordIn(options)

  app.post(
    `${PATH}/:id/publication`,
    {
      schema: {
        summary: 'Publish a draft',
        tags,
        querystring,
        params,
        body: PublicationRequest,
        response: { 200: AgentPublished, default: StaffProblem },
      },
      config: { staff: 'change-agents', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      const { revision, anyway = false } = request.body
      const { member } = staffOf(request)
      if (anyway && !hasRight(member.role, 'publish-anyway')) return rejectStaff(reply, 'role_insufficient')
      const draft = (await MANAGED_AGENTS.read(database, id))?.draft
      if (!draft) return reject(reply, 'not_found')
      if (draft.revision !== revision) return rejectStaff(reply, 'agent_changed')
      const action = anyway ? 'agent.publish-anyway' : 'agent.publish'
      return publish(reply, { id, text: draft.text, revision, restores: null, needsEvaluation: !anyway, action, by: member.id })
    },
  )

  app.post(
    `${PATH}/:id/roll-back`,
    {
      schema: {
        summary: 'Restore an earlier version',
        tags,
        querystring,
        params,
        body: RollBackRequest,
        response: { 200: AgentPublished, default: StaffProblem },
      },
      config: { staff: 'change-agents', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      const publication = await MANAGED_AGENTS.publication(database, id, request.body.number)
      if (!publication) return reject(reply, 'not_found')
      const { text, number: restores } = publication
      const by = staffOf(request).member.id
      // A version that visitors have had is the way out of a bad one, whatever the cases say now.
      return publish(reply, { id, text, revision: null, restores, needsEvaluation: false, action: 'agent.roll-back', by })
    },
  )

  interface Publishing {
    id: string
    text: string
    revision: number | null
    restores: number | null
    needsEvaluation: boolean
    action: AuditAction
    by: string
  }

  async function publish(reply: FastifyReply, { action, ...publication }: Publishing) {
    const { id, text, by } = publication
    const { mistakes, name } = await agents.check(id, text)
    if (name === null || mistakes.length > 0) return rejectStaff(reply, 'agent_mistaken')
    const outcome = await publishAgent(database, { ...publication, at: now() }, record(by, action, `${id} ${textHash(text)}`))
    switch (outcome.kind) {
      case 'published':
        return { number: outcome.number }
      case 'not-evaluated':
        return rejectStaff(reply, 'agent_not_evaluated')
      case 'failed':
        return rejectStaff(reply, 'evaluation_failed', `Wrong: ${listOf(outcome.cases)}.`)
      case 'changed':
        return rejectStale(database, id, reply)
    }
  }
}

function removalRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { database } = options
  const record = recordIn(options)

  app.delete(
    `${PATH}/:id/publication`,
    {
      schema: {
        summary: 'Take a managed agent out of force',
        tags,
        querystring,
        params,
        response: { 200: AgentChanged, default: StaffProblem },
      },
      config: { staff: 'change-agents', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      if (!(await MANAGED_AGENTS.withdraw(database, id, record(staffOf(request).member.id, 'agent.withdraw', id))))
        return reject(reply, 'not_found')
      return changed
    },
  )

  app.delete(
    `${PATH}/:id`,
    {
      schema: { summary: 'Delete a managed agent', tags, querystring, params, response: { 200: AgentChanged, default: StaffProblem } },
      config: { staff: 'change-agents', isSensitive: true },
    },
    async (request, reply) => {
      const { id } = request.params
      if (await MANAGED_AGENTS.delete(database, id, record(staffOf(request).member.id, 'agent.delete', id))) return changed
      return (await MANAGED_AGENTS.read(database, id)) ? rejectStaff(reply, 'agent_in_force') : reject(reply, 'not_found')
    },
  )
}

async function rejectStale(database: Database, id: string, reply: FastifyReply) {
  return (await MANAGED_AGENTS.read(database, id)) ? rejectStaff(reply, 'agent_changed') : reject(reply, 'not_found')
}

const MAX_NAMED = 10

/** The first names, and how many more there are. */
function listOf(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => `“${name.slice(0, 100)}”`)
  return [...named, ...(names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : [])].join(', ')
}
