import type { ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { useVisitor } from './visitor.ts'

/** Who is here: picture and name; nothing until the server knows the visitor. */
export function VisitorBadge(): ReactNode {
  const t = useTranslate()
  const visitor = useVisitor()
  if (!visitor) return null
  return (
    <p className="visitor">
      <img src={visitor.picture} alt="" width="24" height="24" />
      {visitor.name}
      <span className="muted">{visitor.signedIn ? t('signed in') : t('anonymous')}</span>
    </p>
  )
}
