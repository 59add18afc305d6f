import { z } from 'zod'

/** `POST /api/v1/sign-in`: the address at which the visitor signs in. The reply also sets the cookie that the callback needs. */
export const SignInBegun = z.object({ address: z.url().describe('The provider’s sign-in page, valid for ten minutes.') })
export type SignInBegun = z.infer<typeof SignInBegun>

/** Longest authorization code and issuer address, in UTF-16 code units; real ones stay below half of it. */
export const MAX_PROVIDER_VALUE_CHARACTERS = 4096

/** Parameters of the provider’s redirect: RFC 6749, 4.1.2, and `iss` of RFC 9207. */
export const SignInAnswer = z.strictObject({
  code: z.string().min(1).max(MAX_PROVIDER_VALUE_CHARACTERS),
  state: z.string().min(1).max(MAX_PROVIDER_VALUE_CHARACTERS),
  iss: z.string().max(MAX_PROVIDER_VALUE_CHARACTERS).optional(),
})
export type SignInAnswer = z.infer<typeof SignInAnswer>

/** `POST /api/v1/sign-out`: revokes the key of this device. */
export const SignedOut = z.object({
  address: z.url().nullable().describe('The provider’s own sign-out page; null if it has none.'),
})
export type SignedOut = z.infer<typeof SignedOut>
