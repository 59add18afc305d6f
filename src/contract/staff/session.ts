import { z } from 'zod'
import { STAFF_ROLES } from './roles.ts'

const Timestamp = z.iso.datetime()
export const StaffId = z.string().regex(/^[0-9a-f]{16}$/)
export const StaffRoleName = z.enum(STAFF_ROLES)

export const StaffSession = z.object({
  id: StaffId,
  name: z.string(),
  role: StaffRoleName,
  isConfirmed: z.boolean().describe('Whether the sign-in is recent enough for sensitive actions: 15 minutes.'),
  isFromProvider: z.boolean().describe('Whether the person signs in with the organisation’s provider, which gives the role.'),
  hasPasskey: z.boolean().describe('Whether the person can sign in again. Without a passkey, an owner has to send a new link.'),
  readsChats: z
    .boolean()
    .describe('Whether the person can read chats whose visitors have accepted that: the installation and the role allow it.'),
  expiresAt: Timestamp,
})
export type StaffSession = z.infer<typeof StaffSession>

/** How staff can sign in besides passkeys. */
export const SignInOptions = z.object({ provider: z.boolean().describe('Whether staff can sign in with a provider.') })
export type SignInOptions = z.infer<typeof SignInOptions>

/** The secret of a link, which works once. */
export const LinkToEnter = z.strictObject({ link: z.string().max(100) })

/** Options of WebAuthn, for `@simplewebauthn/browser`. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })

const Base64Url = z
  .string()
  .regex(/^[\w-]*$/)
  .max(20_000)

const Credential = z.object({
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string(), z.unknown()),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
})

/** An authenticator's response to a registration, as `@simplewebauthn/browser` returns it. */
const PasskeyRegistration = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    authenticatorData: Base64Url.optional(),
    transports: z.array(z.string().max(30)).max(10).optional(),
    publicKeyAlgorithm: z.number().optional(),
    publicKey: Base64Url.optional(),
  }),
})
export const NewPasskey = z.strictObject({
  name: z.string().trim().min(1).max(60).describe('Name that the person gives the device.'),
  registration: PasskeyRegistration,
})

export const PasskeySignIn = z.strictObject({
  assertion: Credential.extend({
    response: z.object({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Base64Url.optional(),
    }),
  }),
})

export const PasskeyId = z.string().regex(/^[\w-]{1,1400}$/)
export const Passkey = z.object({ id: PasskeyId, name: z.string(), createdAt: Timestamp, usedAt: Timestamp.nullable() })
export const PasskeyList = z.object({ passkeys: z.array(Passkey) })
export type PasskeyList = z.infer<typeof PasskeyList>
