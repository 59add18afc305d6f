import { type ReactNode, useEffect, useState } from 'react'
import type { Share } from '../../../contract/chat/shares.ts'
import type { FailureCode } from '../../api/failure.ts'
import { fetchShares, revokeShare } from '../../api/share-calls.ts'
import { useTranslate } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { dataFailureSentence } from './failure-sentences.ts'

/** The visitor's links to all chats or one chat, to copy or revoke. */
export function SharedLinks({ session }: { session?: string }): ReactNode {
  const t = useTranslate()
  const [shares, setShares] = useState<Share[]>([])
  const [failure, setFailure] = useState<FailureCode | null>(null)
  const revoke = async (id: string) => {
    const outcome = await revokeShare(id)
    if (outcome.ok || outcome.code === 'not_found') setShares((before) => before.filter((share) => share.id !== id))
    setFailure(outcome.ok || outcome.code === 'not_found' ? null : outcome.code)
  }
  useEffect(() => {
    fetchShares()
      .then((outcome) => (outcome.ok ? setShares(outcome.value.shares) : setFailure(outcome.code)))
      .catch(console.error)
  }, [])
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
              <Button
                variant="outline"
                className="small"
                onClick={() => {
                  revoke(id).catch(console.error)
                }}
              >
                {t('Revoke')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {failure && (
        <p role="alert" className="bad">
          {dataFailureSentence(failure)}
        </p>
      )}
    </>
  )
}

const linkOf = (id: string) => `${location.origin}${location.pathname}#/shared?id=${id}`
