import { type ReactNode, useEffect, useState } from 'react'
import type { SignInOptions, StaffSession } from '../../contract/staff/session.ts'
import { LanguageSwitch } from '../../ui/language/language-switch.tsx'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call, messageOf } from '../api.ts'
import { ActionError } from '../parts/parts.tsx'
import { signIn } from '../passkeys.ts'
import { signInWithProvider } from '../provider.ts'
import { setSession } from '../use-call.ts'

/** Signs in with the organisation's provider, if there is one, or with a passkey. */
export function SignIn(): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const [hasProvider, setHasProvider] = useState(false)
  useEffect(() => {
    call<SignInOptions>('GET', 'session/options').then(
      (options) => setHasProvider(options.provider),
      (cause: unknown) => setError(messageOf(cause)),
    )
  }, [])
  const start = (how: () => Promise<StaffSession>) => {
    setBusy(true)
    setError('')
    how()
      .then(setSession, (cause: unknown) => setError(messageOf(cause)))
      .finally(() => setBusy(false))
  }
  return (
    <main className="center">
      <h1>{t('Console')}</h1>
      <p>{t('For the people who answer for this assistant.')}</p>
      {hasProvider && (
        <Button variant="solid" disabled={isBusy} onClick={() => start(signInWithProvider)}>
          {t('Sign in with your organisation')}
        </Button>
      )}
      <Button variant={hasProvider ? 'outline' : 'solid'} disabled={isBusy} onClick={() => start(signIn)}>
        {t('Sign in with a passkey')}
      </Button>
      <ActionError message={error} />
      <p className="muted">
        {hasProvider
          ? t('New here, and not in your organisation? Ask an owner for a link.')
          : t('New here, or without your passkey? Ask an owner for a link.')}{' '}
        {t('While nobody is on the staff, each start of the server prints a new link.')}
      </p>
      <LanguageSwitch />
    </main>
  )
}
