import { z } from 'zod'

/** The address at which a member of staff signs in. The reply also sets the cookie that the callback needs. */
export const SignInBegun = z.object({ address: z.url().describe('The provider’s sign-in page, valid for ten minutes.') })
export type SignInBegun = z.infer<typeof SignInBegun>

/** Longest authorization code and issuer address, in UTF-16 code units; real ones stay below half of it. */
const MAX_PROVIDER_VALUE_CHARACTERS = 4096

/** Parameters of the provider’s redirect: RFC 6749, 4.1.2, and `iss` of RFC 9207. */
export const SignInAnswer = z.strictObject({
  code: z.string().min(1).max(MAX_PROVIDER_VALUE_CHARACTERS),
  state: z.string().min(1).max(MAX_PROVIDER_VALUE_CHARACTERS),
  iss: z.string().max(MAX_PROVIDER_VALUE_CHARACTERS).optional(),
})
export type SignInAnswer = z.infer<typeof SignInAnswer>
