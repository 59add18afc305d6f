import type { ReactNode } from 'react'
import { useTranslate } from '../../language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button } from '../../ui/button.tsx'
import { ImportChats } from './import-chats.tsx'
import { numberOf } from './counts.ts'
import { ExportLink } from './export-link.tsx'
import { OwnReports } from './own-reports.tsx'
import { DataReportView } from './data-report.tsx'
import type { MyDataActions } from './my-data-actions.ts'
import { OtherDevices } from './other-devices.tsx'
import { SharedComputer } from './shared-computer.tsx'
import { SharedLinks } from './shared-links.tsx'
import { useDataReport } from './use-data-report.ts'

/** Overview of the visitor's data and actions. */
export function Overview({ actions }: { actions: MyDataActions }): ReactNode {
  const t = useTranslate()
  const { report, again } = useDataReport()
  const stored = report?.ok ? report.value.stored : []
  const imported = () => {
    again()
    actions.imported()
  }
  return (
    <>
      <DataReportView report={report} onReload={again} />
      <section>
        <h3>{t('Export')}</h3>
        <p>{t('A ZIP file of all your chats. You can read it, or import it here or on another device.')}</p>
        <div className="row">
          {numberOf(stored, 'chats') > 0 && <ExportLink />}
          <ImportChats onImported={imported} />
        </div>
      </section>
      {numberOf(stored, 'shared links') > 0 && (
        <section>
          <h3>{t('Shared links')}</h3>
          <SharedLinks />
        </section>
      )}
      <OwnReports />
      <SharedComputer onChange={actions.sharedComputerChanged} />
      <OtherDevices count={Math.max(0, numberOf(stored, 'devices') - 1)} onChanged={again} />
      <Deletion />
      <Consent actions={actions} />
    </>
  )
}

/** Deletion actions, from smallest to largest scope. */
function Deletion(): ReactNode {
  const t = useTranslate()
  const session = useApplication((state) => state.currentSession)
  const isStored = useApplication((state) => state.chatSessions.some(({ key }) => key === state.currentSession?.key))
  return (
    <section>
      <h3>{t('Delete')}</h3>
      <p>{t('You’ll see what will be deleted first. Afterwards, you’ll get a signed receipt.')}</p>
      <div className="row">
        {session && isStored && (
          <Button
            variant="outline"
            onClick={() => showMyData({ kind: 'erase', scope: { kind: 'session', key: session.key, title: session.title } })}
          >
            {t('This chat')}
          </Button>
        )}
        <Button variant="outline" onClick={() => showMyData({ kind: 'erase', scope: { kind: 'sessions' } })}>
          {t('All chats')}
        </Button>
        <Button variant="outline" className="bad" onClick={() => showMyData({ kind: 'erase', scope: { kind: 'everything' } })}>
          {t('Delete all my data')}
        </Button>
      </div>
    </section>
  )
}

function Consent({ actions: { openNotice, withdraw } }: { actions: MyDataActions }): ReactNode {
  const t = useTranslate()
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
