import { type ReactNode, useState } from 'react'
import type { FailureCode } from '../../api/failure.ts'
import { takeTransferCode } from '../../api/rights-calls.ts'
import { t } from '../../../ui/language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ExportLink } from './export-link.tsx'
import { FailureNote } from './failure-note.tsx'

interface RedeemCodeViewProps {
  /** Code from the link. It is sent only after confirmation. */
  code: string
  onMoved(): void
  onOpenNotice(): void
  onDone(): void
}

type Progress = { status: 'asking' } | { status: 'moving' } | { status: 'moved' } | { status: 'rejected'; code: FailureCode }

export function RedeemCodeView({ code, onMoved, onOpenNotice, onDone }: RedeemCodeViewProps): ReactNode {
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  const isShared = useApplication((state) => state.isSharedComputer)
  const [progress, setProgress] = useState<Progress>({ status: 'asking' })
  const take = async (replace: boolean) => {
    setProgress({ status: 'moving' })
    const outcome = await takeTransferCode({ code, ...(replace && { replace }), ...(isShared && { device: 'shared' }) })
    setProgress(outcome.ok ? { status: 'moved' } : { status: 'rejected', code: outcome.code })
    if (outcome.ok) onMoved()
  }
  const begin = (replace: boolean) => {
    take(replace).catch(console.error)
  }
  if (!accepts) return <ConsentFirst onOpenNotice={onOpenNotice} />
  if (progress.status === 'moved') return <Done onDone={onDone} />
  if (progress.status === 'rejected' && progress.code === 'device_in_use') {
    return <InUse onReplace={() => begin(true)} onKeep={() => setProgress({ status: 'asking' })} />
  }
  return (
    <>
      <p>
        {t(
          'This browser will open the chats from your other device, and both will show the same chats from then on. Only use a code from your own device.',
        )}
      </p>
      <Button variant="solid" disabled={progress.status === 'moving'} onClick={() => begin(false)}>
        {progress.status === 'moving' ? t('Getting your chats…') : t('Get my chats')}
      </Button>
      <FailureNote code={progress.status === 'rejected' ? progress.code : null} />
    </>
  )
}

function ConsentFirst({ onOpenNotice }: { onOpenNotice(): void }): ReactNode {
  return (
    <>
      <p>{t('To get your chats in this browser, read and accept the privacy notice first. Your code is saved.')}</p>
      <Button variant="solid" onClick={onOpenNotice}>
        {t('Open the notice')}
      </Button>
    </>
  )
}

function InUse({ onReplace, onKeep }: { onReplace(): void; onKeep(): void }): ReactNode {
  return (
    <>
      <p role="alert">
        <strong>{t('This browser already has chats.')}</strong>{' '}
        {t(
          'They can’t be merged with the chats from the other device. If you continue, they’re deleted unless another device has them too. You can export them first.',
        )}
      </p>
      <p>
        <ExportLink />
      </p>
      <div className="choices">
        <Button variant="outline" onClick={onKeep}>
          {t('Keep these chats')}
        </Button>
        <Button variant="solid" className="danger" onClick={onReplace}>
          {t('Delete them and continue')}
        </Button>
      </div>
    </>
  )
}

function Done({ onDone }: { onDone(): void }): ReactNode {
  return (
    <>
      <p role="status" className="done">
        <Icon name="check" /> {t('Your chats are here.')}
      </p>
      <p>{t('Both devices now show the same chats. The code can’t be used again.')}</p>
      <Button variant="solid" onClick={onDone}>
        {t('Go to my chats')}
      </Button>
    </>
  )
}
