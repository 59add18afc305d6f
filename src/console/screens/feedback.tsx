import { type ReactNode, useState } from 'react'
import type { CorrectionList, ListedReport, OpenedReport, ReportQueue } from '../../contract/staff/reports.ts'
import { defineMessage, t } from '../../ui/language/translate.ts'
import { call } from '../api.ts'
import { ActionButton, Cards, Loaded, Section, Time } from '../parts/parts.tsx'
import { RemoveCorrection, ReportDetails, VERDICT_NAMES } from './report-details.tsx'
import { joined } from '../format.ts'

const THUMB_NAMES = { up: defineMessage('rated up'), down: defineMessage('rated down') } as const

function titleOf({ kind, scope, agent }: ListedReport): ReactNode {
  const values = { agent: <bdi>{agent}</bdi> }
  if (kind === 'question') return t.with('A message to the staff, in a chat with {agent}', values)
  if (scope === 'rating') return t.with('A rating of {agent}', values)
  return scope === 'answer' ? t.with('An answer of {agent}', values) : t.with('A chat of {agent}', values)
}

export function Feedback(): ReactNode {
  return (
    <>
      <p>
        {t(
          'Visitors choose what they hand over. Opening a report is recorded in the audit log, and the visitor is told when it was read and by which role.',
        )}
      </p>
      <section aria-label={t('Reports')} className="figures">
        <Loaded<ReportQueue> path="reports">
          {({ reports }) => (
            <Cards
              name={t('Reports')}
              items={reports}
              empty={<p className="notice">{t('No reports. When a visitor reports a problem with an answer, it appears here.')}</p>}
            >
              {(report) => <Report key={report.id} report={report} />}
            </Cards>
          )}
        </Loaded>
      </section>
      <Corrections />
    </>
  )
}

function Report({ report }: { report: ListedReport }): ReactNode {
  const [opened, setOpened] = useState<OpenedReport | null>(null)
  const { kind, thumb, verdict, fix, createdAt, expiresAt, readings, isCorrected } = report
  const isQuestion = kind === 'question'
  const times = { time: <Time at={createdAt} />, endTime: <Time at={expiresAt} /> }
  const decision = verdict && !isQuestion && t('Marked as: {verdict}', { verdict: t(VERDICT_NAMES[verdict]) })
  const waiting = isQuestion ? t('Waiting for a reply') : t('Not decided yet')
  const open = async () => setOpened(await call<OpenedReport>('POST', `reports/${report.id}/readings`, {}))
  return (
    <li>
      <h2>
        {titleOf(report)}
        {thumb && t(', ') + t(THUMB_NAMES[thumb])}
      </h2>
      <p className="muted">
        {isQuestion
          ? t.with('Sent {time}. Deleted at the latest {endTime}.', times)
          : t.with('Reported {time}. Deleted at the latest {endTime}.', times)}{' '}
        {readings > 0 && t.plural(readings, 'Read once.', 'Read {count} times.')}
      </p>
      <p>
        {joined(decision || (verdict ? t('Closed') : waiting), isCorrected && (isQuestion ? t('replied') : t('corrected')))}
        {fix && <>. {t.with('Note: {note}', { note: <bdi>{fix}</bdi> })}</>}
      </p>
      {opened ? (
        <ReportDetails report={{ ...opened, ...report, sources: opened.sources }} />
      ) : (
        <ActionButton act={open}>{isQuestion ? t('Read the message') : t('Read the report')}</ActionButton>
      )}
    </li>
  )
}

type ListedCorrection = CorrectionList['corrections'][number]

function Corrections(): ReactNode {
  return (
    <Section name={t('Corrections')} className="figures">
      <Loaded<CorrectionList> path="corrections">
        {({ corrections }) => (
          <Cards
            name={t('Corrections')}
            items={corrections}
            empty={
              <p className="notice">
                {t(
                  'None. A correction stands at one answer, or at every answer that names the same version of a document or the same approved answer.',
                )}
              </p>
            }
          >
            {(correction) => <Corrected key={correction.id} correction={correction} />}
          </Cards>
        )}
      </Loaded>
    </Section>
  )
}

const sourceOf = ({ source, agent }: ListedCorrection) => source ?? t('At one answer of {agent}', { agent: agent ?? '' })

function Corrected({ correction }: { correction: ListedCorrection }): ReactNode {
  const { id, text, at } = correction
  return (
    <li>
      <h3 dir="auto">{sourceOf(correction)}</h3>
      {text === null ? (
        <p className="muted">{t('Its text is shown with its report alone: it may repeat what the visitor wrote.')}</p>
      ) : (
        <p className="passage" dir="auto">
          {text}
        </p>
      )}
      <p className="muted">{t.with('Since {time}', { time: <Time at={at} /> })}</p>
      <RemoveCorrection id={id} name={t('Remove')} />
    </li>
  )
}
