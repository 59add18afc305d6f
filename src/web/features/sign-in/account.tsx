import type { ReactNode } from 'react'
import { type FailureCode, failureSentence } from '../../api/failure.ts'
import { useTranslate } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import type { RedirectState } from './sign-out.ts'
import './account.css'
import { oidcProvider } from './oidc-provider.ts'

interface AccountProps {
  isSignedIn: boolean
  leaving: RedirectState
  onLeaving(leaving: RedirectState): void
  /** Asks for consent; null if already given. */
  askForConsent: (() => void) | null
}

/**
 * Signs in or out. Loaded only if the operator enables sign-in.
 * It has no hooks or stores of its own, because sharing those would split the page's first chunk.
 */
export default function Account({ isSignedIn, leaving, onLeaving, askForConsent }: AccountProps): ReactNode {
  const t = useTranslate()
  const isLeaving = leaving.status === 'leaving'
  const leave = (way: () => Promise<FailureCode | null>) => {
    onLeaving({ status: 'leaving' })
    // The back/forward cache may restore the page.
    addEventListener('pageshow', () => onLeaving({ status: 'here' }), { once: true })
    way()
      .catch((error: unknown): FailureCode => {
        console.error(error)
        return 'internal'
      })
      .then((code) => code && onLeaving({ status: 'rejected', code }))
      .catch(console.error)
  }
  return (
    <div className={isSignedIn ? 'account known' : 'account'}>
      {isSignedIn ? (
        <Button className="small" disabled={isLeaving} onClick={() => leave(oidcProvider.signOut)}>
          {isLeaving ? t('Signing out…') : t('Sign out')}
        </Button>
      ) : (
        <Button variant="outline" className="small" disabled={isLeaving} onClick={askForConsent ?? (() => leave(oidcProvider.signIn))}>
          {isLeaving ? t('Redirecting…') : t('Sign in')}
        </Button>
      )}
      {leaving.status === 'rejected' && <p role="alert">{failureSentence(leaving.code)}</p>}
    </div>
  )
}
