import { fetchMe } from '../../api/calls.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** The anonymous visitor, created by the server with the first accepted prompt. */
export const anonymousProvider: SignInProvider = {
  async visitor() {
    const outcome = await fetchMe()
    return outcome.ok ? outcome.value.visitor : null
  },
}
