import type { FailureCode } from '../../api/failure.ts'
import { beginSignIn, completeSignIn, endSignIn } from '../../api/sign-in-calls.ts'
import { storeReturnAddress } from './return-address.ts'
import type { AccountProvider } from './sign-in-provider.ts'
import { tabStorage } from '../../../ui/storage/storage.ts'

/** The operator's OpenID Connect provider. The server exchanges the code; the page only redirects. */
export const oidcProvider: AccountProvider = {
  async signIn() {
    const outcome = await beginSignIn()
    if (!outcome.ok) return outcome.code
    storeReturnAddress()
    return leaveFor(outcome.value.address)
  },

  async signOut() {
    const outcome = await endSignIn()
    if (!outcome.ok) return outcome.code
    // Clears the tab's storage; the reload clears memory.
    tabStorage.clear()
    return leaveFor(outcome.value.address ?? new URL('/', location.href).href)
  },

  async complete(answer) {
    const [code, state, iss] = ['code', 'state', 'iss'].map((name) => answer.get(name))
    if (answer.get('error') === 'access_denied') return { kind: 'declined' }
    if (!code || !state) return { kind: 'rejected', code: 'sign_in_failed' }
    const outcome = await completeSignIn({ code, state, ...(iss && { iss }) })
    return outcome.ok ? { kind: 'signed-in' } : { kind: 'rejected', code: outcome.code }
  },
}

function leaveFor(address: string): FailureCode | null {
  if (!/^https?:/.test(address)) return 'internal'
  location.assign(address)
  return null
}
