import { type ReactNode, useState } from 'react'
import type { Figures, Part } from '../../contract/staff/figures.ts'
import type { CorrectionList, ListedReport, OpenedReport, ReportQueue } from '../../contract/staff/reports.ts'
import type { FixKind } from '../../contract/staff/verdicts.ts'
import { defineMessage, t } from '../../web/language/translate.ts'
import { Button } from '../../web/ui/button.tsx'
import { call } from '../api.ts'
import { ActionError, Show, Time } from '../parts.tsx'
import { confirmed } from '../passkeys.ts'
import { useAction, useLoaded } from '../use-call.ts'
import { approvedAddress } from './approved/approved-address.ts'
import { agentAddress } from './agents/create-agent-form.tsx'
import { RemoveCorrection, ReportDetails, VERDICT_NAMES } from './report-details.tsx'
import { joined } from '../format.ts'

const THUMB_NAMES = { up: defineMessage('rated up'), down: defineMessage('rated down') } as const

function titleOf({ scope, agent }: ListedReport): ReactNode {
  const values = { agent: <bdi>{agent}</bdi> }
  if (scope === 'rating') return t.with('A rating of {agent}', values)
  return scope === 'answer' ? t.with('An answer of {agent}', values) : t.with('A chat of {agent}', values)
}

/** What visitors hand over, what staff have corrected, and thumbs by version and document. */
export function Feedback(): ReactNode {
  const { loaded, reload } = useLoaded<ReportQueue>('reports')
  const [changes, setChanges] = useState(0)
  const changed = async () => {
    setChanges((count) => count + 1)
    await reload()
  }
  return (
    <>
      <p>
        {t(
          'Visitors choose what they hand over. Opening a report is recorded in the audit log, and the visitor is told when it was read and by which role.',
        )}
      </p>
      <section aria-label={t('Reports')}>
        <Show loaded={loaded} reload={reload}>
          {({ reports }) =>
            reports.length === 0 ? (
              <p className="notice">{t('No reports. When a visitor reports a problem with an answer, it appears here.')}</p>
            ) : (
              <ul className="cards">
                {reports.map((report) => (
                  <Report key={report.id} report={report} onChanged={changed} />
                ))}
              </ul>
            )
          }
        </Show>
      </section>
      <Corrections key={changes} />
      <Thumbs />
    </>
  )
}

const FIX_ADDRESSES: Record<FixKind, (id: string) => string> = {
  'approved-answer': approvedAddress,
  document: (id) => `#/knowledge/document/${encodeURIComponent(id)}`,
  agent: agentAddress,
}
const fixAddress = ({ kind, id }: { kind: FixKind; id: string }) => FIX_ADDRESSES[kind](id)

function Report({ report, onChanged }: { report: ListedReport; onChanged: () => Promise<void> }): ReactNode {
  const [opened, setOpened] = useState<OpenedReport | null>(null)
  const { run, isBusy, error } = useAction()
  const { thumb, verdict, fix, fixedBy, createdAt, expiresAt, readings, isCorrected } = report
  const open = () => run(async () => setOpened(await confirmed(() => call<OpenedReport>('POST', `reports/${report.id}/readings`, {}))))
  return (
    <li>
      <h2>
        {titleOf(report)}
        {thumb && t(', ') + t(THUMB_NAMES[thumb])}
      </h2>
      <p className="muted">
        {t.with('Reported {time}. Deleted at the latest {endTime}.', { time: <Time at={createdAt} />, endTime: <Time at={expiresAt} /> })}{' '}
        {t.plural(readings, 'Read once.', 'Read {count} times.')}
      </p>
      <p>
        {joined(
          verdict ? t('Marked as: {verdict}', { verdict: t(VERDICT_NAMES[verdict]) }) : t('Not decided yet'),
          isCorrected && t('corrected'),
        )}
        {fix && <>. {t.with('Note: {note}', { note: <bdi>{fix}</bdi> })}</>}
      </p>
      {fixedBy && (
        <p>
          {t.with('Fixed by: {what}', {
            what:
              fixedBy.name === null ? (
                <bdi>{t('{id} (deleted)', { id: fixedBy.id })}</bdi>
              ) : (
                <a href={fixAddress(fixedBy)} dir="auto">
                  {fixedBy.name}
                </a>
              ),
          })}
        </p>
      )}
      {opened ? (
        <ReportDetails report={{ ...opened, ...report, sources: opened.sources }} onChanged={onChanged} />
      ) : (
        <Button look="outline" className="small" disabled={isBusy} onClick={open}>
          {t('Read the report')}
        </Button>
      )}
      <ActionError message={error} />
    </li>
  )
}

