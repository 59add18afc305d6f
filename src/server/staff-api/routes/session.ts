import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { OwnName } from '../../../contract/staff/people.ts'
import { hasRight } from '../../../contract/staff/roles.ts'
import {
  LinkToEnter,
  NewPasskey,
  Passkey,
  PasskeyId,
  PasskeyList,
  PasskeyOptions,
  PasskeySignIn,
  StaffSession,
} from '../../../contract/staff/session.ts'
import type { Server } from '../../platform/server.ts'
import type { SignedInStaff } from '../../staff/staff-access.ts'
import type { StaffPasskey } from '../../store/staff/staff-passkeys.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { rejectStaff } from '../reject-staff.ts'
import { DONE, Done, doneOrMissing, NOTHING, sensitive, staffRoutes } from '../staff-route.ts'

const route = staffRoutes('session')

/** Opens sessions, and tells whose they are. */
export function sessionsOf({ access, cookie, staffReading }: Pick<ConsoleRouteOptions, 'access' | 'cookie' | 'staffReading'>) {
  const viewOf = async ({ member, isConfirmed, expiresAt }: SignedInStaff) => ({
    ...member,
    isConfirmed,
    hasPasskey: (await access.passkeysOf(member.id)).length > 0,
    readsChats: staffReading && hasRight(member.role, 'read-chats'),
    expiresAt: new Date(expiresAt).toISOString(),
  })
  return {
    viewOf,
    /** Gives the browser the session of a secret; `null` without one. */
    async enter(reply: FastifyReply, secret: string | null) {
      const signedIn = secret === null ? null : await access.find(secret)
      if (secret === null || signedIn === null) return null
      cookie.set(reply, 'session', secret)
      return viewOf(signedIn)
    },
  }
}

/** How staff sign in: by a link that works once, then by passkeys. */
export function sessionRoutes(app: Server, options: ConsoleRouteOptions): void {
  const { access, passkeys, cookie } = options
  const { viewOf, enter } = sessionsOf(options)

  app.get('/api/staff/v1/session', route('signed-in', { summary: 'Retrieve who is signed in', reply: StaffSession }), async (request) =>
    viewOf(staffOf(request)),
  )

  app.post(
    '/api/staff/v1/session/name',
    route('signed-in', { summary: 'Change the own name', body: OwnName, reply: StaffSession }),
    async (request, reply) => {
      const { member, ...signedIn } = staffOf(request)
      if (member.isFromProvider) return rejectStaff(reply, 'provider_decides', 'It gives your name, too.')
      const { name } = request.body
      if (!(await access.rename(member.id, name))) return rejectStaff(reply, 'name_taken')
      return viewOf({ ...signedIn, member: { ...member, name } })
    },
  )

  app.post(
    '/api/staff/v1/session/link',
    route('anybody', { summary: 'Join by a link', body: LinkToEnter, reply: StaffSession }),
    async (request, reply) => (await enter(reply, await access.join(request.body.link))) ?? rejectStaff(reply, 'link_invalid'),
  )

  app.post(
    '/api/staff/v1/session/passkey/options',
    route('anybody', { summary: 'Begin to sign in with a passkey', body: NOTHING, reply: PasskeyOptions }),
    async () => ({ ...(await passkeys().signInOptions()) }),
  )

  app.post(
    '/api/staff/v1/session/passkey',
    route('anybody', { summary: 'Sign in with a passkey, or confirm a session', body: PasskeySignIn, reply: StaffSession }),
    async (request, reply) => {
      const assertion = request.body.assertion as AuthenticationResponseJSON
      const passkey = await access.findPasskey(assertion.id)
      const counter = passkey ? await passkeys().verify(passkey, assertion) : null
      const secret = passkey && counter !== null ? await access.signIn(passkey, counter, cookie.read(request, 'session')) : null
      return (await enter(reply, secret)) ?? rejectStaff(reply, 'sign_in_failed')
    },
  )

  app.delete('/api/staff/v1/session', route('anybody', { summary: 'Sign out', reply: Done }), async (request, reply) => {
    await access.signOut(cookie.read(request, 'session') ?? '')
    cookie.clear(reply, 'session')
    return DONE
  })
}

export function passkeyRoutes(app: Server, { access, passkeys }: ConsoleRouteOptions): void {
  const passkeyRoute = staffRoutes('passkeys')

  app.get('/api/staff/v1/passkeys', passkeyRoute('signed-in', { summary: 'List own passkeys', reply: PasskeyList }), async (request) => ({
    passkeys: (await access.passkeysOf(staffOf(request).member.id)).map(viewOfPasskey),
  }))

  app.post(
    '/api/staff/v1/passkeys/options',
    passkeyRoute(sensitive('signed-in'), { summary: 'Begin to add a passkey', body: NOTHING, reply: PasskeyOptions }),
    async (request, reply) => {
      const { member } = staffOf(request)
      // A passkey would still work when the provider no longer lets the person in.
      if (member.isFromProvider) return rejectStaff(reply, 'provider_decides')
      return { ...(await passkeys().registrationOptions(member, await access.passkeysOf(member.id))) }
    },
  )

  app.post(
    '/api/staff/v1/passkeys',
    passkeyRoute(sensitive('signed-in'), { summary: 'Add a passkey', body: NewPasskey, reply: Passkey }),
    async (request, reply) => {
      const { member } = staffOf(request)
      if (member.isFromProvider) return rejectStaff(reply, 'provider_decides')
      const { name, registration } = request.body
      const proven = await passkeys().register(member, registration as RegistrationResponseJSON)
      if (!proven) return rejectStaff(reply, 'sign_in_failed')
      const added = await access.addPasskey(member.id, name, proven)
      return added ? viewOfPasskey(added) : rejectStaff(reply, 'too_many_passkeys')
    },
  )

  app.delete(
    '/api/staff/v1/passkeys/:id',
    passkeyRoute(sensitive('signed-in'), { summary: 'Remove a passkey', params: z.object({ id: PasskeyId }), reply: Done }),
    async (request, reply) => doneOrMissing(reply, await access.removePasskey(staffOf(request).member.id, request.params.id)),
  )
}

function viewOfPasskey({ id, name, createdAt, usedAt }: StaffPasskey) {
  return { id, name, createdAt: new Date(createdAt).toISOString(), usedAt: usedAt === null ? null : new Date(usedAt).toISOString() }
}
