import type { MyDataActions } from './my-data-actions.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ErasureReply, TransferCode } from '../../../contract/rights.ts'
import { t, defineMessage } from '../../../ui/language/translate.ts'
import { type ErasureScope, type MyDataView, showMyData, useMyData } from '../../state/my-data.ts'
import { IconButton, Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import './my-data.css'
import { Overview } from './overview.tsx'
import { ReceiptView } from './receipt-view.tsx'
import { RedeemCodeView } from './redeem-code-view.tsx'
import type { FailureCode } from '../../api/failure.ts'
import { deleteEverything, deleteSessions, makeTransferCode } from '../../api/rights-calls.ts'
import { ExportLink } from './export-link.tsx'
import { dataFailureSentence } from '../../api/data-failure.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { useReply } from '../../state/use-reply.ts'
import { clockOf, useSecondsUntil } from '../../../ui/use-seconds-until.ts'
import { encodeQR } from 'qr'

const TITLE_ID = 'my-data-title'
const close = () => showMyData(null)

/** The dialog "My data". Each step is a view of the same dialog. */
export function MyDataDialog({ actions }: { actions: MyDataActions }): ReactNode {
  const { view } = useMyData()
  const heading = useRef<HTMLHeadingElement>(null)
  const kind = view?.kind
  useEffect(() => {
    // Screen readers read a new view from its heading.
    heading.current?.focus()
    heading.current?.closest('dialog')?.querySelector('.my-data-text')?.scrollTo(0, 0)
  }, [kind])
  return (
    <Dialog open={view !== null} onClose={close} labelledBy={TITLE_ID} className="my-data" dismissable={kind === 'overview'}>
      <header>
        {kind !== 'overview' && (
          <IconButton icon="chevron" label={t('Back to my data')} className="back" onClick={() => showMyData({ kind: 'overview' })} />
        )}
        <h2 id={TITLE_ID} ref={heading} tabIndex={-1} data-first-focus>
          {view && t(view.kind === 'erase' ? QUESTIONS[view.scope] : TITLES[view.kind])}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={close} />
      </header>
      <div className="my-data-text">{view && <Content view={view} actions={actions} />}</div>
    </Dialog>
  )
}

const QUESTIONS = {
  sessions: defineMessage('Delete all chats?'),
  everything: defineMessage('Delete all my data?'),
}

const TITLES = {
  overview: defineMessage('My data'),
  receipt: defineMessage('Deleted'),
  withdrawn: defineMessage('Your consent is withdrawn'),
  'give-code': defineMessage('Link another device'),
  'take-code': defineMessage('Continue from another device'),
}

function Content({ view, actions }: { view: MyDataView; actions: MyDataActions }): ReactNode {
  const showReceipt = (scope: ErasureScope, reply: ErasureReply) => {
    showMyData({ kind: 'receipt', reply })
    actions.erased(scope)
  }
  switch (view.kind) {
    case 'overview':
      return <Overview actions={actions} />
    case 'erase':
      return <EraseView scope={view.scope} onErased={showReceipt} onKeep={close} />
    case 'receipt':
      return <ReceiptView reply={view.reply} />
    case 'withdrawn':
      return <WithdrawnView onKeep={close} />
    case 'give-code':
      return <ShowCodeView />
    case 'take-code':
      return <RedeemCodeView code={view.code} onMoved={actions.moved} onOpenNotice={actions.openNotice} onDone={close} />
  }
}

/** Shown after consent was withdrawn. Offers to delete all data. */
function WithdrawnView({ onKeep }: { onKeep(): void }): ReactNode {
  return (
    <>
      <p>{t('This page no longer stores anything in this browser, and you can’t send messages.')}</p>
      <p>
        {t(
          'Your earlier chats are still on the server, and this browser still has the key to them. They’re deleted automatically when they expire. You can delete everything now.',
        )}
      </p>
      <div className="choices">
        <Button variant="outline" onClick={onKeep}>
          {t('Keep my chats')}
        </Button>
        <Button variant="outline" onClick={() => showMyData({ kind: 'erase', scope: 'everything' })}>
          {t('Delete everything')}
        </Button>
      </div>
    </>
  )
}

interface EraseViewProps {
  scope: ErasureScope
  onErased(scope: ErasureScope, reply: ErasureReply): void
  onKeep(): void
}

const ACTS = {
  sessions: defineMessage('Delete all chats'),
  everything: defineMessage('Delete all my data'),
}

type Progress = { status: 'asking' } | { status: 'deleting' } | { status: 'failed'; code: FailureCode }

function EraseView({ scope, onErased, onKeep }: EraseViewProps): ReactNode {
  const [progress, setProgress] = useState<Progress>({ status: 'asking' })
  const isDeleting = progress.status === 'deleting'
  const confirm = async () => {
    setProgress({ status: 'deleting' })
    const outcome = await (scope === 'sessions' ? deleteSessions() : deleteEverything())
    if (outcome.ok) onErased(scope, outcome.value)
    else setProgress({ status: 'failed', code: outcome.code })
  }
  return (
    <>
      <Explanation scope={scope} />
      <p>
        <strong>{t('This can’t be undone.')}</strong> {t('Want to keep a copy? Export it first:')}
      </p>
      <p>
        <ExportLink />
      </p>
      {progress.status === 'failed' && (
        <p role="alert" className="bad">
          {t('It wasn’t deleted.')} {dataFailureSentence(progress.code)}
        </p>
      )}
      <div className="choices">
        <Button variant="outline" onClick={onKeep} disabled={isDeleting}>
          {t('Cancel')}
        </Button>
        <Button variant="solid" className="danger" disabled={isDeleting} onClick={confirm}>
          {isDeleting ? t('Deleting…') : t(ACTS[scope])}
        </Button>
      </div>
    </>
  )
}

function Explanation({ scope }: { scope: ErasureScope }): ReactNode {
  if (scope === 'sessions') {
    return (
      <p>
        {t(
          'All your chats will be deleted from this server, including those from your other devices. Answers in progress will stop. You can start again in this browser.',
        )}
      </p>
    )
  }
  return (
    <>
      <p>{t('Deleted immediately:')}</p>
      <ul className="bullets">
        <li>{t('all your chats, from every device you use here')}</li>
        <li>{t('the keys that open them, in this browser and on your other devices')}</li>
        <li>{t('what this browser saves for this page: your privacy choice, the theme, the language and the open chat')}</li>
      </ul>
      <p>{t('Afterwards, no record of your visit remains. You’ll get a receipt.')}</p>
    </>
  )
}

/** A code for another device, to scan or to open as a link. */
function ShowCodeView(): ReactNode {
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
