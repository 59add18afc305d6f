import { type ReactNode, useEffect, useState } from 'react'
import type { StaffSession } from '../../contract/staff/session.ts'
import { call, messageOf } from '../api.ts'
import { t } from '../../ui/language/translate.ts'

interface EnterProps {
  /** The secret of a link. */
  link: string
  onEntered(session: StaffSession | null): void
}

/** Links in exchange. An effect may run twice, and a link works once. */
const exchanges = new Map<string, Promise<StaffSession>>()

/** Exchanges a link for a session, and removes it from the address and the browser's history. */
export function Enter({ link, onEntered }: EnterProps): ReactNode {
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const exchange = exchanges.get(link) ?? call<StaffSession>('POST', 'session/link', { link })
    exchanges.set(link, exchange)
    exchange.then(
      (session) => {
        onEntered(session)
        location.replace('#/account')
        return session
      },
      (error: unknown) => setFailure(messageOf(error)),
    )
  }, [link, onEntered])
  if (!failure) return <p className="center muted">{t('Signing in')}</p>
  return (
    <main className="center">
      <h1>{t('This link doesn’t work')}</h1>
      <p role="alert">{failure}</p>
      <p>
        {t.with('An owner can invite you again on the screen “Staff”. Anyone with shell access to the server can do it with {command}', {
          command: <code dir="ltr">parley staff invite</code>,
        })}
      </p>
      <p>
        <a href="#/">{t('Sign in with a passkey')}</a>
      </p>
    </main>
  )
}
