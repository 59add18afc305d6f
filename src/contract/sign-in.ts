import { z } from 'zod'

/** `POST /api/v1/sign-in`: where the visitor goes to sign in. The reply also sets the cookie that the way back needs. */
export const SignInBegun = z.object({ address: z.url().describe('The provider’s page; go there within ten minutes.') })
export type SignInBegun = z.infer<typeof SignInBegun>

/** Longest authorization code and address of a provider, in UTF-16 code units; real ones stay below half of it. */
export const MAX_PROVIDER_VALUE_CHARACTERS = 4096

/** What the provider gave the browser on its way back: RFC 6749, 4.1.2, and `iss` of RFC 9207. */
export const SignInAnswer = z.strictObject({
  code: z.string().min(1).max(MAX_PROVIDER_VALUE_CHARACTERS),
  state: z.string().min(1).max(MAX_PROVIDER_VALUE_CHARACTERS),
  iss: z.string().max(MAX_PROVIDER_VALUE_CHARACTERS).optional(),
})
export type SignInAnswer = z.infer<typeof SignInAnswer>

/** `POST /api/v1/sign-out`: this device's key no longer opens anything. */
export const SignedOut = z.object({
  address: z.url().nullable().describe('Where one can sign out at the provider as well; null when it offers no such page.'),
})
export type SignedOut = z.infer<typeof SignedOut>
