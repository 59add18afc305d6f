import { type ReactNode, use, useState } from 'react'
import { t, LanguageContext } from '../../../ui/language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { showMyData } from '../../state/my-data.ts'
import { Button } from '../../../ui/button.tsx'
import { numberOf, countIn, otherCounts } from './counts.ts'
import { ExportLink } from './export-link.tsx'
import { OwnReports } from './own-reports.tsx'
import type { MyDataActions } from './my-data-actions.ts'
import { useReply } from '../../state/use-reply.ts'
import { fetchDataReport, signOutOtherDevices } from '../../api/rights-calls.ts'
import type { FailureCode } from '../../api/failure.ts'
import { dataFailureSentence } from '../../api/data-failure.ts'
import { FailureNote } from './failure-note.tsx'
import type { DataReport } from '../../../contract/rights.ts'
import type { Outcome } from '../../api/request.ts'
import { modelName } from '../../../ui/language/model-name.ts'
import { Icon } from '../../../ui/icon.tsx'

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

function DataReportView({ report, onReload }: { report: Outcome<DataReport> | undefined; onReload(): void }): ReactNode {
  return (
    <section aria-busy={!report}>
      <h3>{t('What’s stored about me')}</h3>
      {!report && <p className="muted">{t('Loading…')}</p>}
      {report?.ok === false && (
        <p role="alert">
          {dataFailureSentence(report.code)}{' '}
          <Button variant="outline" className="small" icon="retry" onClick={onReload}>
            {t('Try again')}
          </Button>
        </p>
      )}
      {report?.ok && <Report report={report.value} />}
    </section>
  )
}

function Report({ report }: { report: DataReport }): ReactNode {
  const isShared = useApplication((state) => state.isSharedComputer)
  const { language, stored, storage, retention, endsAt, model, today, cookies, address, logs, contact } = report
  return (
    <div className="known">
      {stored.length === 0 ? (
        <p>{t('Nothing is stored about you.')}</p>
      ) : (
        <p>
          {t.with('Stored now: {chats} with {messages}, on {devices}.', {
            chats: <strong>{countIn(stored, 'chats')}</strong>,
            messages: <strong>{countIn(stored, 'messages')}</strong>,
            devices: countIn(stored, 'devices'),
          })}
        </p>
      )}
      <p lang={language} dir="auto">
        {storage} {retention}
      </p>
      {endsAt && <p>{t('Everything will be deleted on {time}.', { time: inWords(endsAt) })}</p>}
      <p>
        {t.with('Model: {model}.', { model: <strong>{modelName(model.label)}</strong> })}{' '}
        <span lang={language} dir="auto">
          {model.sees}
        </span>
      </p>
      <p>
        {today.prompts === 0
          ? t('No messages left today.')
          : t.plural(today.prompts, '{count} message left today.', '{count} messages left today.')}{' '}
        {t('Resets at {time}.', { time: t.time(today.resetsAt, { timeStyle: 'short' }) })}
      </p>
      <details className="step">
        <summary>
          <Icon name="chevron" />
          {t('More: cookies, IP address, logs')}
        </summary>
        <div className="known">
          {otherCounts(stored) && <p>{t('Also stored so this works: {what}.', { what: otherCounts(stored) })}</p>}
          <ul className="bullets">
            {cookies.map(({ name, purpose, lasts }) => (
              <li key={name}>
                {t.with('Cookie {name}: {purpose} Lasts: {time}.', {
                  name: <code dir="ltr">{name}</code>,
                  purpose: <bdi lang={language}>{purpose}</bdi>,
                  time: <bdi lang={language}>{lasts}</bdi>,
                })}
              </li>
            ))}
            {!isShared && (
              <li>
                {t(
                  'This page also saves your theme, your language, which notice you accepted and, until you close the tab, the open chat.',
                )}
              </li>
            )}
          </ul>
          <p lang={language} dir="auto">
            {address}
          </p>
          <p lang={language} dir="auto">
            {logs}
          </p>
          {contact && <p>{t('Questions: {contact}', { contact })}</p>}
        </div>
      </details>
    </div>
  )
}

const inWords = (time: string) => t.time(time, { dateStyle: 'long', timeStyle: 'short' })
