import { z } from 'zod'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { Removed, StaffId } from '../../../contract/staff/session.ts'
import { CreatedToken, NewToken, type TokenInForce, TokenList } from '../../../contract/staff/tokens.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { StaffToken } from '../../store/staff/staff-tokens.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'

const querystring = z.strictObject({})

/** Tokens with which scripts use the staff API, and other programs use agents. */
export function tokenRoutes(app: Server, { tokens }: ConsoleRouteOptions): void {
  const tags = ['tokens']

  app.get(
    '/api/staff/v1/tokens',
    {
      schema: { summary: 'List tokens', tags, querystring, response: { 200: TokenList, default: StaffProblem } },
      config: { staff: 'manage-staff' },
    },
    async () => ({ tokens: (await tokens.list()).map(viewOf) }),
  )

  app.post(
    '/api/staff/v1/tokens',
    {
      schema: { summary: 'Create a token', tags, querystring, body: NewToken, response: { 200: CreatedToken, default: StaffProblem } },
      config: { staff: 'manage-staff', isSensitive: true },
    },
    async (request, reply) => {
      const created = await tokens.create({ ...request.body, actor: staffOf(request).member.id })
      return created ? { ...viewOf(created), token: created.token } : rejectStaff(reply, 'too_many_tokens')
    },
  )

  app.delete(
    '/api/staff/v1/tokens/:id',
    {
      schema: {
        summary: 'Revoke a token',
        tags,
        querystring,
        params: z.object({ id: StaffId }),
        response: { 200: Removed, default: StaffProblem },
      },
      config: { staff: 'manage-staff', isSensitive: true },
    },
    async (request, reply) => {
      const isRevoked = await tokens.revoke(request.params.id, staffOf(request).member.id)
      return isRevoked ? { removed: true as const } : reject(reply, 'not_found')
    },
  )
}

function viewOf({ scopes, agents, createdAt, expiresAt, ...token }: StaffToken): TokenInForce {
  const lists = { scopes: [...scopes], agents: [...agents] }
  return { ...token, ...lists, createdAt: new Date(createdAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() }
}
