import type { ReactNode } from 'react'
import type { ManagedAgentView } from '../../../contract/staff/content/agents.ts'
import type { EvaluatedCase, Evaluation, EvaluationStarted, EvaluationSummary } from '../../../contract/staff/content/evaluations.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../api.ts'
import { ActionError, Loaded, Section, Time } from '../../parts/parts.tsx'
import { stateName } from '../../names.ts'
import { useAction } from '../../use-call.ts'
import { Cases } from './cases.tsx'
import { amountOf, joined } from '../../format.ts'

export function EvaluationSection({ view, canChange }: { view: ManagedAgentView; canChange: boolean }): ReactNode {
  const { id, draft, cases, evaluations } = view
  const [latest] = evaluations
  const running = latest?.status === 'running' ? latest : null
  const { run, isBusy, error } = useAction()
  const start = () => run(() => call<EvaluationStarted>('POST', `agents/${id}/evaluations`, { revision: draft.revision }))
  return (
    <Section name={t('Evaluation')} className="agents">
      <p className="muted">
        {cases.count === 0
          ? t('Add questions, and what their answers must be. The draft is then asked all of them before it can be published.')
          : t('Evaluating asks the saved draft every case, as a visitor would. It is counted in the budget; no chat is stored.')}
      </p>
      {running ? (
        <Running key={running.number} id={id} evaluation={running} canStop={canChange} />
      ) : (
        canChange &&
        cases.count > 0 && (
          <div className="check">
            <Button variant="solid" disabled={isBusy || draft.mistakes.length > 0} onClick={start}>
              {t('Evaluate the draft')}
            </Button>
          </div>
        )
      )}
      <ActionError message={error} />
      {latest && !running && <Latest key={latest.number} id={id} summary={latest} />}
      <Cases view={view} canChange={canChange} />
      {evaluations.length > 1 && <Earlier evaluations={evaluations.slice(1)} />}
    </Section>
  )
}

interface RunningProps {
  id: string
  evaluation: EvaluationSummary
  canStop: boolean
}

/** How far a running evaluation is, until it has ended. */
function Running({ id, evaluation: { number, asked, total }, canStop }: RunningProps): ReactNode {
  const path = `agents/${id}/evaluations/${number}`
  const { run, isBusy, error } = useAction()
  return (
    <div className="check">
      <p role="status">{t('{count} of {total} cases asked', { count: asked, total })}</p>
      <progress max={total} value={asked} aria-label={t('Evaluation')} />
      {canStop && (
        <Button variant="outline" className="small" disabled={isBusy} onClick={() => run(async () => void (await call('DELETE', path)))}>
          {t('Stop')}
        </Button>
      )}
      <ActionError message={error} />
    </div>
  )
}

/** The latest evaluation with its cases, those that are wrong first. */
function Latest({ id, summary }: { id: string; summary: EvaluationSummary }): ReactNode {
  return (
    <>
      <p role="status" className={isPassed(summary) ? 'good' : 'error'}>
        {outcomeOf(summary)}
      </p>
      <p className="muted">
        {identityOf(summary)}.{!summary.isCurrent && <> {t('The draft or its cases have changed since.')}</>}
      </p>
      <Loaded<Evaluation> path={`agents/${id}/evaluations/${summary.number}`}>
        {({ cases }) => (
          <ul className="cards">
            {cases
              .toSorted((one, other) => Number(one.isRight) - Number(other.isRight))
              .map((one, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- Names can be alike.
                <CaseCard key={at} of={one} />
              ))}
          </ul>
        )}
      </Loaded>
    </>
  )
}

function CaseCard({ of: { name, isRight, turns } }: { of: EvaluatedCase }): ReactNode {
  return (
    <li>
      <h3 dir="auto">{name}</h3>
      <p className={isRight ? 'good' : 'error'}>{isRight ? t('Right') : t('Wrong')}</p>
      {!isRight && (
        <ul className="problems">
          {turns.flatMap(({ faults }, turn) =>
            faults.map((fault) => (
              <li key={`${turn} ${fault}`} dir="auto">
                {turns.length > 1 ? t('Prompt {number}: {fault}', { number: turn + 1, fault }) : fault}
              </li>
            )),
          )}
        </ul>
      )}
      <details>
        <summary>{turns.length === 1 ? t('Answer') : t('Answers')}</summary>
        {turns.map(({ prompt, text, state, sources, seconds }, turn) => (
          // oxlint-disable-next-line react/no-array-index-key -- Prompts can be alike.
          <div key={turn} className="turn">
            <p dir="auto" className="prompt">
              {prompt}
            </p>
            <p dir="auto" className="passage">
              {text || t('No text.')}
            </p>
            <p className="muted">{joined(state && stateName(state), t('{count} s', { count: amountOf(seconds, 1) }), ...sources)}</p>
          </div>
        ))}
      </details>
    </li>
  )
}

function Earlier({ evaluations }: { evaluations: readonly EvaluationSummary[] }): ReactNode {
  return (
    <details>
      <summary>{t('Earlier evaluations')}</summary>
      <ul className="examples">
        {evaluations.map((one) => (
          <li key={one.number}>
            {identityOf(one)}: {outcomeOf(one)}
          </li>
        ))}
      </ul>
    </details>
  )
}

function identityOf({ number, by, startedAt, hash }: EvaluationSummary): ReactNode {
  return t.with('Evaluation {number} by {name}, {time}, {hash}', {
    number: t.number(number),
    name: <bdi>{by}</bdi>,
    time: <Time at={startedAt} />,
    hash: hash.slice(0, 12),
  })
}

export function isPassed({ status, right, total }: Pick<EvaluationSummary, 'status' | 'right' | 'total'>): boolean {
  return status === 'done' && right === total
}

const ENDS = {
  stopped: defineMessage('Stopped before its end.'),
  timed_out: defineMessage('Not done within 15 minutes.'),
  interrupted: defineMessage('Interrupted by a restart or an outage. Evaluate again.'),
  running: defineMessage('Running.'),
}

export function outcomeOf({ status, right, total }: Pick<EvaluationSummary, 'status' | 'right' | 'total'>): string {
  return status === 'done' ? t('{count} of {total} cases right.', { count: right, total }) : t(ENDS[status])
}

/** The evaluation of the draft as it is on the cases as they are, and its outcome in words. */
export function currentOutcome({ cases, evaluations }: ManagedAgentView): { text: string; isPassed: boolean } {
  if (cases.count === 0) return { text: t('not evaluated: there are no cases'), isPassed: false }
  const current = evaluations.find(({ isCurrent, status }) => isCurrent && (status === 'done' || status === 'running'))
  if (!current) return { text: t('not evaluated'), isPassed: false }
  if (current.status === 'running') return { text: t('being evaluated'), isPassed: false }
  const text = t('{count} of {total} cases right', { count: current.right, total: current.total })
  return { text, isPassed: isPassed(current) }
}
