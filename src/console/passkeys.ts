import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import type { StaffSession } from '../contract/staff/session.ts'
import { call, Rejected } from './api.ts'
import { signInWithProvider } from './provider.ts'
import { t } from '../ui/language/translate.ts'

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Signs in with a passkey, or confirms who is signed in. @throws {Rejected} */
export async function signIn(): Promise<StaffSession> {
  const optionsJSON = await call<RequestOptions>('POST', 'session/passkey/options', {})
  const assertion = await inWords(startAuthentication({ optionsJSON }))
  return call('POST', 'session/passkey', { assertion })
}

/** Adds a passkey to who is signed in. @throws {Rejected} */
export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await call<CreationOptions>('POST', 'passkeys/options', {})
  const registration = await inWords(startRegistration({ optionsJSON }))
  await call('POST', 'passkeys', { name, registration })
}

/**
 * Makes a sensitive call. If the server wants to know that it is still the same person, asks for the passkey and repeats the call; somebody
 * whom a provider names is sent there, and repeats the call after that.
 */
export async function confirmed<Result>(sensitive: () => Promise<Result>): Promise<Result> {
  try {
    return await sensitive()
  } catch (error) {
    if (!(error instanceof Rejected) || error.code !== 'confirmation_required') throw error
    const { isFromProvider } = await call<StaffSession>('GET', 'session')
    await (isFromProvider ? signInWithProvider() : signIn())
    return sensitive()
  }
}

async function inWords<Result>(ceremony: Promise<Result>): Promise<Result> {
  return ceremony.catch((error: unknown) => {
    throw new Rejected({ title: sentenceOf(error), code: 'passkey_failed' })
  })
}

function sentenceOf(error: unknown): string {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return t('This device already has a passkey for you.')
  const { name } = error as Error
  if (name === 'NotAllowedError' || name === 'AbortError') return t('No passkey was used. Try again when you are ready.')
  return t('This browser can’t use a passkey here. Try another browser, or open the console under its own address.')
}
