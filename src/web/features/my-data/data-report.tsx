import type { ReactNode } from 'react'
import type { DataReport } from '../../../contract/rights.ts'
import type { Outcome } from '../../api/request.ts'
import { modelName } from '../../../ui/language/model-name.ts'
import { t } from '../../../ui/language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { countIn, otherCounts } from './counts.ts'
import { dataFailureSentence } from './failure-note.tsx'

export function DataReportView({ report, onReload }: { report: Outcome<DataReport> | undefined; onReload(): void }): ReactNode {
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
