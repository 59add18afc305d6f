import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { ANSWER_STATES } from '../../../contract/answer-state.ts'
import type { AgentView, ManagedAgentView } from '../../../contract/staff/agents.ts'
import type { CasesView } from '../../../contract/staff/evaluations.ts'
import { t } from '../../../web/language/translate.ts'
import { Button } from '../../../web/ui/button.tsx'
import { call, Rejected } from '../../api.ts'
import { ActionError, Field } from '../../parts.tsx'
import { stateName } from '../../state-names.ts'
import { useAction } from '../../use-call.ts'
import { Conflict } from './text-parts.tsx'

interface CasesProps {
  view: ManagedAgentView
  canChange: boolean
  reload: () => Promise<void>
}

const isCode = (cause: unknown, code: string): cause is Rejected => cause instanceof Rejected && cause.code === code

/** The cases of an agent: a form that adds one, and the text of all. */
export function Cases({ view: { id, cases }, canChange, reload }: CasesProps): ReactNode {
  const [text, setText] = useState(cases.text)
  const [base, setBase] = useState(cases)
  const [theirs, setTheirs] = useState<CasesView | null>(null)
  const [mistake, setMistake] = useState('')
  const { run, isBusy, error } = useAction()
  const isChanged = text !== base.text
  const take = (saved: CasesView) => {
    setBase(saved)
    setTheirs(null)
  }
  const save = (saved: string) =>
    run(async () => {
      setMistake('')
      try {
        await call('POST', `agents/${id}/cases`, { text: saved, basedOn: (theirs ?? base).revision })
      } catch (cause) {
        if (isCode(cause, 'cases_mistaken')) return setMistake(cause.message)
        if (!isCode(cause, 'cases_changed')) throw cause
      }
      const { managed } = await call<AgentView>('GET', `agents/${id}`)
      if (managed?.cases.text.trim() === saved.trim()) {
        take(managed.cases)
        setText(managed.cases.text)
      } else if (managed) setTheirs(managed.cases)
      await reload()
    })
  const add = (added: string) => {
    const longer = `${text.trim() === '' ? '' : `${text.trimEnd()}\n`}${added}`
    setText(longer)
    save(longer)
  }
  return (
    <>
      {canChange && <AddCaseForm isBusy={isBusy} onAdd={add} />}
      <details open={isChanged || mistake !== '' || theirs !== null || undefined}>
        <summary>{summaryOf(cases.count)}</summary>
        <Field
          label={t('Cases')}
          hint={t(
            'YAML in the format of npm run eval. Besides contains, sources and state: forbidden, matches, tool, language, and turns for several prompts of one chat.',
          )}
          error={mistake}
        >
          {(ids) => (
            <textarea
              {...ids}
              className="agent-text"
              dir="auto"
              rows={12}
              spellCheck={false}
              readOnly={!canChange}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        {theirs && (
          <Conflict
            theirs={theirs}
            text={text}
            onUseTheirs={() => {
              setText(theirs.text)
              take(theirs)
            }}
          />
        )}
        {canChange && (
          <div className="actions">
            <Button variant="outline" disabled={isBusy || (!isChanged && !theirs)} onClick={() => save(text)}>
              {theirs ? t('Replace their cases') : t('Save cases')}
            </Button>
          </div>
        )}
      </details>
      <ActionError message={error} />
    </>
  )
}

function summaryOf(count: number): string {
  if (count === 0) return t('Cases as text')
  return t.plural(count, 'The case as text', 'All {count} cases as text')
}

const NO_CASE = { prompt: '', contains: '', source: '', state: '' }

/** One question with what its answer must be. */
function AddCaseForm({ isBusy, onAdd }: { isBusy: boolean; onAdd: (yaml: string) => void }): ReactNode {
  const [typed, setTyped] = useState(NO_CASE)
  const [mistake, setMistake] = useState('')
  const change = (part: Partial<typeof NO_CASE>) => setTyped((now) => ({ ...now, ...part }))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const isEmpty = typed.prompt.trim() === ''
    setMistake(isEmpty ? t('Enter a question.') : '')
    if (isEmpty) return
    onAdd(caseText(typed))
    setTyped(NO_CASE)
  }
  return (
    <form onSubmit={submit} noValidate aria-label={t('Add a case')}>
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
      <Field label={t('Its state must be (optional)')}>
        {(ids) => (
          <select {...ids} value={typed.state} onChange={({ target }) => change({ state: target.value })}>
            <option value="">{t('Any answer')}</option>
            {ANSWER_STATES.map((state) => (
              <option key={state} value={state}>
                {stateName(state)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button variant="outline" type="submit" disabled={isBusy}>
        {t('Add case')}
      </Button>
    </form>
  )
}

/** A case as YAML, of which JSON is a part. */
function caseText({ prompt, contains, source, state }: typeof NO_CASE): string {
  const words = contains
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const lines = [
    `- prompt: ${JSON.stringify(prompt.trim())}`,
    ...(words.length > 0 ? [`  contains: [${words.map((line) => JSON.stringify(line)).join(', ')}]`] : []),
    ...(source.trim() === '' ? [] : [`  sources: ${JSON.stringify(source.trim())}`]),
    ...(state === '' ? [] : [`  state: ${state}`]),
  ]
  return `${lines.join('\n')}\n`
}
