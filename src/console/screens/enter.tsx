import { type ReactNode, useEffect, useState } from 'react'
import { FIRST_OWNER_NAME } from '../../contract/staff/person-name.ts'
import type { StaffSession } from '../../contract/staff/session.ts'
import { call, messageOf } from '../api.ts'
import { t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { StaffContext } from '../staff-context.ts'
import { setSession } from '../use-call.ts'
import { NameForm } from './account.tsx'
import { PasskeyForm } from './passkey-form.tsx'

/** Links in exchange. An effect may run twice, and a link works once. */
const exchanges = new Map<string, Promise<StaffSession>>()

/** Exchanges a link for a session, and removes it from the address and the browser's history. */
export function Enter({ link }: { link: string }): ReactNode {
  const [failure, setFailure] = useState('')
  const [session, setEntered] = useState<StaffSession | null>(null)
  useEffect(() => {
    const exchange = exchanges.get(link) ?? call<StaffSession>('POST', 'session/link', { link })
    exchanges.set(link, exchange)
    exchange.then(
      (entered) => {
        history.replaceState(null, '', '#/')
        return setEntered(entered)
      },
      (error: unknown) => setFailure(messageOf(error)),
    )
  }, [link])
  if (session)
    return (
      <main className="center">
        <h1>{t('Welcome')}</h1>
        <StaffContext value={{ session, ask: () => {} }}>
          {session.name === FIRST_OWNER_NAME && <NameForm onSaved={setEntered} />}
          <p>{t('Add a passkey, so that you can come back when this session ends. Your link works only once.')}</p>
          <PasskeyForm onAdded={() => setSession({ ...session, hasPasskey: true })} />
        </StaffContext>
        <Button onClick={() => setSession(session)}>{t('Later')}</Button>
      </main>
    )
  if (!failure) return <p className="center muted">{t('Signing in')}</p>
  return (
    <main className="center">
      <h1>{t('This link doesn’t work')}</h1>
      <p role="alert">{failure}</p>
      <p>
        {t.with('An owner can invite you again on the screen “Staff”. Anyone with shell access to the server can do it with {command}.', {
          command: <code dir="ltr">parley staff invite</code>,
        })}{' '}
        {t('While nobody is on the staff, each start of the server prints a new link.')}
      </p>
      <p>
        <a href="#/">{t('Sign in with a passkey')}</a>
      </p>
    </main>
  )
}
