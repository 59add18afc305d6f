import { type ReactNode, use, useState } from 'react'
import { t, LanguageContext } from '../../../ui/language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button } from '../../../ui/button.tsx'
import { numberOf } from './counts.ts'
import { ExportLink } from './export-link.tsx'
import { OwnReports } from './own-reports.tsx'
import { DataReportView } from './data-report.tsx'
import type { MyDataActions } from './my-data-actions.ts'
import { useReply } from '../../state/use-reply.ts'
import { fetchDataReport, signOutOtherDevices } from '../../api/rights-calls.ts'
import type { FailureCode } from '../../api/failure.ts'
import { FailureNote } from './failure-note.tsx'

export function Overview({ actions }: { actions: MyDataActions }): ReactNode {
  const { language } = use(LanguageContext)
  const { reply: report, again } = useReply(fetchDataReport, language)
  const stored = report?.ok ? report.value.stored : []
  return (
    <>
      <DataReportView report={report} onReload={again} />
      {numberOf(stored, 'chats') > 0 && (
        <section>
          <h3>{t('Export')}</h3>
          <p>{t('A ZIP file of all your chats.')}</p>
          <ExportLink />
        </section>
      )}
      <OwnReports />
      <OtherDevices count={Math.max(0, numberOf(stored, 'devices') - 1)} onChanged={again} />
      <Deletion />
      <Consent actions={actions} />
    </>
  )
}

/** Deletion actions, from smallest to largest scope. */
function Deletion(): ReactNode {
  return (
    <section>
      <h3>{t('Delete')}</h3>
      <p>{t('You’ll see what will be deleted first. Afterwards, you’ll get a signed receipt.')}</p>
      <div className="row">
        <Button variant="outline" onClick={() => showMyData({ kind: 'erase', scope: 'sessions' })}>
          {t('All chats')}
        </Button>
        <Button variant="outline" className="bad" onClick={() => showMyData({ kind: 'erase', scope: 'everything' })}>
          {t('Delete all my data')}
        </Button>
      </div>
    </section>
  )
}

function Consent({ actions: { openNotice, withdraw } }: { actions: MyDataActions }): ReactNode {
  const accepts = useApplication((state) => state.acceptsPrivacyPolicy)
  return (
    <section>
      <h3>{t('Your consent')}</h3>
      <p>
        {accepts ? t('You accepted the privacy notice.') : t('You haven’t accepted the privacy notice, or you’ve withdrawn your consent.')}
      </p>
      <div className="row">
        <Button variant="outline" onClick={openNotice}>
          {t('Read the notice')}
        </Button>
        {accepts && (
          <Button variant="outline" onClick={withdraw}>
            {t('Withdraw consent')}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Adds another device, or signs out all others. */
function OtherDevices({ count, onChanged }: { count: number; onChanged(): void }): ReactNode {
  const [failure, setFailure] = useState<FailureCode | null>(null)
  const signOut = async () => {
    const outcome = await signOutOtherDevices()
    setFailure(outcome.ok ? null : outcome.code)
    onChanged()
  }
  return (
    <section>
      <h3>{t('Another device')}</h3>
      <p>
        {count === 0
          ? t('Use the same chats on your phone or another computer, without an account.')
          : t.plural(count, 'Your chats are also open on one other device.', 'Your chats are also open on {count} other devices.')}
      </p>
      <div className="row">
        <Button variant="outline" onClick={() => showMyData({ kind: 'give-code' })}>
          {t('Show a code')}
        </Button>
        {count > 0 && (
          <Button variant="outline" onClick={signOut}>
            {t('Sign out other devices')}
          </Button>
        )}
      </div>
      <FailureNote code={failure} />
    </section>
  )
}
