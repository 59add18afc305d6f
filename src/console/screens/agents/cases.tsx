import { type ReactNode, useState } from 'react'
import { ANSWER_STATES } from '../../../contract/chat/answer-state.ts'
import type { AgentView, ManagedAgentView } from '../../../contract/staff/content/agents.ts'
import type { CasesView } from '../../../contract/staff/content/evaluations.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../api.ts'
import { Conflict } from '../../managed/conflict.tsx'
import { useDraft } from '../../managed/use-draft.ts'
import { Field, Form, option, SelectField, TextAreaField } from '../../parts/parts.tsx'
import { stateName } from '../../names.ts'
import { linesIn } from '../../format.ts'

const storedOf = ({ text: content, revision, by }: CasesView) => ({ content, revision, by, problems: [] })

/** The cases of an agent: a form that adds one, and the text of all. */
export function Cases({ view: { id, cases }, canChange }: { view: ManagedAgentView; canChange: boolean }): ReactNode {
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
