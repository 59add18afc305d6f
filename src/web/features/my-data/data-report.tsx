import type { ReactNode } from 'react'
import type { DataReport } from '../../../contract/rights.ts'
import type { Outcome } from '../../api/request.ts'
import { t, useTranslate } from '../../language/translate.ts'
import { useApplication } from '../../state/application-store.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { countIn, otherCounts } from './counts.ts'
import { dataFailureSentence } from './failure-sentences.ts'

interface DataReportViewProps {
  /** Undefined while loading. */
  report: Outcome<DataReport> | undefined
  onLookAgain(): void
}

/** The server's current data about the visitor. */
export function DataReportView({ report, onLookAgain }: DataReportViewProps): ReactNode {
  useTranslate()
  return (
    <section aria-busy={!report}>
      <h3>{t('What is known about me')}</h3>
      {!report && <p className="muted">{t('Looking it up…')}</p>}
      {report?.ok === false && (
        <p role="alert">
          {dataFailureSentence(report.code)}{' '}
          <Button look="outline" className="small" icon="retry" onClick={onLookAgain}>
            {t('Look again')}
          </Button>
        </p>
      )}
      {report?.ok && <Report report={report.value} />}
    </section>
  )
}

function Report({ report }: { report: DataReport }): ReactNode {
  useTranslate()
  const isShared = useApplication((state) => state.isSharedComputer)
  const { language, stored, where, kept, endsAt, model, today, cookies, address, logs, contact } = report
  return (
    <div className="known">
      {stored.length === 0 ? (
        <p>{t('Nothing is stored about you.')}</p>
      ) : (
        <p>
          {t.with('Stored now: {chats} with {messages}, opened by {devices}.', {
            chats: <strong>{countIn(stored, 'chats')}</strong>,
            messages: <strong>{countIn(stored, 'messages')}</strong>,
            devices: countIn(stored, 'devices'),
          })}
        </p>
      )}
      <p lang={language} dir="auto">
        {where} {kept}
      </p>
      {endsAt && <p>{t('As it stands, everything goes on {time}.', { time: inWords(endsAt) })}</p>}
      <p>
        {t.with('{model} answers.', { model: <strong>{model.label}</strong> })}{' '}
        <span lang={language} dir="auto">
          {model.sees}
        </span>
      </p>
      <p>
        {today.prompts === 0
          ? t('You have sent all your messages of today.')
          : t.plural(today.prompts, 'You can send {count} message more today.', 'You can send {count} messages more today.')}{' '}
        {t('A new day begins {time}.', { time: inWords(today.resetsAt) })}
      </p>
      <details className="step">
        <summary>
          <Icon name="chevron" />
          {t('Everything else: cookies, network address, logs')}
        </summary>
        <div className="known">
          {otherCounts(stored) && <p>{t('Also stored, to make this work: {what}.', { what: otherCounts(stored) })}</p>}
          <ul className="bullets">
            {cookies.map(({ name, purpose, lasts }) => (
              <li key={name}>
                {t.with('Cookie {name}: {purpose} It lasts: {time}.', {
                  name: <code dir="ltr">{name}</code>,
                  purpose: <bdi lang={language}>{purpose}</bdi>,
                  time: <bdi lang={language}>{lasts}</bdi>,
                })}
              </li>
            ))}
            {!isShared && (
              <li>
                {t('This page also keeps the theme, the language, which notice you accepted, and, until you close the tab, the open chat.')}
              </li>
            )}
            {!isShared && (
              <li>
                {t(
                  'So that you can read without a connection, this browser keeps the page itself, the last 20 chats that you opened with their newest files, and what you wrote offline until it is sent.',
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
