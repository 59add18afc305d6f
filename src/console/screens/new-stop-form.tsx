import { type ReactNode, useState } from 'react'
import type { NewStop } from '../../contract/staff/stops.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { defineMessage, t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { linesIn } from '../format.ts'
import { ActionError, Confirm, Field, Form, option, SelectField } from '../parts/parts.tsx'
import { useAction, useLoaded } from '../use-call.ts'
import { described } from './stop-text.ts'

interface Draft {
  scope: NewStop['scope']
  agent: string
  topic: string
  file: string
  /** One a line. */
  examples: string
  reply: string
  reason: string
}

const EMPTY: Draft = { scope: 'topic', agent: '', topic: '', file: '', examples: '', reply: '', reason: '' }
const SCOPES = {
  topic: defineMessage('A topic'),
  file: defineMessage('A file of the knowledge'),
  agent: defineMessage('An agent'),
  all: defineMessage('Everything'),
} as const

/** The form that stops answers. What was typed stays until it is in force. */
export function NewStopForm(): ReactNode {
  const [draft, setDraft] = useState(EMPTY)
  const [isChecked, setChecked] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { run, isBusy, error } = useAction()
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const stop = stopOf(draft)
  const mistakes = isChecked ? mistakesOf(draft, stop) : {}
  const submit = () => {
    setChecked(true)
    if (Object.keys(mistakesOf(draft, stop)).length === 0) setAsking(true)
  }
  const put = () =>
    run(async () => {
      await call('POST', 'stops', stop)
      setAsking(false)
      setDraft(EMPTY)
      setChecked(false)
    })
  return (
    <Form onSubmit={submit} name={t('Stop more')}>
      <h2>{t('Stop more')}</h2>
      <SelectField label={t('What')} value={draft.scope} onChange={(value) => change({ scope: value as Draft['scope'] })}>
        {Object.entries(SCOPES).map(([scope, label]) => option(scope, t(label)))}
      </SelectField>
      <TargetFields draft={draft} change={change} mistake={mistakes.target} />
      <Field
        label={t('Text for visitors (optional)')}
        hint={t('Without it, they read a general sentence in their language.')}
        error={mistakes.reply}
      >
        {(ids) => <textarea {...ids} rows={3} dir="auto" value={draft.reply} onChange={({ target }) => change({ reply: target.value })} />}
      </Field>
      <Field label={t('Reason')} hint={t('For your colleagues. Visitors don’t read it.')} error={mistakes.reason}>
        {(ids) => <input {...ids} dir="auto" value={draft.reason} onChange={({ target }) => change({ reason: target.value })} />}
      </Field>
      <Button variant="solid" type="submit">
        {t('Stop answers')}
      </Button>
      {!isAsking && <ActionError message={error} />}
      {isAsking && (
        <Confirm
          question={described(stop)}
          explanation={stop.reply ?? t('Visitors read that this can’t be answered right now.')}
          action={t('Stop answers')}
          isBusy={isBusy}
          error={error}
          onConfirm={put}
          onClose={() => setAsking(false)}
        />
      )}
    </Form>
  )
}

interface TargetProps {
  draft: Draft
  change(part: Partial<Draft>): void
  mistake: string | undefined
}

function TargetFields({ draft, change, mistake }: TargetProps): ReactNode {
  const agents = useLoaded<InstallationStatus>('status').data?.agents ?? []
  if (draft.scope === 'all') return null
  if (draft.scope === 'agent') {
    return (
      <SelectField label={t('Agent')} error={mistake} value={draft.agent} onChange={(value) => change({ agent: value })}>
        <option value="">{t('Choose one')}</option>
        {agents.map(({ id, name }) => option(id, name))}
      </SelectField>
    )
  }
  if (draft.scope === 'file') {
    return (
      <Field
        label={t('File')}
        hint={t('Its path below the folder of the knowledge, such as fees/parking.md. It isn’t searched.')}
        error={mistake}
      >
        {(ids) => <input {...ids} value={draft.file} onChange={({ target }) => change({ file: target.value })} />}
      </Field>
    )
  }
  return (
    <>
      <Field label={t('Words of the topic')} hint={t('Prompts with all these words, in any form.')} error={mistake}>
        {(ids) => <input {...ids} dir="auto" value={draft.topic} onChange={({ target }) => change({ topic: target.value })} />}
      </Field>
      <Field label={t('Examples (optional)')} hint={t('Prompts about the topic that have other words, one per line.')}>
        {(ids) => (
          <textarea {...ids} rows={3} dir="auto" value={draft.examples} onChange={({ target }) => change({ examples: target.value })} />
        )}
      </Field>
    </>
  )
}

function stopOf({ scope, agent, topic, file, examples, reply, reason }: Draft): NewStop {
  return {
    scope,
    target: { all: '', agent, topic, file }[scope].trim(),
    examples: scope === 'topic' ? linesIn(examples) : [],
    reply: reply.trim() || null,
    reason: reason.trim(),
  }
}

const MAX_CHARACTERS = 2_000
const TARGET_MISTAKES = {
  agent: defineMessage('Choose an agent.'),
  topic: defineMessage('Enter the words of the topic.'),
  file: defineMessage('Enter the path of a file.'),
} as const

function mistakesOf({ scope }: Draft, { target, reply, reason }: NewStop): { target?: string; reply?: string; reason?: string } {
  return {
    ...(scope !== 'all' && target === '' && { target: t(TARGET_MISTAKES[scope]) }),
    ...((reply?.length ?? 0) > MAX_CHARACTERS && { reply: t('Shorten the text to 2,000 characters.') }),
    ...(reason === '' && { reason: t('Enter a reason.') }),
    ...(reason.length > MAX_CHARACTERS && { reason: t('Shorten the reason to 2,000 characters.') }),
  }
}
