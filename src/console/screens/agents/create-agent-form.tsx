import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { t } from '../../../ui/language/translate.ts'
import { Button } from '../../../ui/button.tsx'
import { call } from '../../api.ts'
import { ActionError, Field } from '../../parts/parts.tsx'
import { useAction } from '../../use-call.ts'

const ID = /^(?!me$)[a-z0-9][a-z0-9-]{0,63}$/

/** Address of the screen of an agent. */
export function agentAddress(id: string): string {
  return `#/agents/${encodeURIComponent(id)}`
}

interface CreateProps {
  label: string
  action: string
  idBefore: string
  text: (id: string) => string
}

/** Creates a managed agent and opens it. */
export function CreateAgentForm({ label, action, idBefore, text }: CreateProps): ReactNode {
  const [id, setId] = useState(idBefore)
  const [mistake, setMistake] = useState('')
  const { run, isBusy, error } = useAction()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const isId = ID.test(id.trim())
    setMistake(isId ? '' : t('Enter lowercase letters, digits and hyphens.'))
    if (!isId) return
    run(async () => {
      await call('POST', 'agents', { id: id.trim(), text: text(id.trim()) })
      // The screen of the new agent, also where the file with this id is shown.
      if (location.hash === agentAddress(id.trim())) location.reload()
      location.hash = agentAddress(id.trim())
    })
  }
  return (
    <form onSubmit={submit} noValidate aria-label={label}>
      <Field label={t('Id')} hint={t('Part of its address, such as town-hall. It stays the same.')} error={mistake}>
        {(ids) => <input {...ids} dir="ltr" autoComplete="off" value={id} onChange={({ target }) => setId(target.value)} />}
      </Field>
      <Button variant="outline" type="submit" disabled={isBusy}>
        {action}
      </Button>
      <ActionError message={error} />
    </form>
  )
}
