import { z } from 'zod'
import { Removed, StaffId } from '../../../contract/staff/session.ts'
import { CreatedToken, NewToken, type TokenInForce, TokenList } from '../../../contract/staff/tokens.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { StaffToken } from '../../store/staff/staff-tokens.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { staffRoute } from '../staff-route.ts'

export function tokenRoutes(app: Server, { tokens }: ConsoleRouteOptions): void {
  const tags = ['tokens']

  app.get('/api/staff/v1/tokens', staffRoute({ summary: 'List tokens', tags, reply: TokenList }, { staff: 'manage-staff' }), async () => ({
    tokens: (await tokens.list()).map(viewOf),
  }))

  app.post(
    '/api/staff/v1/tokens',
    staffRoute({ summary: 'Create a token', tags, body: NewToken, reply: CreatedToken }, { staff: 'manage-staff', isSensitive: true }),
    async (request, reply) => {
      const created = await tokens.create({ ...request.body, actor: staffOf(request).member.id })
      return created ? { ...viewOf(created), token: created.token } : rejectStaff(reply, 'too_many_tokens')
    },
  )

  app.delete(
    '/api/staff/v1/tokens/:id',
    staffRoute(
      { summary: 'Revoke a token', tags, params: z.object({ id: StaffId }), reply: Removed },
      { staff: 'manage-staff', isSensitive: true },
    ),
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
