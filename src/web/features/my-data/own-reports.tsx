import { type ReactNode, useState } from 'react'
import type { OwnReports as Reports, Reading } from '../../../contract/reports.ts'
import type { FailureCode } from '../../api/failure.ts'
import { fetchReports, withdrawReport } from '../../api/report-calls.ts'
import { defineMessage, type MessageText, t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { FailureNote } from './failure-note.tsx'
import { useReply } from '../../state/use-reply.ts'

const NONE: Reports = { reports: [], readings: [] }

const ROLES: Record<Reading['role'], MessageText> = {
  owner: defineMessage('owner'),
  editor: defineMessage('editor'),
  reviewer: defineMessage('reviewer'),
}

/** The visitor’s reports, when staff read them, and which chats staff opened. */
export function OwnReports(): ReactNode {
  const { reply, again } = useReply(fetchReports)
  const [withdrawalFailure, setFailure] = useState<FailureCode | null>(null)
  const withdraw = async (id: string) => {
    const outcome = await withdrawReport(id)
    setFailure(outcome.ok || outcome.code === 'not_found' ? null : outcome.code)
    again()
  }
  const { reports, readings } = reply?.ok ? reply.value : NONE
  const failure = reply?.ok === false ? reply.code : withdrawalFailure
  const withdrawn = readings.filter(({ report }) => report !== null && !reports.some(({ id }) => id === report))
  const chats = readings.filter(({ report }) => report === null)
  return (
    <>
      {reports.length + withdrawn.length > 0 || failure ? (
        <Reported {...{ reports, readings, withdrawn, failure }} onWithdraw={withdraw} />
      ) : null}
      {chats.length > 0 && (
        <section>
          <h3>{t('Chats opened by the operator’s staff')}</h3>
          <ul className="links">
            {chats.map((reading) => (
              <li key={reading.at}>
                <p>
                  <strong dir="auto">{reading.title || t('Untitled')}</strong>
                </p>
                <Readings readings={[reading]} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface ReportedProps extends Reports {
  /** Readings of reports that are gone. */
  withdrawn: Reading[]
  failure: FailureCode | null
  onWithdraw(id: string): Promise<void>
}

function Reported({ reports, readings, withdrawn, failure, onWithdraw }: ReportedProps): ReactNode {
  return (
    <section>
      <h3>{t('What you sent to the staff')}</h3>
      <ul className="links">
        {reports.map(({ id, kind, title, createdAt, expiresAt, messages, reason, reply }) => (
          <li key={id}>
            <p>
              <strong dir="auto">{title || t('Untitled')}</strong> {kind === 'question' && t('Message to the staff.')}{' '}
              {t('Sent on {day}. Deleted on {end} at the latest.', { day: dayOf(createdAt), end: dayOf(expiresAt) })}
            </p>
            {[...messages.map(({ text }) => text), reason ?? '']
              .filter((text) => text !== '')
              .map((text, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- they never change
                <blockquote key={index} className="muted" dir="auto">
                  {text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}
                </blockquote>
              ))}
            {reply !== null && (
              <>
                <p>{t('Reply from the staff:')}</p>
                <Markdown text={reply} />
              </>
            )}
            <Readings readings={readings.filter(({ report }) => report === id)} />
            <Button variant="outline" className="small" onClick={() => onWithdraw(id)}>
              {kind === 'question' ? t('Withdraw message') : t('Withdraw report')}
            </Button>
          </li>
        ))}
        {withdrawn.length > 0 && (
          <li>
            <Readings readings={withdrawn} />
          </li>
        )}
      </ul>
      <FailureNote code={failure} />
    </section>
  )
}

const MAX_SHOWN = 300

function Readings({ readings }: { readings: Reading[] }): ReactNode {
  return readings.map(({ at, role }) => (
    <p key={at}>{t('Read by the operator’s staff ({role}) on {day}.', { role: t(ROLES[role]), day: dayOf(at) })}</p>
  ))
}

const dayOf = (at: string) => t.time(at, { dateStyle: 'long' })
