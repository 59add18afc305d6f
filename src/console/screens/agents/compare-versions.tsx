import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { ManagedAgentView } from '../../../contract/staff/content/agents.ts'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { ActionError, Field } from '../../parts/parts.tsx'
import { askTrial } from '../../trial-answer.ts'
import { useAction } from '../../use-call.ts'
import { Answer } from '../answer.tsx'

const MAX_PROMPTS = 10
const EMPTY: ChatMessage = { id: '', role: 'assistant', parts: [] }

type Version = 'draft' | number
type Side = 0 | 1

interface Row {
  prompt: string
  answers: readonly [ChatMessage, ChatMessage]
  isWriting: boolean
}

/** Answers of two versions to the same prompts, side by side. */
export function CompareVersions({ view }: { view: ManagedAgentView }): ReactNode {
  const { id, published, publications } = view
  const [left, setLeft] = useState<Version>('draft')
  const [right, setRight] = useState<Version>(published ?? publications[0]?.number ?? 'draft')
  const [typed, setTyped] = useState('')
  const [mistake, setMistake] = useState('')
  const [asked, setAsked] = useState<{ versions: readonly [Version, Version]; rows: readonly Row[] } | null>(null)
  const abort = useRef<AbortController>(null)
  const { run, isBusy, error } = useAction()
  useEffect(() => () => abort.current?.abort(), [])

  const change = (at: number, update: (row: Row) => Row) =>
    setAsked((now) => now && { ...now, rows: now.rows.map((row, index) => (index === at ? update(row) : row)) })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const prompts = promptsIn(typed)
    const wrong = mistakeIn(prompts)
    setMistake(wrong)
    if (wrong !== '') return
    const versions = [left, right] as const
    const { signal } = (abort.current = new AbortController())
    setAsked({ versions, rows: [] })
    run(async () => {
      for (const [at, prompt] of prompts.entries()) {
        if (signal.aborted) return
        setAsked((now) => now && { ...now, rows: [...now.rows, { prompt, answers: [EMPTY, EMPTY], isWriting: true }] })
        const ask = async (side: Side) => {
          const show = (answer: ChatMessage) =>
            change(at, (row) => ({ ...row, answers: side === 0 ? [answer, row.answers[1]] : [row.answers[0], answer] }))
          show(await askTrial(`agents/${id}/answers`, { version: versions[side], prompt }, { onAnswer: show, signal }))
        }
        await Promise.all([ask(0), ask(1)]).finally(() => change(at, (row) => ({ ...row, isWriting: false })))
      }
    })
  }
  return (
    <section aria-labelledby="compare" className="agents">
      <h2 id="compare">{t('Compare two versions')}</h2>
      <form onSubmit={submit} noValidate aria-label={t('Compare two versions')}>
        <VersionField label={t('First version')} chosen={left} view={view} onChoose={setLeft} />
        <VersionField label={t('Second version')} chosen={right} view={view} onChoose={setRight} />
        <Field
          label={t('Questions')}
          hint={t('One per line, at most {count}. Each is asked in a chat of its own.', { count: MAX_PROMPTS })}
          error={mistake}
        >
          {(ids) => <textarea {...ids} dir="auto" rows={3} value={typed} onChange={({ target }) => setTyped(target.value)} />}
        </Field>
        <div className="check">
          <Button variant="outline" type="submit" disabled={isBusy}>
            {t('Ask both')}
          </Button>
          {isBusy && (
            <Button variant="outline" onClick={() => abort.current?.abort()}>
              {t('Stop')}
            </Button>
          )}
        </div>
        <ActionError message={error} />
      </form>
      {asked?.rows.map(({ prompt, answers, isWriting }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- Questions can be alike.
        <div key={at} className="exchange">
          <p dir="auto" className="prompt">
            {prompt}
          </p>
          <div className="compared">
            {answers.map((answer, side) => (
              <div key={side === 0 ? 'first' : 'second'}>
                <h3>{nameOf(asked.versions[side as Side])}</h3>
                <Answer answer={answer} isWriting={isWriting && answer.metadata?.state === undefined} />
              </div>
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

interface VersionFieldProps {
  label: string
  chosen: Version
  view: ManagedAgentView
  onChoose: (version: Version) => void
}

function VersionField({ label, chosen, view: { published, publications }, onChoose }: VersionFieldProps): ReactNode {
  return (
    <Field label={label}>
      {(ids) => (
        <select
          {...ids}
          value={String(chosen)}
          onChange={({ target }) => onChoose(target.value === 'draft' ? 'draft' : Number(target.value))}
        >
          <option value="draft">{t('Draft')}</option>
          {publications.map(({ number }) => (
            <option key={number} value={number}>
              {number === published ? t('Version {number}, published now', { number }) : nameOf(number)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const nameOf = (version: Version) => (version === 'draft' ? t('Draft') : t('Version {number}', { number: version }))

function promptsIn(typed: string): string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function mistakeIn(prompts: readonly string[]): string {
  if (prompts.length === 0) return t('Enter a question.')
  return prompts.length > MAX_PROMPTS
    ? t('These are {count} questions. Ask at most {max} at once.', { count: prompts.length, max: MAX_PROMPTS })
    : ''
}
