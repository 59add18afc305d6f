import { z } from 'zod'
import { StaffId } from '../../../contract/staff/session.ts'
import { CreatedToken, NewToken, type TokenInForce, TokenList } from '../../../contract/staff/tokens.ts'
import type { Server } from '../../platform/server.ts'
import type { StaffToken } from '../../store/staff/staff-tokens.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { Done, doneOrMissing, sensitive, staffRoutes } from '../staff-route.ts'

export function tokenRoutes(app: Server, { tokens }: ConsoleRouteOptions): void {
  const route = staffRoutes('tokens')

  app.get('/api/staff/v1/tokens', route('manage-staff', { summary: 'List tokens', reply: TokenList }), async () => ({
    tokens: (await tokens.list()).map(viewOf),
  }))

  app.post(
    '/api/staff/v1/tokens',
    route(sensitive('manage-staff'), { summary: 'Create a token', body: NewToken, reply: CreatedToken }),
    async (request, reply) => {
      const created = await tokens.create({ ...request.body, actor: staffOf(request).member.id })
      return created ? { ...viewOf(created), token: created.token } : rejectStaff(reply, 'too_many_tokens')
    },
  )

  app.delete(
    '/api/staff/v1/tokens/:id',
    route(sensitive('manage-staff'), { summary: 'Revoke a token', params: z.object({ id: StaffId }), reply: Done }),
    async (request, reply) => doneOrMissing(reply, await tokens.revoke(request.params.id, staffOf(request).member.id)),
  )
}

function viewOf({ createdAt, expiresAt, ...token }: StaffToken): TokenInForce {
  return { ...token, createdAt: new Date(createdAt).toISOString(), expiresAt: new Date(expiresAt).toISOString() }
}
