import { z } from 'zod'
import { SignInAnswer, SignInBegun } from '../../../contract/sign-in.ts'
import { SignInOptions, StaffSession } from '../../../contract/staff/session.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { sessionView } from './session.ts'
import { staffRoute } from '../staff-route.ts'

const NoBody = z.strictObject({})
const tags = ['session']

/** Sign-in with the operator's provider, which leads back to the console's page; that posts the answer from its own origin. */
export function providerRoutes(app: Server, { access, provider, origin, cookie, staffReading }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/session/options',
    staffRoute({ summary: 'Retrieve how to sign in', tags, reply: SignInOptions }, { staff: 'anybody' }),
    async () => ({ provider: provider !== null }),
  )

  app.post(
    '/api/staff/v1/session/provider',
    staffRoute({ summary: 'Begin to sign in with the provider', tags, body: NoBody, reply: SignInBegun }, { staff: 'anybody' }),
    async (_request, reply) => {
      if (!provider) return reject(reply, 'not_found')
      const begun = await provider.begin(`${origin()}/`)
      if (typeof begun === 'string') return rejectStaff(reply, `provider_${begun}`)
      cookie.setAttempt(reply, begun.attempt)
      return { address: begun.address }
    },
  )

  app.post(
    '/api/staff/v1/session/provider/answer',
    staffRoute({ summary: 'Complete a sign-in with the provider', tags, body: SignInAnswer, reply: StaffSession }, { staff: 'anybody' }),
    async (request, reply) => {
      if (!provider) return reject(reply, 'not_found')
      const person = await provider.complete(cookie.readAttempt(request), request.body)
      cookie.clearAttempt(reply)
      if (typeof person === 'string') return rejectStaff(reply, `provider_${person}`)
      const { id, name, role, authenticatedAt } = person
      if (role === null) {
        await access.leaveProvider(id)
        return rejectStaff(reply, 'no_role')
      }
      const secret = await access.enterFromProvider({ id, name, role }, authenticatedAt)
      const signedIn = await access.find(secret)
      if (!signedIn) return rejectStaff(reply, 'sign_in_required')
      cookie.set(reply, secret)
      return sessionView({ access, staffReading }, signedIn)
    },
  )
}