type ListedCorrection = CorrectionList['corrections'][number]

/** Corrections at every answer that names a document, and at single ones. */
function Corrections(): ReactNode {
  const { loaded, reload } = useLoaded<CorrectionList>('corrections')
  return (
    <section aria-labelledby="corrections">
      <h2 id="corrections">{t('Corrections')}</h2>
      <Show loaded={loaded} reload={reload}>
        {({ corrections }) =>
          corrections.length === 0 ? (
            <p className="notice">
              {t(
                'None. A correction stands at one answer, or at every answer that names the same version of a document or the same approved answer.',
              )}
            </p>
          ) : (
            <ul className="cards">
              {corrections.map((correction) => (
                <Corrected key={correction.id} correction={correction} onChanged={reload} />
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  )
}

function Corrected({ correction, onChanged }: { correction: ListedCorrection; onChanged: () => Promise<void> }): ReactNode {
  const { id, source, text, agent, at } = correction
  return (
    <li>
      <h3 dir="auto">{source ?? t('At one answer of {agent}', { agent: agent ?? '' })}</h3>
      {text === null ? (
        <p className="muted">{t('Its text is shown with its report alone: it may repeat what the visitor wrote.')}</p>
      ) : (
        <p className="passage" dir="auto">
          {text}
        </p>
      )}
      <p className="muted">{t.with('Since {time}', { time: <Time at={at} /> })}</p>
      <RemoveCorrection id={id} name={t('Remove')} onRemoved={onChanged} />
    </li>
  )
}

/** Thumbs of the last 30 days, from the daily figures. */
function Thumbs(): ReactNode {
  const figures = useLoaded<Figures>('figures')
  return (
    <section aria-labelledby="thumbs">
      <h2 id="thumbs">{t('Thumbs of the last 30 days')}</h2>
      <Show {...figures}>
        {({ breakdowns, files }) => {
          const versions = breakdowns.version ?? []
          if (versions.length + files.length === 0)
            return <p className="notice">{t('Figures appear from the fifth answer on, so that nobody can be told from them.')}</p>
          return (
            <>
              <ThumbTable
                name={t('Agent version')}
                label={t('Thumbs by agent version')}
                rows={versions.map(({ value, turns, ...thumbs }) => ({ name: value, count: turns, ...thumbs }))}
              />
              <ThumbTable
                name={t('Knowledge file')}
                label={t('Thumbs by knowledge file')}
                rows={files.map(({ file, answers, ...thumbs }) => ({ name: file, count: answers, ...thumbs }))}
              />
            </>
          )
        }}
      </Show>
    </section>
  )
}

interface ThumbRow {
  name: string
  count: number
  up: Part
  down: Part
}

function ThumbTable({ name, label, rows }: { name: string; label: string; rows: ThumbRow[] }): ReactNode {
  if (rows.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboards have to scroll it
    <div className="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {[name, t('Answers'), t('Thumbs up'), t('Thumbs down')].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name: row, count, up, down }) => (
            <tr key={row}>
              <th scope="row" dir="auto">
                {row}
              </th>
              <td>{t.number(count)}</td>
              <td>{up ? t.number(up.count) : t('Few')}</td>
              <td>{down ? t.number(down.count) : t('Few')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
