import type { SignInBegun } from '../contract/sign-in.ts'
import type { StaffSession } from '../contract/staff/session.ts'
import { call, Rejected } from './api.ts'
import { t } from '../ui/language/translate.ts'

/** Where somebody was who went to the provider, for this tab. */
const RETURN_TO = 'return-to'

/** Leaves for the provider's page, and never resolves. @throws {Rejected} */
export async function signInWithProvider(): Promise<never> {
  const { address } = await call<SignInBegun>('POST', 'session/provider', {})
  sessionStorage.setItem(RETURN_TO, location.hash)
  location.assign(address)
  return new Promise<never>(() => {})
}

/**
 * Completes a sign-in if the provider has led here, and removes its answer from the address and the browser's history. `null` otherwise.
 * @throws {Rejected}
 */
export async function completeProviderSignIn(): Promise<StaffSession | null> {
  const answer = new URLSearchParams(location.search)
  if (!answer.has('state')) return null
  history.replaceState(null, '', `/${sessionStorage.getItem(RETURN_TO) ?? ''}`)
  sessionStorage.removeItem(RETURN_TO)
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => answer.get(name))
  if (!code || !state) throw new Rejected({ title: t('Your organisation did not sign you in. Try again.'), code: 'provider_failed' })
  return call<StaffSession>('POST', 'session/provider/answer', { code, state, ...(iss && { iss }) })
}
