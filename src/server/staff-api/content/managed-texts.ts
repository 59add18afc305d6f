import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { CheckedText } from '../../../contract/staff/content/agents.ts'
import type { CheckedApprovedDraft } from '../../../contract/staff/content/approved-answers.ts'
import { RollBackRequest, TextPublished } from '../../../contract/staff/content/managed-texts.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import type { WriteScope } from '../../../contract/staff/token-scopes.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { ManagedLife, Outcome } from '../../managed/managed-life.ts'
import { staffOf } from '../authorize.ts'
import { rejectStaff } from '../reject-staff.ts'
import { Done, staffRoutes } from '../staff-route.ts'

type Checked = CheckedText | CheckedApprovedDraft

export interface ManagedRoutes {
  path: string
  tag: string
  /** Name with its article, for summaries. */
  noun: string
  staff: 'change-agents' | 'change-knowledge'
  /** Whether tokens of the scope can change them. */
  takesTokens: boolean
  id: z.ZodType<string, string>
  create: z.ZodType<{ id: string; text: string }>
  save: z.ZodType<{ text: string; basedOn: number }>
  toCheck: z.ZodType<{ text: string }>
  checked: z.ZodType<Checked, Checked>
  publish: z.ZodType<{ revision: number; anyway?: true | undefined }>
  check: (id: string, text: string) => Promise<Checked>
  life: ManagedLife
}

/** Routes by which staff draft, check, publish, roll back, withdraw and delete texts of a kind. */
export function managedTextRoutes(app: Server, routes: ManagedRoutes): void {
  draftRoutes(app, routes)
  publicationRoutes(app, routes)
}

/** Who may call a route: staff with the right, and tokens of a scope. */
function configOf({ staff, takesTokens }: ManagedRoutes, scope: WriteScope) {
  return { staff, ...(takesTokens && { scopes: [scope] }) }
}

function draftRoutes(app: Server, routes: ManagedRoutes): void {
  const { path, tag, noun, id, create, save, toCheck, checked, check, life } = routes
  const config = configOf(routes, 'write:drafts')
  const route = staffRoutes(tag)
  const params = z.object({ id })
  app.post(path, route(config, { summary: `Create ${noun}`, body: create, reply: Done }), async (request, reply) =>
    send(reply, await life.create(request.body, staffOf(request).member.id)),
  )
  app.post(
    `${path}/:id/draft`,
    route(config, { summary: `Save the draft of ${noun}`, params, body: save, reply: Done }),
    async (request, reply) => send(reply, await life.save({ ...request.body, ...request.params }, staffOf(request).member.id)),
  )
  app.post(
    `${path}/:id/check`,
    route(config, { summary: `Check a draft of ${noun}`, params, body: toCheck, reply: checked }),
    async (request) => check(request.params.id, request.body.text),
  )
}

function publicationRoutes(app: Server, routes: ManagedRoutes): void {
  const { path, tag, noun, id, publish, life } = routes
  const route = staffRoutes(tag)
  const params = z.object({ id })
  const config = { ...configOf(routes, 'publish'), isSensitive: true } as const
  app.post(
    `${path}/:id/publication`,
    route(config, { summary: `Publish the draft of ${noun}`, params, body: publish, reply: TextPublished }),
    async (request, reply) => {
      const { revision, anyway = false } = request.body
      const { member } = staffOf(request)
      if (anyway && !hasRight(member.role, 'publish-anyway')) return rejectStaff(reply, 'role_insufficient')
      return send(reply, await life.publish({ ...request.params, revision, anyway }, member.id))
    },
  )
  app.post(
    `${path}/:id/roll-back`,
    route(config, { summary: `Restore an earlier version of ${noun}`, params, body: RollBackRequest, reply: TextPublished }),
    async (request, reply) => send(reply, await life.rollBack({ ...request.params, ...request.body }, staffOf(request).member.id)),
  )
  app.delete(`${path}/:id/publication`, route(config, { summary: `Withdraw ${noun}`, params, reply: Done }), async (request, reply) =>
    send(reply, await life.withdraw(request.params.id, staffOf(request).member.id)),
  )
  app.delete(
    `${path}/:id`,
    route({ ...configOf(routes, 'write:drafts'), isSensitive: true }, { summary: `Delete ${noun}`, params, reply: Done }),
    async (request, reply) => send(reply, await life.delete(request.params.id, staffOf(request).member.id)),
  )
}

function send<Result extends object>(reply: FastifyReply, outcome: Outcome<Result>) {
  if (!('rejected' in outcome)) return outcome
  const { rejected, detail } = outcome
  return rejected === 'not_found' ? reject(reply, rejected) : rejectStaff(reply, rejected, detail)
}
