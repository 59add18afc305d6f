import type { ReactNode } from 'react'
import type { SignInOptions, StaffSession } from '../../contract/staff/session.ts'
import { LanguageSwitch } from '../../ui/language/language-switch.tsx'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { messageOf } from '../api.ts'
import { ActionError } from '../parts/parts.tsx'
import { signIn } from '../passkeys.ts'
import { signInWithProvider } from '../provider.ts'
import { setSession, useAction, useLoaded } from '../use-call.ts'

/** Signs in with the organisation's provider, if there is one, or with a passkey. */
export function SignIn(): ReactNode {
  const { run, isBusy, error } = useAction()
  const options = useLoaded<SignInOptions>('session/options')
  const hasProvider = options.data?.provider
  const start = (how: () => Promise<StaffSession>) => run(() => how().then(setSession))
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
      <ActionError message={error || (options.error ? messageOf(options.error) : '')} />
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
