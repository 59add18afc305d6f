import { type ReactNode, useState } from 'react'
import type { NewStop } from '../../contract/staff/stops.ts'
import type { InstallationStatus } from '../../contract/staff/status.ts'
import { defineMessage, t } from '../../ui/language/translate.ts'
import { Button } from '../../ui/button.tsx'
import { call } from '../api.ts'
import { linesIn } from '../format.ts'
import { ActionError, binding, Confirm, Form, option, SelectField, TextAreaField, TextField } from '../parts/parts.tsx'
import { useAction, useForm, useLoaded } from '../use-call.ts'

type Scope = NewStop['scope']

/** A stop as it is typed; examples are lines of a text. */
const EMPTY = { scope: 'topic' as Scope, target: '', examples: '', reply: '', reason: '' }
type Draft = typeof EMPTY

const SCOPES = {
  topic: defineMessage('A topic'),
  file: defineMessage('A file of the knowledge'),
  agent: defineMessage('An agent'),
  all: defineMessage('Everything'),
} as const
const MAX_CHARACTERS = 2_000
const TARGET_MISTAKES = {
  agent: defineMessage('Choose an agent.'),
  topic: defineMessage('Enter the words of the topic.'),
  file: defineMessage('Enter the path of a file.'),
} as const

export function described({ scope, target }: Pick<NewStop, 'scope' | 'target'>): string {
  if (scope === 'all') return t('All answers')
  if (scope === 'agent') return t('Agent “{target}”', { target })
  return scope === 'topic' ? t('Topic “{target}”', { target }) : t('File “{target}”', { target })
}

/** The form that stops answers. What was typed stays until it is in force. */
export function NewStopForm(): ReactNode {
  const [draft, setDraft] = useState(EMPTY)
  const [isAsking, setAsking] = useState(false)
  const { run, isBusy, error } = useAction()
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const of = binding<Exclude<keyof Draft, 'scope'>>(draft, change)
  const stop = stopOf(draft)
  const found = {
    target: stop.scope !== 'all' && stop.target === '' && t(TARGET_MISTAKES[stop.scope]),
    reason: stop.reason === '' && t('Enter a reason.'),
  }
  const { submit, mistakes } = useForm(found, async () => setAsking(true))
  const put = () =>
    run(async () => {
      await call('POST', 'stops', stop)
      setAsking(false)
      setDraft(EMPTY)
    })
  return (
    <Form onSubmit={submit} name={t('Stop more')}>
      <h2>{t('Stop more')}</h2>
      <SelectField label={t('What')} value={draft.scope} onChange={(scope) => change({ scope: scope as Scope, target: '' })}>
        {Object.entries(SCOPES).map(([scope, label]) => option(scope, t(label)))}
      </SelectField>
      <TargetFields scope={draft.scope} of={of} mistake={mistakes.target} />
      <TextAreaField
        label={t('Text for visitors (optional)')}
        hint={t('Without it, they read a general sentence in their language.')}
        dir="auto"
        rows={3}
        maxLength={MAX_CHARACTERS}
        {...of('reply')}
      />
      <TextField
        label={t('Reason')}
        hint={t('For your colleagues. Visitors don’t read it.')}
        error={mistakes.reason}
        dir="auto"
        maxLength={MAX_CHARACTERS}
        {...of('reason')}
      />
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
  scope: Scope
  of: (field: 'target' | 'examples') => { value: string; onChange: (value: string) => void }
  mistake: string | false | undefined
}

function TargetFields({ scope, of, mistake }: TargetProps): ReactNode {
  const agents = useLoaded<InstallationStatus>('status').data?.agents ?? []
  if (scope === 'all') return null
  if (scope === 'agent') {
    return (
      <SelectField label={t('Agent')} error={mistake} {...of('target')}>
        <option value="">{t('Choose one')}</option>
        {agents.map(({ id, name }) => option(id, name))}
      </SelectField>
    )
  }
  if (scope === 'file') {
    const hint = t('Its path below the folder of the knowledge, such as fees/parking.md. It isn’t searched.')
    return <TextField label={t('File')} hint={hint} error={mistake} {...of('target')} />
  }
  const hint = t('Prompts about the topic that have other words, one per line.')
  return (
    <>
      <TextField
        label={t('Words of the topic')}
        hint={t('Prompts with all these words, in any form.')}
        error={mistake}
        dir="auto"
        {...of('target')}
      />
      <TextAreaField label={t('Examples (optional)')} hint={hint} dir="auto" rows={3} {...of('examples')} />
    </>
  )
}

function stopOf({ scope, target, examples, reply, reason }: Draft): NewStop {
  return {
    scope,
    target: target.trim(),
    examples: scope === 'topic' ? linesIn(examples) : [],
    reply: reply.trim() || null,
    reason: reason.trim(),
  }
}
