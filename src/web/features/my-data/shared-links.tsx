import { type ReactNode, useState } from 'react'
import type { FailureCode } from '../../api/failure.ts'
import { fetchShares, revokeShare } from '../../api/share-calls.ts'
import { useTranslate } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNote } from './failure-note.tsx'
import { useReply } from '../../state/use-reply.ts'

export function SharedLinks({ session }: { session?: string }): ReactNode {
  const t = useTranslate()
  const { reply, again } = useReply(fetchShares)
  const [failure, setFailure] = useState<FailureCode | null>(null)
  const revoke = async (id: string) => {
    const outcome = await revokeShare(id)
    setFailure(outcome.ok || outcome.code === 'not_found' ? null : outcome.code)
    again()
  }
  const shares = reply?.ok ? reply.value.shares : []
  const shown = shares.filter((share) => !session || share.session === session)
  return (
    <>
      <ul className="links">
        {shown.map(({ id, title, expiresAt }) => (
          <li key={id}>
            <p>
              {!session && <strong dir="auto">{title || t('Untitled')}</strong>}{' '}
              {t('Anyone with the link can view it until {day}.', { day: t.time(expiresAt, { dateStyle: 'long' }) })}
            </p>
            <div className="row">
              <input readOnly value={linkOf(id)} dir="ltr" aria-label={t('Link')} onFocus={(event) => event.currentTarget.select()} />
              <CopyButton text={() => linkOf(id)} label={t('Copy link')} />
              <Button variant="outline" className="small" onClick={() => revoke(id)}>
                {t('Revoke')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <FailureNote code={reply?.ok === false ? reply.code : failure} />
    </>
  )
}

const linkOf = (id: string) => `${location.origin}${location.pathname}#/shared?id=${id}`
