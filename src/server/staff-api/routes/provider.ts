import { SignInAnswer, SignInBegun } from '../../../contract/sign-in.ts'
import { SignInOptions, StaffSession } from '../../../contract/staff/session.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { sessionsOf } from './session.ts'
import { NOTHING, staffRoutes } from '../staff-route.ts'

const route = staffRoutes('session')

/** Sign-in with the operator's provider, which leads back to the console's page; that posts the answer from its own origin. */
export function providerRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { access, provider, origin, cookie } = options
  app.get('/api/staff/v1/session/options', route('anybody', { summary: 'Retrieve how to sign in', reply: SignInOptions }), async () => ({
    provider: provider !== null,
  }))

  app.post(
    '/api/staff/v1/session/provider',
    route('anybody', { summary: 'Begin to sign in with the provider', body: NOTHING, reply: SignInBegun }),
    async (_request, reply) => {
      if (!provider) return reject(reply, 'not_found')
      const begun = await provider.begin(`${origin()}/`)
      if (typeof begun === 'string') return rejectStaff(reply, `provider_${begun}`)
      cookie.set(reply, 'attempt', begun.attempt)
      return { address: begun.address }
    },
  )

  app.post(
    '/api/staff/v1/session/provider/answer',
    route('anybody', { summary: 'Complete a sign-in with the provider', body: SignInAnswer, reply: StaffSession }),
    async (request, reply) => {
      if (!provider) return reject(reply, 'not_found')
      const person = await provider.complete(cookie.read(request, 'attempt'), request.body)
      cookie.clear(reply, 'attempt')
      if (typeof person === 'string') return rejectStaff(reply, `provider_${person}`)
      const { id, name, role, authenticatedAt } = person
      if (role === null) {
        await access.leaveProvider(id)
        return rejectStaff(reply, 'no_role')
      }
      const secret = await access.enterFromProvider({ id, name, role }, authenticatedAt)
      return (await sessionsOf(options).enter(reply, secret)) ?? rejectStaff(reply, 'sign_in_required')
    },
  )
}
