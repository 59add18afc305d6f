import { type ReactNode, useState } from 'react'
import type { ErasureReply } from '../../../contract/rights.ts'
import type { FailureCode } from '../../api/failure.ts'
import { deleteEverything, deleteSessions } from '../../api/rights-calls.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import type { ErasureScope } from '../../state/my-data.ts'
import { Button } from '../../../ui/button.tsx'
import { ExportLink } from './export-link.tsx'
import { dataFailureSentence } from './failure-note.tsx'

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

export function EraseView({ scope, onErased, onKeep }: EraseViewProps): ReactNode {
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
