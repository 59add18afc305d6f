import { type ReactNode, useState } from 'react'
import type { AgentView, ManagedAgentView } from '../../../contract/staff/content/agents.ts'
import type { CasesView, EvaluatedCase, Evaluation, EvaluationSummary } from '../../../contract/staff/content/evaluations.ts'
import { defineMessage, t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../api.ts'
import { ActionButton, ActionError, Field, Form, Loaded, option, Section, SelectField, TextAreaField, Time } from '../../parts/parts.tsx'
import { stateName } from '../../names.ts'
import { useAction } from '../../use-call.ts'
import { amountOf, joined, linesIn } from '../../format.ts'
import { ANSWER_STATES } from '../../../contract/chat/answer-state.ts'
import { Conflict } from '../../managed/draft-editor.tsx'
import { useDraft } from '../../managed/use-draft.ts'

export function EvaluationSection({ view, canChange }: { view: ManagedAgentView; canChange: boolean }): ReactNode {
  const { id, draft, cases, evaluations } = view
  const [latest] = evaluations
  const running = latest?.status === 'running' ? latest : null
  const { run, isBusy, error } = useAction()
  const start = () => run(() => call('POST', `agents/${id}/evaluations`, { revision: draft.revision }))
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
  return (
    <div className="check">
      <p role="status">{t('{count} of {total} cases asked', { count: asked, total })}</p>
      <progress max={total} value={asked} aria-label={t('Evaluation')} />
      {canStop && <ActionButton act={() => call('DELETE', `agents/${id}/evaluations/${number}`)}>{t('Stop')}</ActionButton>}
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

function isPassed({ status, right, total }: Pick<EvaluationSummary, 'status' | 'right' | 'total'>): boolean {
  return status === 'done' && right === total
}

const ENDS = {
  stopped: defineMessage('Stopped before its end.'),
  timed_out: defineMessage('Not done within 15 minutes.'),
  interrupted: defineMessage('Interrupted by a restart or an outage. Evaluate again.'),
  running: defineMessage('Running.'),
}

function outcomeOf({ status, right, total }: Pick<EvaluationSummary, 'status' | 'right' | 'total'>): string {
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

const storedOf = ({ text: content, revision, by }: CasesView) => ({ content, revision, by, problems: [] })

/** The cases of an agent: a form that adds one, and the text of all. */
function Cases({ view: { id, cases }, canChange }: { view: ManagedAgentView; canChange: boolean }): ReactNode {
  const draft = useDraft<string>({
    stored: storedOf(cases),
    isSame: (one, other) => one.trim() === other.trim(),
    write: (text, basedOn) => call('POST', `agents/${id}/cases`, { text, basedOn }),
    async read() {
      const { managed } = await call<AgentView>('GET', `agents/${id}`)
      return managed && storedOf(managed.cases)
    },
  })
  const { content, setContent, theirs, isChanged, isBusy, error } = draft
  const add = (added: string) => {
    const longer = `${content.trim() === '' ? '' : `${content.trimEnd()}\n`}${added}`
    setContent(longer)
    draft.save(longer)
  }
  return (
    <>
      {canChange && <AddCaseForm isBusy={isBusy} onAdd={add} />}
      <details open={isChanged || error !== '' || theirs !== null || undefined}>
        <summary>{summaryOf(cases.count)}</summary>
        <TextAreaField
          label={t('Cases')}
          hint={t(
            'YAML in the format of parley eval. Besides contains, sources and state: forbidden, matches, tool, language, and turns for several prompts of one chat.',
          )}
          error={error}
          className="agent-text"
          dir="auto"
          rows={12}
          spellCheck={false}
          readOnly={!canChange}
          value={content}
          onChange={setContent}
        />
        <Conflict draft={draft} textOf={(text) => text} />
        {canChange && (
          <div className="actions">
            <Button variant="outline" disabled={isBusy || (!isChanged && !theirs)} onClick={() => draft.save()}>
              {theirs ? t('Replace theirs') : t('Save cases')}
            </Button>
          </div>
        )}
      </details>
    </>
  )
}

function summaryOf(count: number): string {
  if (count === 0) return t('Cases as text')
  return t.plural(count, 'The case as text', 'All {count} cases as text')
}

const NO_CASE = { prompt: '', contains: '', source: '', state: '' }

function AddCaseForm({ isBusy, onAdd }: { isBusy: boolean; onAdd: (yaml: string) => void }): ReactNode {
  const [typed, setTyped] = useState(NO_CASE)
  const [mistake, setMistake] = useState('')
  const change = (part: Partial<typeof NO_CASE>) => setTyped((now) => ({ ...now, ...part }))
  const submit = () => {
    const isEmpty = typed.prompt.trim() === ''
    setMistake(isEmpty ? t('Enter a question.') : '')
    if (isEmpty) return
    onAdd(caseText(typed))
    setTyped(NO_CASE)
  }
  return (
    <Form onSubmit={submit} name={t('Add a case')}>
      <h3>{t('Add a case')}</h3>
      <Field label={t('Question')} hint={t('As a visitor would ask it.')} error={mistake}>
        {(ids) => (
          <input {...ids} dir="auto" autoComplete="off" value={typed.prompt} onChange={({ target }) => change({ prompt: target.value })} />
        )}
      </Field>
      <Field label={t('The answer must contain (optional)')} hint={t('Words or figures, one per line. Capitals don’t matter.')}>
        {(ids) => (
          <textarea {...ids} dir="auto" rows={2} value={typed.contains} onChange={({ target }) => change({ contains: target.value })} />
        )}
      </Field>
      <Field label={t('It must cite (optional)')} hint={t('A file of the knowledge, such as opening-hours.md.')}>
        {(ids) => (
          <input {...ids} dir="ltr" autoComplete="off" value={typed.source} onChange={({ target }) => change({ source: target.value })} />
        )}
      </Field>
      <SelectField label={t('Its state must be (optional)')} value={typed.state} onChange={(value) => change({ state: value })}>
        <option value="">{t('Any answer')}</option>
        {ANSWER_STATES.map((state) => option(state, stateName(state)))}
      </SelectField>
      <Button variant="outline" type="submit" disabled={isBusy}>
        {t('Add case')}
      </Button>
    </Form>
  )
}

/** A case as YAML, of which JSON is a part. */
function caseText({ prompt, contains, source, state }: typeof NO_CASE): string {
  const words = linesIn(contains)
  const lines = [
    `- prompt: ${JSON.stringify(prompt.trim())}`,
    ...(words.length > 0 ? [`  contains: [${words.map((line) => JSON.stringify(line)).join(', ')}]`] : []),
    ...(source.trim() === '' ? [] : [`  sources: ${JSON.stringify(source.trim())}`]),
    ...(state === '' ? [] : [`  state: ${state}`]),
  ]
  return `${lines.join('\n')}\n`
}
