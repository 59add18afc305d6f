import { type ReactNode, useState } from 'react'
import type { TransferCode } from '../../../contract/rights.ts'
import { makeTransferCode } from '../../api/rights-calls.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { dataFailureSentence } from './failure-note.tsx'
import { useReply } from '../../state/use-reply.ts'
import { clockOf, useSecondsUntil } from '../../../ui/use-seconds-until.ts'
import { encodeQR } from 'qr'

/** A code for another device, to scan or to open as a link. */
export function ShowCodeView(): ReactNode {
  const [attempt, setAttempt] = useState(0)
  return <NewCode key={attempt} onAgain={() => setAttempt(attempt + 1)} />
}

function NewCode({ onAgain }: { onAgain(): void }): ReactNode {
  const { reply } = useReply(makeTransferCode)
  if (!reply) return <p className="muted">{t('Creating code…')}</p>
  return reply.ok ? <Code {...reply.value} onAgain={onAgain} /> : <NoCode code={reply.code} onAgain={onAgain} />
}

function NoCode({ code, onAgain }: { code: string; onAgain(): void }): ReactNode {
  if (code === 'not_found') return <p>{t('There’s nothing to export yet. Send a message first.')}</p>
  return (
    <>
      <p role="alert">{dataFailureSentence(code)}</p>
      <Button variant="outline" icon="retry" onClick={onAgain}>
        {t('Try again')}
      </Button>
    </>
  )
}

function Code({ code, expiresAt, onAgain }: TransferCode & { onAgain(): void }): ReactNode {
  const seconds = useSecondsUntil(expiresAt)
  const address = `${location.origin}${location.pathname}#/move?code=${code}`
  if (seconds === 0) {
    return (
      <>
        <p role="status">{t('This code has expired.')}</p>
        <Button variant="solid" onClick={onAgain}>
          {t('Create new code')}
        </Button>
      </>
    )
  }
  return (
    <>
      <p>{t('Scan this with your other device. Or copy the link and open it there.')}</p>
      <QrCode text={address} label={t('QR code')} />
      <div className="row">
        <input readOnly value={address} dir="ltr" aria-label={t('Link')} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={() => address} label={t('Copy link')} />
      </div>
      <div className="row">
        <span role="timer" className="muted">
          {t('Works once. Expires in {time}', { time: clockOf(seconds) })}
        </span>
      </div>
      <p>
        <strong>{t('Don’t share this code:')}</strong>{' '}
        {t('anyone with it can read all your chats. Once it’s used, both devices show the same chats.')}
      </p>
    </>
  )
}

/** A QR code (ISO/IEC 18004), dark on light in both themes, as scanners expect. All dark cells are in one path. */
function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width="100%" height="100%" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
