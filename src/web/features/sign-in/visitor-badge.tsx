import type { ReactNode } from 'react'
import { useTranslate } from '../../../ui/language/translate.ts'
import { useVisitor } from './visitor.ts'

/** Picture and name of the visitor; empty until the server knows them, and for visitors who can't sign in. */
export function VisitorBadge({ canSignIn }: { canSignIn: boolean }): ReactNode {
  const t = useTranslate()
  const visitor = useVisitor()
  if (!visitor || !(canSignIn || visitor.signedIn)) return null
  return (
    <p className="visitor">
      <img src={visitor.picture} alt="" width="24" height="24" />
      {visitor.signedIn ? (
        <>
          {visitor.name}
          <span className="muted">{t('Signed in')}</span>
        </>
      ) : (
        t('Not signed in')
      )}
    </p>
  )
}
